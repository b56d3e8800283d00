import { sql } from 'kysely';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * Ends the broadcasts of which nobody is left to feed and no text waits any more. Asked after the last slice of one was
 * recorded, and every second, so that none can stick. What is with the carrier may still change afterwards.
 */
export async function completeBroadcasts(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; broadcast_id: number }>`
      update broadcasts b set status = 'completed', ended_at = now(), updated_at = now(), held_reason = ''
      where b.status = 'broadcasting' and b.next_feed_at is null and not exists (
        select from broadcast_slices s
        where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.waiting > 0)
      returning b.account_id, b.broadcast_id`.execute(trx);
    for (const [accountId, ended] of Map.groupBy(rows, (row) => row.account_id)) {
      await notify(trx, accountId, [
        ...ended.map((row) => ({ type: 'broadcast.changed' as const, BroadcastID: row.broadcast_id })),
        { type: 'broadcasts.changed' },
      ]);
    }
  });
}
