import { isInternational } from '../reference/countries.ts';

/**
 * The first message for a person who wants to text. Only account owners get buttons to set up texting;
 * sub-users are told to ask the owner. Free-trial accounts get a free text number via a flow. International
 * accounts contact support by e-mail. Users with only unusable text numbers are told to get a broadcast-ready
 * one.
 */
export type TextNumberAdvice =
  | 'ready'
  | 'get a text number for free'
  | 'set up texting'
  | 'contact support'
  | 'ask the owner'
  | 'get a broadcast-ready text number';

export interface UsableNumber {
  CanText: boolean;
  CanCreateBroadcast: boolean;
  IsBlocked: boolean;
}

export function textNumberAdvice(
  user: { IsMasterUser: boolean },
  account: { IsFreeTrial: boolean; CountryID: number },
  numbers: readonly UsableNumber[],
): TextNumberAdvice {
  if (numbers.some((number) => number.CanText && number.CanCreateBroadcast && !number.IsBlocked))
    return 'ready';
  if (!user.IsMasterUser) return 'ask the owner';
  if (isInternational(account.CountryID)) return 'contact support';
  if (numbers.length > 0) return 'get a broadcast-ready text number';
  return account.IsFreeTrial ? 'get a text number for free' : 'set up texting';
}
