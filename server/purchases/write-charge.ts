import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { TaxQuote } from '../outside/sales-tax.ts';
import type { Charge } from './queries.ts';
import { firstCheckMs, type Purchase, repeatMs } from './rules.ts';

/** The data of a charge before it is written. */
export interface NewCharge {
  accountId: number;
  chargeType: Charge['charge_type'];
  lane: string;
  purchase: Purchase;
  description: string;
  netCents: number;
  partialCreditCents: number;
  tax: TaxQuote;
  paymentMethodId: string;
  cardLabel: string;
  isAttended: boolean;
  userId: number | null;
  request?: { key: string; hash: string } | undefined;
}

/**
 * The row that announces a charge. It commits before the request to the processor. Undefined when another
 * charge of the same lane has no result yet.
 */
export async function writeCharge(trx: Trx, charge: NewCharge): Promise<Charge | undefined> {
  const at = now();
  const { rows } = await sql<Charge>`
    insert into charges (account_id, charge_type, lane, request_key, request_hash, payment_method_id, card_label,
      description, purchase, amount_cents, partial_credit_cents, tax_cents, tax_label, tax_quote_id, total_cents,
      is_attended, user_id, invoice_id, check_at, created_at)
    values (${charge.accountId}, ${charge.chargeType}, ${charge.lane}, ${charge.request?.key ?? null},
      ${charge.request?.hash ?? null}, ${charge.paymentMethodId}, ${charge.cardLabel}, ${charge.description},
      ${JSON.stringify(charge.purchase)}::jsonb, ${charge.netCents}, ${charge.partialCreditCents},
      ${charge.tax.taxCents}, ${charge.tax.label}, ${charge.tax.quoteId}, ${charge.netCents + charge.tax.taxCents},
      ${charge.isAttended}, ${charge.userId},
      ${charge.purchase.what.kind === 'invoice' ? charge.purchase.what.invoiceId : null}::bigint,
      ${new Date(at.getTime() + firstCheckMs)}, ${at})
    on conflict do nothing
    returning *`.execute(trx);
  return rows[0];
}

export const underWay =
  'Another purchase is still being processed. Look at your billing page in a minute before you try again.';

/** A user's change of the plan, or payment for its pictures: a renewal would charge for the same. */
const planCharges: Charge['charge_type'][] = ['SubscriptionUpgrade', 'MonthlyAddOnCharges'];

/** While the month is being renewed, nobody can change it: both would pay for it. */
export async function refuseWhileRenewing(
  trx: Trx,
  { accountId, chargeType }: Pick<NewCharge, 'accountId' | 'chargeType'>,
): Promise<void> {
  if (planCharges.includes(chargeType) && (await isUnderWay(trx, accountId, ['SubscriptionRenewal'])))
    throw new Refusal('conflict', underWay);
}

/** True while a user is changing the plan or paying for its pictures: a renewal waits for the outcome. */
export function isPlanChanging(trx: Trx, accountId: number): Promise<boolean> {
  return isUnderWay(trx, accountId, planCharges);
}

async function isUnderWay(
  trx: Trx,
  accountId: number,
  chargeTypes: Charge['charge_type'][],
): Promise<boolean> {
  const charge = await trx
    .selectFrom('charges')
    .select('charge_id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['open', 'action'])
    .where('charge_type', 'in', chargeTypes)
    .executeTakeFirst();
  return charge !== undefined;
}

/** The same item bought a moment ago by another request, in another tab: most likely unintended. */
export async function refuseRepeat(
  trx: Trx,
  charge: Pick<NewCharge, 'accountId' | 'chargeType' | 'description' | 'netCents'>,
): Promise<void> {
  const since = new Date(now().getTime() - repeatMs);
  const same = await trx
    .selectFrom('charges')
    .select('charge_id')
    .where('account_id', '=', charge.accountId)
    .where('state', '=', 'paid')
    .where('is_attended', '=', true)
    .where('charge_type', '=', charge.chargeType)
    .where('description', '=', charge.description)
    .where('amount_cents', '=', charge.netCents)
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  if (same !== undefined)
    throw new Refusal(
      'conflict',
      'You paid for exactly this a moment ago. If you want to pay for it again, wait a minute.',
    );
}
