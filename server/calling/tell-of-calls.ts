import { sql } from 'kysely';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { withdrawCalls } from '../calls/withdraw-calls.ts';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * Notifies open pages once a second about broadcasts with active calls: from one broadcast in the queue to
 * the next, without reading waiting people. An attempt that ended just as its broadcast was canceled may have
 * returned to the queue: it is removed here. Returns canceled broadcasts with active calls.
 */
export async function tellOfCalls(database: Database): Promise<{ accountId: number; broadcastId: number }[]> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; broadcast_id: number; status: string; is_up: boolean }>`
      with recursive queued as (
        (select account_id, broadcast_id from call_queue where broadcast_id is not null
          order by account_id, broadcast_id limit 1)
        union all
        select n.account_id, n.broadcast_id
        from queued k
        cross join lateral (
          select q.account_id, q.broadcast_id from call_queue q
          where q.broadcast_id is not null and (q.account_id, q.broadcast_id) > (k.account_id, k.broadcast_id)
          order by q.account_id, q.broadcast_id limit 1) n
      )
      select b.account_id, b.broadcast_id, b.status, exists (
          select from call_queue u
          where u.account_id = b.account_id and u.broadcast_id = b.broadcast_id
            and u.state in ('placing', 'up', 'doubt', 'over')) as is_up
      from queued q
      join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id`.execute(trx);
    for (const row of rows) {
      if (row.status === 'canceled') {
        const credits = await withdrawCalls(trx, row.account_id, row.broadcast_id);
        await moveCredits(trx, [
          {
            accountId: row.account_id,
            kind: 'release',
            credits,
            note: 'Broadcast canceled',
            reference: ofBroadcast(row.broadcast_id),
          },
        ]);
      }
      if (row.is_up) {
        await notify(trx, row.account_id, [{ type: 'broadcast.changed', BroadcastID: row.broadcast_id }]);
      }
    }
    return rows
      .filter(({ status, is_up }) => status === 'canceled' && is_up)
      .map((row) => ({ accountId: row.account_id, broadcastId: row.broadcast_id }));
  });
}
