import { sql } from 'kysely';
import type { Event } from '../contract/events.ts';
import type { Trx } from './db.ts';

/** The channel on which every web process listens. */
export const eventChannel = 'muster_events';

/** PostgreSQL accepts 8,000 bytes per notice. */
const mostBytes = 7_500;

export interface Notice {
  accountId: number;
  events: Event[];
  /** The conversations in the events, each with its text number: users who may not use it don't get them. */
  numbers?: [conversationId: number, textNumberId: number][];
}

/** Messages between processes about who may receive what: sent at the commit that changed it. */
export type SocketNotice =
  | { endedSessionIds: number[] }
  /** About a user who was deactivated. */
  | { endedUserId: number }
  /** An account whose users, or the numbers that they may use, have changed. */
  | { accessChangedOf: number };

/** Notifies every process, when and if this transaction commits. The same notice twice is passed on once. */
export async function notifySockets(trx: Trx, notices: readonly SocketNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await sql`
    select pg_notify(${eventChannel}, notice)
    from unnest(${notices.map((notice) => JSON.stringify(notice))}::text[]) as notice`.execute(trx);
}

/** The size of a conversation and its number in a notice, beside the event: two ids and their brackets. */
const bytesOfNumber = 32;

/**
 * Notifies the account's open pages about changes, when and if this transaction commits: ids only. More
 * events than fit into a notice become the one that says "refetch the lists".
 */
export async function notify(trx: Trx, accountId: number, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  const named = conversationsOf(events);
  const bytes =
    Buffer.byteLength(JSON.stringify({ accountId, events } satisfies Notice)) + named.length * bytesOfNumber;
  if (bytes > mostBytes || named.length === 0) {
    const told: Notice = { accountId, events: bytes > mostBytes ? summary(events) : events };
    await sql`select pg_notify(${eventChannel}, ${JSON.stringify(told)})`.execute(trx);
    return;
  }
  const [head, tail] = JSON.stringify({ accountId, events, numbers: [] } satisfies Notice).split(
    /\[\](?=}$)/,
  );
  await sql`
    select pg_notify(${eventChannel}, ${head} || coalesce((
      select json_agg(json_build_array(conversation_id, text_number_id))::text from conversations
      where account_id = ${accountId} and conversation_id = any(${named}::bigint[])), '[]') || ${tail})`.execute(
    trx,
  );
}

/** The conversations whose number is missing in an event. */
function conversationsOf(events: Event[]): number[] {
  const ids = events.flatMap((event) =>
    'ConversationID' in event && !('TextNumberID' in event) ? [event.ConversationID] : [],
  );
  return [...new Set(ids)];
}

/** The data that is refetched as a whole, beside conversations, contacts, numbers and credits. */
export const wholeLists = [
  'tags.changed',
  'scheduled.changed',
  'replies.changed',
  'templates.changed',
  'settings.changed',
  'users.changed',
  'registration.changed',
  'sequences.changed',
  'webhooks.changed',
  'apikeys.changed',
  'integrations.changed',
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
  if (kinds.has('billing.changed')) short.push({ type: 'billing.changed' });
  return short;
}
