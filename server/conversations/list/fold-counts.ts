import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Sums up what has changed in conversation_counts; returns how many changes it took. A change is taken out in the
 * statement that adds it: whoever reads both sees it once, whenever they look.
 */
export async function foldCounts(trx: Trx, most: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with gone as (
      delete from conversation_count_changes
      -- By their places, whatever the planner thinks of a queue that was empty a moment ago.
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
      -- In one order everywhere, so that two of these at once can't wait for each other.
      order by 1, 2, 3
      on conflict (account_id, text_number_id, assigned_user_id) do update
      set open = kept.open + excluded.open, unread = kept.unread + excluded.unread,
        snoozed = kept.snoozed + excluded.snoozed, done = kept.done + excluded.done,
        opted_out = kept.opted_out + excluded.opted_out
    )
    select count(*) as taken from gone`.execute(trx);
  return rows[0]?.taken ?? 0;
}
