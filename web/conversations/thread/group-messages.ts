import type { TextMessage } from '../../../contract/conversations.ts';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import type { Note } from '../../../contract/notes.ts';
import { dayKey } from '../../ui/format.ts';
import type { OutboxEntry } from './outbox.ts';

/** What a thread shows: a text the server has, one of ours that it doesn't have yet, or what the team says of it. */
export type ThreadItem =
  | { kind: 'message'; key: string; at: string; message: TextMessage }
  | { kind: 'pending'; key: string; at: string; entry: OutboxEntry }
  | { kind: 'note'; key: string; at: string; note: Note };

/** Texts by one speaker, one after the other; name, time and state stand once, under the last. */
export interface Run {
  key: string;
  speaker: string;
  isInbound: boolean;
  /** Where they come from, when nobody here wrote them: stands above the first. */
  source?: 'Broadcast' | 'Automatic reply' | 'Notification';
  /** Which broadcast. */
  broadcast?: NonNullable<TextMessage['Broadcast']>;
  items: ThreadItem[];
}

interface Day {
  /** 2026-03-11, in the reader's zone. */
  date: string;
  runs: Run[];
}

/** A pause longer than this begins a new run, so that no text stands without its time. */
const RUN_GAP_MS = 15 * 60_000;

const sources = {
  conversation: undefined,
  inbound: undefined,
  broadcast: 'Broadcast',
  automatic: 'Automatic reply',
  notification: 'Notification',
} as const;

function sourceOf(item: ThreadItem): Run['source'] {
  return item.kind === 'message' ? sources[item.message.Origin] : undefined;
}

function speakerOf(item: ThreadItem, ownUserId: number): string {
  if (item.kind === 'note') return item.key;
  if (item.kind === 'pending') return `user ${ownUserId}`;
  if (item.message.IsInbound) return 'them';
  const { SentBy, Origin, Broadcast } = item.message;
  // Two broadcasts in a row are two runs: each has its name above it.
  const origin = Origin === 'broadcast' ? `broadcast ${Broadcast?.BroadcastID} ` : `${Origin} `;
  return `${Origin === 'conversation' ? '' : origin}${SentBy ? `user ${SentBy.UserID}` : 'system'}`;
}

/** Items in the order of time, oldest first, as days of runs. A note stands alone and ends the run before it. */
export function groupByDay(items: readonly ThreadItem[], zone: string, ownUserId: number): Day[] {
  const days: Day[] = [];
  let before: ThreadItem | undefined;
  for (const item of items) {
    const date = dayKey(item.at, zone);
    let day = days.at(-1);
    if (day?.date !== date) {
      day = { date, runs: [] };
      days.push(day);
    }
    const speaker = speakerOf(item, ownUserId);
    const run = day.runs.at(-1);
    const isPause = before !== undefined && Date.parse(item.at) - Date.parse(before.at) > RUN_GAP_MS;
    if (run && run.speaker === speaker && !isPause) run.items.push(item);
    else {
      const isInbound = item.kind === 'message' && item.message.IsInbound;
      const source = sourceOf(item);
      const broadcast =
        source === 'Broadcast' && item.kind === 'message' ? item.message.Broadcast : undefined;
      day.runs.push({
        key: item.key,
        speaker,
        isInbound,
        ...(source ? { source } : {}),
        ...(broadcast ? { broadcast } : {}),
        items: [item],
      });
    }
    before = item;
  }
  return days;
}

/**
 * Texts of ours that the server has although their own reply hasn't come (yet, or never): each is newer
 * than anything known when it was sent, ours, and says the same. One that was refused is none of them.
 */
export function arrivedEntries(
  messages: readonly TextMessage[],
  entries: readonly OutboxEntry[],
  ownUserId: number,
): OutboxEntry[] {
  const taken = new Set<number>();
  return entries.filter((entry) => {
    if (entry.state !== 'sending' && !entry.isUnsure) return false;
    const arrived = messages.findLast(
      (message) =>
        !taken.has(message.TextMessageID) &&
        message.TextMessageID > entry.newestKnownId &&
        message.SentBy?.UserID === ownUserId &&
        isTextOf(message, entry),
    );
    if (arrived) taken.add(arrived.TextMessageID);
    return arrived !== undefined;
  });
}

/** The server puts the signature under the text. */
function isTextOf({ Message }: TextMessage, { text, hasSignature }: OutboxEntry): boolean {
  return hasSignature ? Message.startsWith(text) : Message === text;
}

/** Whether a text can be tried again: it failed, or nobody knows what became of it. */
export function mayBeSentAgain({ IsInbound, Status, Origin }: TextMessage): boolean {
  if (IsInbound || Origin !== 'conversation' || !isTextStatusCode(Status)) return false;
  const { kind } = textStatuses[Status];
  // Who has opted out gets nothing, however often one presses.
  return (kind === 'bad' || kind === 'unknown') && Status !== 'opted_out';
}

/** Failed texts that somebody has sent again: a later text of ours has the same words and pictures, or their beginning. */
export function sentAgain(messages: readonly TextMessage[]): ReadonlySet<number> {
  const again = new Set<number>();
  const ours = messages.filter(({ IsInbound }) => !IsInbound);
  for (const failed of ours.filter(mayBeSentAgain)) {
    const later = ours.find(
      (message) =>
        message.TextMessageID > failed.TextMessageID &&
        message.Media.length === failed.Media.length &&
        isSameOrShortened(message.Message, failed.Message),
    );
    if (later) again.add(failed.TextMessageID);
  }
  return again;
}

/** Nothing is cut shorter than this: a limit is 160 at least, of which a signature takes about half. */
const SHORTEST_CUT = 70;

function isSameOrShortened(text: string, whole: string): boolean {
  return text === whole || (text.length >= SHORTEST_CUT && whole.startsWith(text));
}

/** The part of the thread that is here, when there is more of it: notes outside of it wait. */
export interface LoadedPart {
  hasOlder: boolean;
  hasLater: boolean;
}

/** The same text is the same item, so that nothing is drawn again for it. */
const itemsOfTexts = new WeakMap<TextMessage, ThreadItem>();

function itemOf(message: TextMessage): ThreadItem {
  const known = itemsOfTexts.get(message);
  if (known) return known;
  const { TextMessageID, CreateTimestamp } = message;
  const item: ThreadItem = { kind: 'message', key: `m${TextMessageID}`, at: CreateTimestamp, message };
  itemsOfTexts.set(message, item);
  return item;
}

/** What the server has (newest first, as it answers) and what waits here, oldest first, each text once. */
export function threadItems(
  messages: readonly TextMessage[],
  entries: readonly OutboxEntry[],
  ownUserId: number,
  { notes = [], hasOlder = false, hasLater = false }: { notes?: readonly Note[] } & Partial<LoadedPart> = {},
): ThreadItem[] {
  const arrived = new Set(arrivedEntries(messages, entries, ownUserId));
  const oldest = hasOlder ? messages.at(-1)?.CreateTimestamp : undefined;
  const newest = hasLater ? messages[0]?.CreateTimestamp : undefined;
  const texts = messages.map(itemOf);
  const said = notes
    .filter(({ CreateTimestamp }) => oldest === undefined || CreateTimestamp >= oldest)
    .filter(({ CreateTimestamp }) => newest === undefined || CreateTimestamp <= newest)
    .map((note): ThreadItem => ({ kind: 'note', key: `n${note.NoteID}`, at: note.CreateTimestamp, note }));
  const waiting = entries
    .filter((entry) => !arrived.has(entry))
    .map((entry): ThreadItem => ({ kind: 'pending', key: entry.key, at: entry.at, entry }));
  return [...merged(texts.reverse(), said.reverse()), ...waiting];
}

/** Two lists, oldest first, as one: each keeps its own order. */
function merged(texts: readonly ThreadItem[], notes: readonly ThreadItem[]): ThreadItem[] {
  if (notes.length === 0) return [...texts];
  const all: ThreadItem[] = [];
  let next = 0;
  for (const text of texts) {
    for (let note = notes[next]; note && note.at < text.at; note = notes[next]) {
      all.push(note);
      next += 1;
    }
    all.push(text);
  }
  return [...all, ...notes.slice(next)];
}
