import { limits } from '../reference/limits.ts';
import type { PricingTier } from './pricing.ts';

const stepFactor = 1.67;
const hundred = 100;

/**
 * The distance between the amounts of credits on offer: about 1.67 times the lowest tier, rounded to hundreds
 * (a lowest tier of 300 gives 500). The lowest tier counts by its lower limit, or by its upper limit if it
 * begins at nothing.
 */
export function creditStep(tiers: readonly PricingTier[]): number {
  const lowest = [...tiers].sort((a, b) => a.LowerLimit - b.LowerLimit)[0];
  if (!lowest) return hundred;
  const size = lowest.LowerLimit > 1 ? lowest.LowerLimit : (lowest.UpperLimit ?? lowest.LowerLimit);
  return Math.max(hundred, Math.round((size * stepFactor) / hundred) * hundred);
}

/** The amounts on offer: `count` steps. */
export function creditOffers(tiers: readonly PricingTier[], count = 10): number[] {
  const step = creditStep(tiers);
  return Array.from({ length: count }, (_, index) => (index + 1) * step);
}

/** The smallest offer that covers what is missing, for "Buy Credits" in the not-enough-credits dialog. */
export function offerFor(tiers: readonly PricingTier[], missing: number): number {
  const step = creditStep(tiers);
  return Math.max(1, Math.ceil(missing / step)) * step;
}

/** Invoice self-service payment threshold 100 credits; amounts under 100 flagged. */
export function isCreditAmountFlagged(credits: number): boolean {
  return credits < limits.invoiceSelfServiceCredits;
}

/**
 * The amounts of the calculators: from the lowest tier upward, each about 1.67 times the one before, rounded to
 * hundreds (500, 800, 1,400, 2,300 … 50,500).
 */
export function creditLadder(tiers: readonly PricingTier[], count = 10): number[] {
  const lowest = Math.min(...tiers.map(({ LowerLimit }) => LowerLimit));
  const first = Number.isFinite(lowest) ? Math.max(hundred, lowest) : hundred;
  return Array.from({ length: count }, (_, index) =>
    Math.max(hundred, Math.round((first * stepFactor ** index) / hundred) * hundred),
  );
}

/** The smallest amount of the ladder that covers what is missing; beyond its end, what is missing in hundreds. */
export function ladderFor(tiers: readonly PricingTier[], missing: number): number {
  return creditLadder(tiers).find((offer) => offer >= missing) ?? Math.ceil(missing / hundred) * hundred;
}
