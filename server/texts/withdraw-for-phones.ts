import { sql } from 'kysely';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import type { Trx } from '../db.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countSlices } from './count-slices.ts';

/** Number of a phone's latest texts that are checked. If more are waiting, the claim drops them. */
const latestTexts = 100;

/**
 * Texts waiting for these phones. Found by thread, not through the outbox, which may contain a broadcast to a
 * million others.
 */
async function findWaiting(trx: Trx, phones: { accountId: number; phone: string }[]) {
  const { rows } = await sql<{ account_id: number; message_id: number }>`
    select m.account_id, m.message_id
    from unnest(${phones.map((p) => p.accountId)}::bigint[], ${phones.map((p) => p.phone)}::text[]) as p(account_id, phone)
    join text_numbers n on n.account_id = p.account_id
    cross join lateral (
      select m.account_id, m.message_id, m.status from messages m
      where m.account_id = p.account_id and m.text_number_id = n.text_number_id and m.phone = p.phone
      order by m.created_at desc, m.message_id desc limit ${latestTexts}) m
    where m.status = 'waiting'`.execute(trx);
  return rows;
}

/**
 * For those of these phones that have opted out: texts that no worker holds leave the outbox as Opted Out, and their
 * credits return.
 */
export async function withdrawForPhones(
  trx: Trx,
  phones: { accountId: number; phone: string }[],
): Promise<void> {
  const waiting = phones.length === 0 ? [] : await findWaiting(trx, phones);
  if (waiting.length === 0) return;
  const { rows } = await sql<{
    account_id: number;
    broadcast_id: number | null;
    credits: number;
    message_ids: number[];
  }>`
    with gone as (
      delete from outbox o
      where o.account_id = any(${[...new Set(waiting.map((text) => text.account_id))]}::bigint[])
        and o.message_id = any(${waiting.map((text) => text.message_id)}::bigint[])
        and o.lease_id is null and not o.in_doubt and not o.ignores_opt_out
        -- START may have come after STOP, in this batch or before a late STOP.
        and exists (select from phone_consents c
          where c.account_id = o.account_id and c.phone = o.phone and c.text_state = 'out')
      returning o.account_id, o.message_id
    ),
    moved as (
      update messages m set status = 'opted_out', status_at = now()
      from gone where m.account_id = gone.account_id and m.message_id = gone.message_id and m.status = 'waiting'
      returning m.account_id, m.message_id, m.broadcast_id, m.slice_id, old.status as old_status, new.status as new_status,
        0 as settled, m.credits as released
    ),
    counted as (${countSlices}),
    kept as (${recordTextMoves})
    select account_id, broadcast_id, sum(released)::int as credits, array_agg(message_id) as message_ids
    from moved group by account_id, broadcast_id order by account_id, broadcast_id`.execute(trx);
  await moveCredits(
    trx,
    rows.map((row) => ({
      accountId: row.account_id,
      kind: 'release',
      credits: row.credits,
      note: 'Opted out before it was sent',
      reference:
        row.broadcast_id === null ? { kind: 'text', ids: row.message_ids } : ofBroadcast(row.broadcast_id),
    })),
  );
}
