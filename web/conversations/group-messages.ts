import type { TextMessage } from '../../contract/conversations.ts';
import { dayKey } from '../ui/format.ts';
import type { OutboxEntry } from './outbox.ts';

/** A text as the thread shows it: one the server has, or one of ours that it doesn't have yet. */
export type ThreadItem =
  | { kind: 'message'; key: string; at: string; message: TextMessage }
  | { kind: 'pending'; key: string; at: string; entry: OutboxEntry };

/** Texts by one speaker, one after the other; name, time and state stand once, under the last. */
export interface Run {
  key: string;
  speaker: string;
  isInbound: boolean;
  items: ThreadItem[];
}

interface Day {
  /** 2026-03-11, in the reader's zone. */
  date: string;
  runs: Run[];
}

/** A pause longer than this begins a new run, so that no text stands without its time. */
const RUN_GAP_MS = 15 * 60_000;

function speakerOf(item: ThreadItem, ownUserId: number): string {
  if (item.kind === 'pending') return `user ${ownUserId}`;
  if (item.message.IsInbound) return 'them';
  return item.message.SentBy ? `user ${item.message.SentBy.UserID}` : 'system';
}

/** Items in the order of time, oldest first, as days of runs. */
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
      day.runs.push({ key: item.key, speaker, isInbound, items: [item] });
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
    if (entry.state === 'failed' && !entry.isUnsure) return false;
    const arrived = messages.findLast(
      (message) =>
        !taken.has(message.TextMessageID) &&
        message.TextMessageID > entry.newestKnownId &&
        message.SentBy?.UserID === ownUserId &&
        message.Message === entry.text,
    );
    if (arrived) taken.add(arrived.TextMessageID);
    return arrived !== undefined;
  });
}

/** What the server has (newest first, as it answers) and what waits here, oldest first, each text once. */
export function threadItems(
  messages: readonly TextMessage[],
  entries: readonly OutboxEntry[],
  ownUserId: number,
): ThreadItem[] {
  const arrived = new Set(arrivedEntries(messages, entries, ownUserId));
  return [
    ...messages
      .map(
        (message): ThreadItem => ({
          kind: 'message',
          key: `m${message.TextMessageID}`,
          at: message.CreateTimestamp,
          message,
        }),
      )
      .reverse(),
    ...entries
      .filter((entry) => !arrived.has(entry))
      .map((entry): ThreadItem => ({ kind: 'pending', key: entry.key, at: entry.at, entry })),
  ];
}
