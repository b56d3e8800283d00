import { sql } from 'kysely';
import { chargeAddOns } from '../../billing/charge-add-ons.ts';
import { asSystem, type Database } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';

/**
 * Moves broadcasts on when nothing is left to do for them:
 *   broadcasting → sent        nobody is left to feed, no text waits, and carriers owe answers
 *   broadcasting → completed   the same, and they owe none
 *   sent → completed           every text has its receipt, or was closed after its validity period (close-unanswered.ts)
 * One that was canceled half way stays canceled. If it has pictures, it is looked at until no text of it waits any more
 * (texts that a worker held, or that were in doubt), so that those that went out are charged for (charge-add-ons.ts).
 * Runs after a broadcast's last slice was recorded, and every second, so that none can get stuck. A sent broadcast is
 * checked every second at first, and every minute once it has waited for ten.
 */
export async function completeBroadcasts(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; broadcast_id: number; status: string }>`
      with handed as (
        update broadcasts b
        set status = case when d.awaits then 'sent' else 'completed' end, all_sent_at = now(), updated_at = now(),
          ended_at = case when d.awaits then null else now() end, held_reason = '',
          look_at = case when d.awaits then now() + interval '1 second' end
        from (
          select b.account_id, b.broadcast_id, exists (
            select from broadcast_slices s
            where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.sent > 0) as awaits
          from broadcasts b
          where b.status = 'broadcasting' and b.next_feed_at is null and not exists (
            select from broadcast_slices s
            where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.waiting > 0)
            and b.next_call_at is null and not exists (
              select from call_queue q
              where b.call_count > 0 and q.account_id = b.account_id and q.broadcast_id = b.broadcast_id)) d
        where b.account_id = d.account_id and b.broadcast_id = d.broadcast_id
          and b.status = 'broadcasting' and b.next_feed_at is null and b.next_call_at is null
        returning b.account_id, b.broadcast_id, new.status
      ),
      looked as (
        select b.account_id, b.broadcast_id, exists (
          select from broadcast_slices s
          where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.sent + s.waiting > 0) as awaits
        from broadcasts b where b.status = 'sent' and b.look_at <= now()
        for no key update of b skip locked
      ),
      later as (
        update broadcasts b
        set look_at = now() + least(greatest((now() - b.all_sent_at) / 10, interval '1 second'), interval '1 minute')
        from looked l where l.awaits and b.account_id = l.account_id and b.broadcast_id = l.broadcast_id
      ),
      answered as (
        update broadcasts b set status = 'completed', ended_at = now(), updated_at = now(), look_at = null
        from looked l where not l.awaits and b.account_id = l.account_id and b.broadcast_id = l.broadcast_id
        returning b.account_id, b.broadcast_id, new.status
      ),
      cut_off as (
        select b.account_id, b.broadcast_id, exists (
          select from broadcast_slices s
          where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.waiting > 0) as awaits
        from broadcasts b where b.status = 'canceled' and b.look_at <= now()
        for no key update of b skip locked
      ),
      ended as (
        update broadcasts b set look_at = case when c.awaits then now() + interval '10 seconds' end
        from cut_off c where b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
        returning b.account_id, b.broadcast_id, new.status, c.awaits
      )
      select * from handed union all select * from answered
      union all select account_id, broadcast_id, status from ended where not awaits`.execute(trx);
    for (const [accountId, ended] of Map.groupBy(rows, (row) => row.account_id)) {
      await chargeAddOns(
        trx,
        accountId,
        ended.map((row) => row.broadcast_id),
      );
      await recordEvents(
        trx,
        { accountId },
        ended
          .filter(({ status }) => status === 'completed')
          .map((row) => ({ kind: 'broadcast.completed', id: row.broadcast_id })),
      );
      await notify(trx, accountId, [
        ...ended.map((row) => ({ type: 'broadcast.changed' as const, BroadcastID: row.broadcast_id })),
        { type: 'broadcasts.changed' },
      ]);
    }
  });
}
