import { sql } from 'kysely';
import type { EventKind } from '../contract/event-kinds.ts';
import type { Trx } from './db.ts';

export interface KeptEvent {
  accountId: number;
  eventId: number;
  at: Date;
  kind: EventKind;
  actorKind: 'user' | 'key' | 'operator' | 'system';
  userId: number | null;
  id: number | null;
  ids: number[] | null;
  firstId: number | null;
  lastId: number | null;
  count: number;
  changes: Record<string, unknown> | null;
}

/**
 * The next events for a reader, in the order of their transactions, each exactly once if the reader processes
 * them in the same transaction. Locks the reader's row: a second process waits, or with `skipLocked` skips
 * it.
 *
 * An id is assigned before its transaction commits, so reading up to the highest id would skip a slow
 * transaction. Events of transactions that are older than every running one are final; younger ones wait for
 * the next read. With `mostIds`, only as many events as name that many ids together, but always one.
 */
export async function readEvents(
  trx: Trx,
  reader: string,
  most: number,
  options: { kinds?: readonly EventKind[]; skipLocked?: boolean; mostIds?: number } = {},
): Promise<KeptEvent[]> {
  await sql`insert into event_readers (reader) values (${reader}) on conflict do nothing`.execute(trx);
  const locked = await sql`
    select from event_readers where reader = ${reader}
    for no key update ${options.skipLocked ? sql`skip locked` : sql``}`.execute(trx);
  if (locked.rows.length === 0) return [];
  const { rows: found } = await sql<KeptEvent & { epoch: number; xactId: string }>`
    select e.account_id as "accountId", e.event_id as "eventId", e.created_at as at, e.kind, e.actor_kind as "actorKind",
      e.user_id as "userId", e.subject_id as id, e.subject_ids as ids, lower(e.subject_range) as "firstId",
      upper(e.subject_range) - 1 as "lastId", e.subject_count as count, e.changes, e.epoch, e.xact_id::text as "xactId"
    from events e, event_readers r
    where r.reader = ${reader} and (e.epoch, e.xact_id, e.event_id) > (r.epoch, r.xact_id, r.event_id)
      and (e.epoch < current_event_epoch() or e.xact_id < pg_snapshot_xmin(pg_current_snapshot()))
    order by e.epoch, e.xact_id, e.event_id
    limit ${most}`.execute(trx);
  let ids = 0;
  const tooFar = found.findIndex((row, at) => {
    ids += row.ids?.length ?? 1;
    return at > 0 && ids > (options.mostIds ?? Number.POSITIVE_INFINITY);
  });
  const rows = tooFar === -1 ? found : found.slice(0, tooFar);
  const last = rows.at(-1);
  if (last === undefined) return [];
  await sql`
    update event_readers
    set epoch = ${last.epoch}, xact_id = ${last.xactId}::xid8, event_id = ${last.eventId}, read_at = now()
    where reader = ${reader}`.execute(trx);
  const { kinds } = options;
  return rows
    .filter((row) => kinds === undefined || kinds.includes(row.kind))
    .map(({ epoch: _epoch, xactId: _xactId, ...event }) => event);
}
