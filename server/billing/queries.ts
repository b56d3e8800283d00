import type { Kysely } from 'kysely';
import type { PricingTier } from '../../contract/money/pricing.ts';
import type { Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';

export type PricingKind = 'pay-as-you-go' | 'monthly' | 'unlimited' | 'enhanced';

export interface PriceList {
  PricingID: number;
  PricingDetails: PricingTier[];
}

const ownColumn = {
  'pay-as-you-go': 'payg_pricing_plan_id',
  monthly: 'monthly_pricing_plan_id',
  unlimited: 'flat_rate_conversation_pricing_id',
} as const;

/** The prices of an account: its own where it has some, otherwise the installation's. */
export async function getPrices(
  trx: Trx,
  accountId: number,
  kind: PricingKind,
): Promise<PriceList & { isOwn: boolean }> {
  const column = kind === 'enhanced' ? undefined : ownColumn[kind];
  const own =
    column &&
    (await trx
      .selectFrom('accounts')
      .select(`${column} as id`)
      .where('account_id', '=', accountId)
      .executeTakeFirst());
  const ownList = own?.id ? await findPrices(trx, { pricingId: own.id }) : undefined;
  const list = ownList ?? (await findPrices(trx, { kind }));
  if (!list) throw new Error(`there are no prices for ${kind}`);
  return { ...list, isOwn: ownList !== undefined };
}

/** An invoice names the account's own price list that it follows; the installation's is not named. */
export function customPricingOf({ PricingID, isOwn }: { PricingID: number; isOwn: boolean }): string | null {
  return isOwn ? String(PricingID) : null;
}

export async function findPrices(
  trx: Kysely<DB>,
  of: { pricingId: number } | { kind: PricingKind },
): Promise<PriceList | undefined> {
  const query = trx
    .selectFrom('pricings')
    .innerJoin('pricing_tiers', 'pricing_tiers.pricing_id', 'pricings.pricing_id')
    .select([
      'pricings.pricing_id as PricingID',
      'lower_limit as LowerLimit',
      'upper_limit as UpperLimit',
      'cost as Cost',
    ])
    .orderBy('lower_limit');
  const rows = await ('kind' in of
    ? query.where('kind', '=', of.kind).where('is_default', '=', true)
    : query.where('pricings.pricing_id', '=', of.pricingId)
  ).execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    PricingID: first.PricingID,
    PricingDetails: rows.map(({ LowerLimit, UpperLimit, Cost }) => ({
      LowerLimit,
      UpperLimit,
      Cost: Number(Cost),
    })),
  };
}
