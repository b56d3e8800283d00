import { isTollFree } from '../phone/toll-free.ts';

/** Toll-free limits change date. */
const tollFreeLimitsChange = '2023-04-01';

/** The most credits that a toll-free number may spend on texts a day, a week, a month. */
export interface CreditCaps {
  DailyCredits: number;
  WeeklyCredits: number;
  MonthlyCredits: number;
}

const caps = (DailyCredits: number, WeeklyCredits: number, MonthlyCredits: number): CreditCaps => ({
  DailyCredits,
  WeeklyCredits,
  MonthlyCredits,
});

const defaultCaps = caps(2000, 12_000, 25_000);
export const registeredCaps = caps(2000, 6000, 10_000);
const unregisteredCaps = caps(500, 1000, 2000);
export const unlimitedCaps = caps(
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
);

/**
 * Toll-free limits change date 2023-04-01: until then the default caps, from then on by registration. Ours:
 * "unlimited in one case" means a local number, to which the carriers' own messages-per-day limit applies
 * instead.
 */
export function tollFreeCaps(
  number: { TextPhoneNumber: string; RegistrationStatus: string },
  epochMs: number,
): CreditCaps {
  if (!isTollFree(number.TextPhoneNumber)) return unlimitedCaps;
  if (epochMs < Date.parse(tollFreeLimitsChange)) return defaultCaps;
  return number.RegistrationStatus === 'Registered' ? registeredCaps : unregisteredCaps;
}

export interface CreditsUsed {
  DailyCredits: number;
  WeeklyCredits: number;
  MonthlyCredits: number;
}

export type CapPeriod = 'daily' | 'weekly' | 'monthly';

/** The first cap that spending `credits` more would break; undefined when none. */
export function findBrokenCap(limit: CreditCaps, used: CreditsUsed, credits: number): CapPeriod | undefined {
  if (used.DailyCredits + credits > limit.DailyCredits) return 'daily';
  if (used.WeeklyCredits + credits > limit.WeeklyCredits) return 'weekly';
  if (used.MonthlyCredits + credits > limit.MonthlyCredits) return 'monthly';
  return undefined;
}
