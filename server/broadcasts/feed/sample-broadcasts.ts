import { sql } from 'kysely';
import { asSystem, type Database } from '../../db.ts';
import { notify } from '../../notify.ts';

/** Receipts keep coming long after the last text was handed over. */
const minutesAfterEnd = 10;

/**
 * Records the progress of each running broadcast, for its chart. Every two seconds at first, every ten after
 * five minutes, every minute after an hour; nothing while nothing changes.
 */
export async function sampleBroadcasts(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; broadcast_id: number }>`
      with live as (
        select account_id, broadcast_id, started_at from broadcasts where status = 'broadcasting'
        union all
        select account_id, broadcast_id, started_at from broadcasts
        where status = 'sent' and all_sent_at > now() - ${minutesAfterEnd} * interval '1 minute'
        union all
        select account_id, broadcast_id, started_at from broadcasts
        where ended_at > now() - ${minutesAfterEnd} * interval '1 minute' and started_at is not null
      ),
      due as (
        select l.account_id, l.broadcast_id, last.sent, last.delivered, last.failed
        from live l
        left join lateral (
          select s.taken_at, s.sent, s.delivered, s.failed from broadcast_samples s
          where s.account_id = l.account_id and s.broadcast_id = l.broadcast_id
          order by s.taken_at desc limit 1) last on true
        where last.taken_at is null or last.taken_at <= now() - case
          when l.started_at > now() - interval '5 minutes' then interval '1.9 seconds'
          when l.started_at > now() - interval '1 hour' then interval '9.9 seconds'
          else interval '59.9 seconds' end
      )
      insert into broadcast_samples (account_id, broadcast_id, taken_at, sent, delivered, failed)
      select d.account_id, d.broadcast_id, now(), n.sent, n.delivered, n.failed
      from due d
      cross join lateral (
        select coalesce(sum(s.total - s.waiting - s.canceled - s.opted_out), 0)::int as sent,
          coalesce(sum(s.delivered + s.read), 0)::int as delivered, coalesce(sum(s.failed + s.invalid), 0)::int as failed
        from broadcast_slices s
        where s.account_id = d.account_id and s.broadcast_id = d.broadcast_id) n
      where (d.sent, d.delivered, d.failed) is distinct from (n.sent, n.delivered, n.failed)
      on conflict do nothing
      returning account_id, broadcast_id`.execute(trx);
    for (const [accountId, sampled] of Map.groupBy(rows, (row) => row.account_id)) {
      await notify(
        trx,
        accountId,
        sampled.map((row) => ({ type: 'broadcast.changed' as const, BroadcastID: row.broadcast_id })),
      );
    }
  });
}
