import { centsOfDollars, priceCents } from './cents.ts';

/**
 * One of PricingDetails: the Cost that applies from LowerLimit to UpperLimit. The last tier may have no end.
 */
export interface PricingTier {
  LowerLimit: number;
  UpperLimit: number | null;
  /** Dollars: for one credit, or for a month of a group of that size. */
  Cost: number;
}

const byLowerLimit = (a: PricingTier, b: PricingTier) => a.LowerLimit - b.LowerLimit;

/** The tier that a number of credits or people falls into; beyond the last tier, the last tier. */
export function findTier(tiers: readonly PricingTier[], count: number): PricingTier | undefined {
  const sorted = [...tiers].sort(byLowerLimit);
  let found = sorted[0];
  for (const tier of sorted) if (tier.LowerLimit <= count) found = tier;
  return found;
}

/**
 * The tier of the total sets the price of every credit: 1,000 credits in a tier of 9 cents cost 90 dollars.
 */
export function creditPriceCents(tiers: readonly PricingTier[], credits: number): number | undefined {
  const tier = findTier(tiers, credits);
  return tier && priceCents(credits, tier.Cost);
}

/** The fee of a month for a group of that many people. Undefined when the group is larger than any tier allows. */
export function monthlyFeeCents(tiers: readonly PricingTier[], people: number): number | undefined {
  const tier = findTier(tiers, people);
  if (!tier || (tier.UpperLimit !== null && people > tier.UpperLimit)) return undefined;
  return centsOfDollars(tier.Cost);
}

/** The group size that a tier sells: MaxPeople, the tier's upper limit. */
export function maxPeopleOf(tiers: readonly PricingTier[], people: number): number | undefined {
  const tier = findTier(tiers, people);
  return tier?.UpperLimit ?? tier?.LowerLimit;
}
