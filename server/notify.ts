import { sql } from 'kysely';
import type { Event } from '../contract/events.ts';
import type { Trx } from './db.ts';

/** The channel on which every web process listens. */
export const eventChannel = 'muster_events';

/** PostgreSQL takes 8,000 bytes a notice. */
const mostBytes = 7_500;

export interface Notice {
  accountId: number;
  events: Event[];
}

/**
 * Tells the account's open pages what changed, when and if this transaction commits: ids only. More
 * events than fit into a notice become the one that says "refetch the lists".
 */
export async function notify(trx: Trx, accountId: number, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  const whole = JSON.stringify({ accountId, events } satisfies Notice);
  const text =
    Buffer.byteLength(whole) <= mostBytes
      ? whole
      : JSON.stringify({ accountId, events: summary(events) } satisfies Notice);
  await sql`select pg_notify(${eventChannel}, ${text})`.execute(trx);
}

/** What is refetched as a whole, beside conversations, contacts, numbers and credits. */
export const wholeLists = [
  'tags.changed',
  'scheduled.changed',
  'replies.changed',
  'templates.changed',
  'settings.changed',
] as const;

/** One event for each kind that doesn't name a row. */
function summary(events: Event[]): Event[] {
  const kinds = new Set(events.map(({ type }) => type));
  const short: Event[] = [];
  if ([...kinds].some((kind) => /^(conversation|message|notes)/.test(kind))) {
    short.push({ type: 'conversations.changed' });
  }
  if ([...kinds].some((kind) => kind.startsWith('broadcast'))) short.push({ type: 'broadcasts.changed' });
  if (kinds.has('contacts.changed')) short.push({ type: 'contacts.changed' });
  for (const event of events) {
    if (event.type === 'work.changed' || event.type === 'file.changed') short.push(event);
  }
  for (const type of wholeLists) if (kinds.has(type)) short.push({ type });
  if (kinds.has('textnumbers.changed')) short.push({ type: 'textnumbers.changed' });
  if (kinds.has('credits.changed')) short.push({ type: 'credits.changed' });
  return short;
}
