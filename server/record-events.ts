import { sql } from 'kysely';
import { type EventChanges, withoutSecrets } from '../contract/event-changes.ts';
import type { EventKind } from '../contract/event-kinds.ts';
import type { Trx } from './db.ts';

/** The user behind the event. An actor of a call fits; jobs and webhooks give only the account. */
export interface EventActor {
  accountId: number;
  userId?: number | undefined;
  address?: string | undefined;
  /** A short name of the browser or program. */
  agent?: string | undefined;
  /** The API key that a program used, in the user's name. */
  apiKeyId?: number | undefined;
  /** An operator's command on the server. */
  isOperator?: true;
}

function actorKindOf({ userId, apiKeyId, isOperator }: EventActor): 'user' | 'key' | 'operator' | 'system' {
  if (isOperator) return 'operator';
  if (apiKeyId !== undefined) return 'key';
  return userId === undefined ? 'system' : 'user';
}

/** The kind of event and its object: one thing, a set, or a range when a million rows changed at once. */
export interface NewEvent {
  kind: EventKind;
  id?: number | undefined;
  ids?: readonly number[];
  range?: { firstId: number; lastId: number };
  /** The number of objects, if neither `id` nor `ids` shows it. */
  count?: number;
  /**
   * Before and after, by field (changesBetween). Never a text's words, never a secret:
   * contract/event-changes.ts.
   */
  changes?: EventChanges | undefined;
}

const recorded = new WeakSet<object>();

/** True if this transaction has recorded an event already. */
export function hasRecorded(trx: Trx): boolean {
  return recorded.has(trx);
}

/** Records events, if and when this transaction commits. One statement for any number of events. */
export async function recordEvents(trx: Trx, by: EventActor, events: NewEvent[]): Promise<void> {
  recorded.add(trx);
  await recordBeside(trx, by, events);
}

/** The same for a consequence of something else: the enclosing call is still recorded. */
export async function recordBeside(trx: Trx, by: EventActor, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const column = <T>(pick: (event: NewEvent) => T) => events.map(pick);
  await sql`
    insert into events
      (account_id, kind, actor_kind, user_id, address, agent, subject_id, subject_ids, subject_range, subject_count,
       changes)
    select ${by.accountId}::bigint, kind, ${actorKindOf(by)}, ${by.userId ?? null}::bigint,
      ${by.address ?? ''}, ${by.agent ?? ''}, subject_id, subject_ids::bigint[], subject_range::int8range, subject_count, changes::jsonb
    from unnest(
      ${column((event) => event.kind)}::text[], ${column((event) => event.id ?? null)}::bigint[],
      ${column((event) => (event.ids === undefined ? null : `{${event.ids.join()}}`))}::text[],
      ${column(({ range }) => (range === undefined ? null : `[${range.firstId},${range.lastId}]`))}::text[],
      ${column((event) => event.count ?? event.ids?.length ?? 1)}::integer[],
      ${column(({ changes }) => (changes === undefined ? null : JSON.stringify(withoutSecrets(changes))))}::text[]
    ) as e(kind, subject_id, subject_ids, subject_range, subject_count, changes)`.execute(trx);
}
