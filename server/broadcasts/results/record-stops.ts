import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';

/** An inbound STOP, and when it came. */
interface Stop {
  accountId: number;
  textNumberId: number;
  phone: string;
  at: Date;
}

/**
 * Marks people who answered a broadcast with STOP, so that its results show them as opted out. The broadcast
 * is found as for a reply: the last one that went to the phone from that number, within `days` and among its
 * last `texts`. A STOP is not a reply, and a START afterwards doesn't undo it: it records the effect of that
 * broadcast.
 */
export async function recordStops(
  trx: Trx,
  stops: Stop[],
  within: { days: number; texts: number },
): Promise<void> {
  if (stops.length === 0) return;
  const column = <T>(pick: (stop: Stop) => T) => stops.map(pick);
  const { rows } = await sql<{ account_id: number; broadcast_id: number }>`
    with answered as (
      select distinct on (t.account_id, b.broadcast_id, t.phone) t.account_id, b.broadcast_id, t.phone, t.at
      from unnest(
        ${column((s) => s.accountId)}::bigint[], ${column((s) => s.textNumberId)}::bigint[],
        ${column((s) => s.phone)}::text[], ${column((s) => s.at)}::timestamptz[]) as t(account_id, text_number_id, phone, at)
      cross join lateral (
        select lately.broadcast_id from (
          select m.broadcast_id, m.is_inbound, m.status, m.created_at, m.message_id from messages m
          where m.account_id = t.account_id and m.text_number_id = t.text_number_id and m.phone = t.phone
            and m.created_at <= t.at and m.created_at > t.at - ${within.days} * interval '1 day'
          order by m.created_at desc, m.message_id desc limit ${within.texts}) lately
        where not lately.is_inbound and lately.broadcast_id is not null
          and lately.status not in ('opted_out', 'canceled')
        order by lately.created_at desc, lately.message_id desc limit 1) b
      order by t.account_id, b.broadcast_id, t.phone, t.at
    )
    update broadcast_recipients r set stopped_at = a.at
    from answered a
    where r.account_id = a.account_id and r.broadcast_id = a.broadcast_id and r.phone = a.phone
      and r.problem is null and r.stopped_at is null
    returning r.account_id, r.broadcast_id`.execute(trx);
  for (const [accountId, marked] of Map.groupBy(rows, (row) => row.account_id)) {
    const ids = new Set(marked.map((row) => row.broadcast_id));
    await notify(
      trx,
      accountId,
      [...ids].map((BroadcastID) => ({ type: 'broadcast.changed' as const, BroadcastID })),
    );
  }
}
