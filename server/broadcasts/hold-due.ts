import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { holdBroadcast } from './feed/feed-calls.ts';

/** Formats the time to which the data was restored, on the clocks of an organization. */
export type MomentIn = (zone: string) => string;

export const heldReason = (moment: string) =>
  `Your data was restored to how it was on ${moment}. This may have gone out since: find out before you resume it.`;

interface Due {
  account_id: number;
  id: number;
  zone: string;
}

/**
 * Pauses every broadcast that would go on by itself now: texts to feed, calls to make or calls that wait. For
 * a database with older data, which doesn't know who has received them since. Credits stay reserved.
 */
export async function holdDueBroadcasts(trx: Trx, momentIn: MomentIn): Promise<number> {
  const { rows } = await sql<Due>`
    select b.account_id, b.broadcast_id as id, a.time_zone as zone
    from broadcasts b join accounts a on a.account_id = b.account_id
    where b.status in ('scheduled', 'broadcasting') and b.deleted_at is null
      and (b.next_feed_at <= now() or b.next_call_at <= now() or exists (
        select from call_queue q
        where q.account_id = b.account_id and q.broadcast_id = b.broadcast_id
          and (q.state = 'claimed' or q.state = 'waiting' and q.due_at <= now())))
    order by b.account_id, b.broadcast_id
    for no key update of b`.execute(trx);
  for (const { account_id, id, zone } of rows)
    await holdBroadcast(trx, account_id, id, heldReason(momentIn(zone)));
  return rows.length;
}
