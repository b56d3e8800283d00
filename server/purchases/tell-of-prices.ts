/**
 * Prices are data of the installation, and may rise. A month costs more than the one before only if its owner was told
 * by mail at least a week earlier; otherwise the old price holds for one more month. A lower price holds at once.
 */
import { type RawBuilder, sql } from 'kysely';
import { formatCents } from '../../contract/money/cents.ts';
import { monthlyFeeCents } from '../../contract/money/pricing.ts';
import { changePlan } from '../billing/change-plan.ts';
import { getPrices } from '../billing/queries.ts';
import { asAccount, type Database } from '../db.ts';
import { notify } from '../notify.ts';
import { setFlatRate } from '../numbers/set-flat-rate.ts';
import { mailOwners } from './mail-owners.ts';
import { getNumberFee, getPlan } from './reckon-charge.ts';
import { noticeMs, noticeWithinMs } from './rules.ts';

interface Notice {
  database: Database;
  publicUrl: string;
}

/** Months that end soon enough to be told about, and late enough for a notice of a week. */
function isInTime(end: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  const from = new Date(at.getTime() + noticeMs);
  const until = new Date(from.getTime() + noticeWithinMs);
  return sql<boolean>`${end} between ${from} and ${until}`;
}

export async function listToTell({ database }: Notice, at: Date, most: number) {
  const { rows } = await sql<{ account_id: number }>`
    select a.account_id from accounts a join subscriptions s on s.account_id = a.account_id
    where a.type_id = 1 and a.status_id = 0 and ${isInTime(sql`a.subscription_cycle_end_at`, at)}
      and s.prices_looked_at_until is distinct from a.subscription_cycle_end_at
    order by a.account_id limit ${most}`.execute(database.system);
  return rows;
}

export async function tellOfPlanPrice({ database, publicUrl }: Notice, accountId: number): Promise<void> {
  await asAccount(database, accountId, async (trx) => {
    const plan = await getPlan(trx, accountId);
    const { subscription_cycle_end_at: endAt, monthly_fee_cents: before } = plan;
    await sql`update subscriptions set prices_looked_at_until = ${endAt} where account_id = ${accountId}`.execute(
      trx,
    );
    // The price of a planned change was agreed to when it was planned.
    if (endAt === null || before === null || plan.next_monthly_level !== null) return;
    const people = plan.monthly_level ?? 0;
    const { PricingDetails } = await getPrices(trx, accountId, 'monthly');
    const next = monthlyFeeCents(PricingDetails, people);
    if (next === undefined || next <= before) return;
    await changePlan(trx, accountId, { next_monthly_level: people, next_monthly_fee_cents: next });
    await mailOwners(
      trx,
      { accountId, publicUrl },
      {
        title: 'The price of your plan changes',
        lines: [
          `Your plan for up to ${people.toLocaleString('en-US')} people costs ${formatCents(next)} a month from ${dayOf(endAt, plan.time_zone)} on. Until then it is ${formatCents(before)}.`,
          'You can choose another group size or cancel on the billing page before that day.',
        ],
      },
    );
    await notify(trx, accountId, [{ type: 'billing.changed' }, { type: 'settings.changed' }]);
  });
}

export async function listNumbersToTell({ database }: Notice, at: Date, most: number) {
  const { rows } = await sql<{ account_id: number; text_number_id: number }>`
    select n.account_id, n.text_number_id from text_numbers n join accounts a on a.account_id = n.account_id
    where n.flat_rate_status = 'Active' and n.released_at is null and a.status_id = 0
      and ${isInTime(sql`n.flat_rate_end_at`, at)}
      and n.flat_rate_looked_at_until is distinct from n.flat_rate_end_at
    order by n.account_id, n.text_number_id limit ${most}`.execute(database.system);
  return rows;
}

export async function tellOfNumberPrice(
  { database, publicUrl }: Notice,
  { account_id: accountId, text_number_id: textNumberId }: { account_id: number; text_number_id: number },
): Promise<void> {
  await asAccount(database, accountId, async (trx) => {
    const number = await trx
      .selectFrom('text_numbers')
      .select(['flat_rate_status', 'flat_rate_end_at', 'flat_rate_fee_cents', 'name', 'phone'])
      .where('account_id', '=', accountId)
      .where('text_number_id', '=', textNumberId)
      .executeTakeFirst();
    const { flat_rate_end_at: endAt = null, flat_rate_fee_cents: before = null } = number ?? {};
    if (number?.flat_rate_status !== 'Active' || endAt === null) return;
    const next = await getNumberFee(trx, accountId, 0);
    const isHigher = before !== null && next > before;
    await setFlatRate(trx, accountId, textNumberId, {
      flat_rate_status: 'Active',
      flat_rate_looked_at_until: endAt,
      flat_rate_next_fee_cents: isHigher ? next : null,
    });
    if (!isHigher) return;
    const { time_zone: zone } = await getPlan(trx, accountId);
    await mailOwners(
      trx,
      { accountId, publicUrl },
      {
        title: 'The price of unlimited conversations changes',
        lines: [
          `Unlimited conversations of ${number.name || number.phone} cost ${formatCents(next)} a month from ${dayOf(endAt, zone)} on. Until then it is ${formatCents(before)}.`,
          'You can cancel them on the billing page before that day.',
        ],
      },
    );
  });
}

function dayOf(moment: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: zone }).format(moment);
}
