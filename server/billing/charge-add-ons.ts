import { sql } from 'kysely';
import { priceCents } from '../../contract/money/cents.ts';
import { findTier } from '../../contract/money/pricing.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import type { Trx } from '../db.ts';
import { getPrices } from './queries.ts';

/**
 * Charges for the picture texts of broadcasts beyond a monthly fee: written once per broadcast, when all of
 * it is with the carrier, and paid with the next month or before. Only for accounts that are charged for
 * pictures (IsMonthlyMMSEnabled).
 */
export async function chargeAddOns(trx: Trx, accountId: number, broadcastIds: number[]): Promise<void> {
  // Nearly always none, and then no text is read.
  const { rows: withPictures } = await sql<{ broadcast_id: number }>`
    select b.broadcast_id from accounts a
    join broadcasts b on b.account_id = a.account_id and b.broadcast_id = any(${broadcastIds}::bigint[])
    where a.account_id = ${accountId} and a.is_monthly_mms_enabled
      and a.type_id in (${accountTypes.monthly}, ${accountTypes.invoicedMonthly}) and b.media_ids <> '{}'`.execute(
    trx,
  );
  if (withPictures.length === 0) return;
  const { rows } = await sql<{ broadcast_id: number; texts: number }>`
    select b.broadcast_id, count(*)::int as texts
    from broadcasts b
    join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id
    join messages m on m.account_id = s.account_id and m.message_id between s.first_message_id and s.last_message_id
      and m.slice_id = s.slice_id and m.broadcast_id = s.broadcast_id
    where b.account_id = ${accountId} and b.broadcast_id = any(${withPictures.map((one) => one.broadcast_id)}::bigint[])
      and m.handed_at is not null
    group by b.broadcast_id`.execute(trx);
  if (rows.length === 0) return;
  const { PricingDetails } = await getPrices(trx, accountId, 'enhanced');
  for (const { broadcast_id, texts } of rows) {
    const cost = findTier(PricingDetails, texts)?.Cost ?? 0;
    await trx
      .insertInto('add_on_charges')
      .values({ account_id: accountId, broadcast_id, texts, amount_cents: priceCents(texts, cost) })
      .onConflict((conflict) => conflict.columns(['account_id', 'broadcast_id']).doNothing())
      .execute();
  }
}
