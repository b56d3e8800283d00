import type { TextMessage } from '../../../contract/conversations.ts';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import type { Note } from '../../../contract/notes.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { dayKey } from '../../ui/format.ts';
import type { OutboxEntry } from './outbox.ts';

/** An item of a thread: a text on the server, a text of ours still in the outbox, or a note. */
export type ThreadItem =
  | { kind: 'message'; key: string; at: string; message: TextMessage }
  | { kind: 'pending'; key: string; at: string; entry: OutboxEntry }
  | { kind: 'note'; key: string; at: string; note: Note };

/** Consecutive texts by one sender. Name, time and status appear once, below the last. */
export interface Run {
  key: string;
  speaker: string;
  isInbound: boolean;
  /** The origin, shown above the first text if no user wrote it. */
  source?: 'broadcast' | 'automatic' | 'notification';
  /** The broadcast it came from. */
  broadcast?: NonNullable<TextMessage['Broadcast']>;
  items: ThreadItem[];
}

interface Day {
  /** 2026-03-11, in the reader's time zone. */
  date: string;
  runs: Run[];
}

/** A longer pause starts a new run, so that no text goes without its time. */
const RUN_GAP_MS = 15 * 60_000;

const sources = {
  conversation: undefined,
  inbound: undefined,
  broadcast: 'broadcast',
  automatic: 'automatic',
  notification: 'notification',
} as const;

function sourceOf(item: ThreadItem): Run['source'] {
  return item.kind === 'message' ? sources[item.message.Origin] : undefined;
}

function speakerOf(item: ThreadItem, ownUserId: number): string {
  if (item.kind === 'note') return item.key;
  if (item.kind === 'pending') return `user ${ownUserId}`;
  if (item.message.IsInbound) return 'them';
  const { SentBy, Origin, Broadcast } = item.message;
  // Two broadcasts in a row are two runs, each with its name above it.
  const origin = Origin === 'broadcast' ? `broadcast ${Broadcast?.BroadcastID} ` : `${Origin} `;
  return `${Origin === 'conversation' ? '' : origin}${SentBy ? `user ${SentBy.UserID}` : 'system'}`;
}

/** Groups items, oldest first, into days of runs. A note is separate and ends the run before it. */
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
        source === 'broadcast' && item.kind === 'message' ? item.message.Broadcast : undefined;
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
 * Outbox texts that the server already has, although their reply never arrived. Each is newer than anything known when
 * it was sent, is ours, and has the same content. Refused texts never match.
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

/** The server appends the signature. */
function isTextOf({ Message }: TextMessage, { text, keepsCharacters, hasSignature }: OutboxEntry): boolean {
  const sent = textToSend(text, { keepCharacters: keepsCharacters });
  return hasSignature ? Message.startsWith(sent) : Message === sent;
}

/** True if a text can be sent again: it failed, or its status is unknown. */
export function mayBeSentAgain({ IsInbound, Status, Origin }: TextMessage): boolean {
  if (IsInbound || Origin !== 'conversation' || !isTextStatusCode(Status)) return false;
  const { kind } = textStatuses[Status];
  // Sending again can't reach a person who opted out.
  return (kind === 'bad' || kind === 'unknown') && Status !== 'opted_out';
}

/** Failed texts that were sent again: a later text of ours has the same content, or its beginning. */
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

/** No text is cut shorter than this: the limit is at least 160, and a signature takes about half. */
const SHORTEST_CUT = 70;

function isSameOrShortened(text: string, whole: string): boolean {
  return text === whole || (text.length >= SHORTEST_CUT && whole.startsWith(text));
}

/** The loaded range, when there is more. Notes outside it wait. */
export interface LoadedPart {
  hasOlder: boolean;
  hasLater: boolean;
}

/** Reuses the item for the same text, so that nothing renders again. */
const itemsOfTexts = new WeakMap<TextMessage, ThreadItem>();

function itemOf(message: TextMessage): ThreadItem {
  const known = itemsOfTexts.get(message);
  if (known) return known;
  const { TextMessageID, CreateTimestamp } = message;
  const item: ThreadItem = { kind: 'message', key: `m${TextMessageID}`, at: CreateTimestamp, message };
  itemsOfTexts.set(message, item);
  return item;
}

/** Merges the server's texts (newest first) and the outbox, oldest first, each text once. */
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

/** Merges two sorted lists, oldest first, each in its own order. */
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
