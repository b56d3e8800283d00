import { sql } from 'kysely';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { withdrawCalls } from '../calls/withdraw-calls.ts';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * Tells open pages once a second of broadcasts whose calls are under way. An attempt that ended in the moment in which
 * its broadcast was canceled may have gone back to the queue: it is taken out here.
 */
export async function tellOfCalls(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; broadcast_id: number; status: string; is_up: boolean }>`
      select b.account_id, b.broadcast_id, b.status, bool_or(q.state not in ('waiting', 'claimed')) as is_up
      from call_queue q join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
      group by b.account_id, b.broadcast_id, b.status`.execute(trx);
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
  });
}
