import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Adds up the changes in conversation_counts; returns how many changes there were. A change is deleted in the
 * statement that adds it: a reader of both sees it once at any time.
 */
export async function foldCounts(trx: Trx, most: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with gone as (
      delete from conversation_count_changes
      -- By their position, even if the planner assumes that the queue is empty.
      where ctid = any(array(
        select ctid from conversation_count_changes order by account_id, change_id
        limit ${most} for update skip locked))
      returning *
    ),
    folded as (
      insert into conversation_counts as kept
        (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
      select account_id, text_number_id, assigned_user_id,
        sum(open), sum(unread), sum(snoozed), sum(done), sum(opted_out)
      from gone group by 1, 2, 3
      -- In one order everywhere, to avoid deadlocks between two of these at once.
      order by 1, 2, 3
      on conflict (account_id, text_number_id, assigned_user_id) do update
      set open = kept.open + excluded.open, unread = kept.unread + excluded.unread,
        snoozed = kept.snoozed + excluded.snoozed, done = kept.done + excluded.done,
        opted_out = kept.opted_out + excluded.opted_out
    )
    select count(*) as taken from gone`.execute(trx);
  return rows[0]?.taken ?? 0;
}
