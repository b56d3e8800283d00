import { sql } from 'kysely';
import type { Database } from '../../db.ts';

/** Recipients per statement: a quarter of a second. */
const sliceRows = 20_000;

/**
 * Deletes drafts that were deleted by users, after a day for questions: first their recipients, then the
 * drafts.
 */
export async function sweepDeletedDrafts({ system }: Database): Promise<void> {
  const isOld = sql`b.status = 'draft' and b.deleted_at < now() - interval '1 day'`;
  let swept = sliceRows;
  while (swept === sliceRows) {
    const { numAffectedRows = 0n } = await sql`
      delete from broadcast_recipients r using (
        select r.account_id, r.broadcast_id, r.recipient_id from broadcasts b
        join broadcast_recipients r on r.account_id = b.account_id and r.broadcast_id = b.broadcast_id
        where ${isOld} limit ${sliceRows}) old
      where r.account_id = old.account_id and r.broadcast_id = old.broadcast_id and r.recipient_id = old.recipient_id`.execute(
      system,
    );
    swept = Number(numAffectedRows);
  }
  await sql`
    with old as (delete from broadcasts b where ${isOld} returning account_id, broadcast_id),
    texts as (
      delete from second_texts t using old
      where t.account_id = old.account_id and t.broadcast_id = old.broadcast_id
    )
    delete from broadcast_sources s using old
    where s.account_id = old.account_id and s.broadcast_id = old.broadcast_id`.execute(system);
}
