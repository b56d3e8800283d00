import { isMonthly } from './account-status.ts';
import { isRegisteredForTexting, type NumberToShow } from './registration-status.ts';

/** The unlimited conversations add-on of one text number. */
export type FlatRateStatus = 'Active' | 'CancelPending' | 'BillingProblem';
export type UnlimitedOffer = 'Cancel' | 'Reactivate' | 'Enable' | 'Register Now';

export const includedInPlan = 'Your monthly plan includes conversations.';

const invoicedCredits = 2;

export interface FlatRateNumber extends NumberToShow {
  FlatRateConversationStatus: FlatRateStatus | null;
}

/**
 * Active offers Cancel; CancelPending offers Reactivate (nothing is offered when AccountTypeID is 2);
 * otherwise Enable. Ours: Register Now for a number that must be registered before it can text, and nothing on a monthly
 * plan, which includes conversations.
 */
export function unlimitedConversationsOffer(
  number: FlatRateNumber,
  account: { AccountTypeID: number; CountryID: number },
): UnlimitedOffer | undefined {
  if (number.FlatRateConversationStatus === 'Active') return 'Cancel';
  if (isMonthly(account)) return undefined;
  if (number.FlatRateConversationStatus === 'CancelPending') {
    return account.AccountTypeID === invoicedCredits ? undefined : 'Reactivate';
  }
  return isRegisteredForTexting(number, account.CountryID) ? 'Enable' : 'Register Now';
}

/** BillingProblem with an end date in the past blocks texting (TextNumberBlocked). */
export function isBlockedByBilling(
  {
    FlatRateConversationStatus,
    FlatRateSubscriptionEndDate,
  }: {
    FlatRateConversationStatus: FlatRateStatus | null;
    FlatRateSubscriptionEndDate: string | null;
  },
  nowMs: number,
): boolean {
  if (FlatRateConversationStatus !== 'BillingProblem' || FlatRateSubscriptionEndDate === null) return false;
  return Date.parse(FlatRateSubscriptionEndDate) < nowMs;
}
