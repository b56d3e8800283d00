import { timing } from '../reference/limits.ts';

/**
 * Account status IDs 0-8. The specification gives the numbers and how they are treated; the names are ours
 * where it shows none.
 */
export const accountStatuses = {
  0: 'Active',
  1: 'Suspended',
  2: 'Canceled',
  3: 'Payment failed',
  4: 'Subscription ended',
  5: 'Closed',
  6: 'Suspended',
  7: 'Canceled by us',
  8: 'Cancels at the end of the subscription',
} as const;

export interface AccountState {
  AccountStatusID: number;
  SubscriptionEndDate: string | null;
}

export type AccountCondition = 'active' | 'ending' | 'suspended' | 'reactivatable' | 'closed';

/**
 * 0 is active; 1 and 6 are treated as one condition; 2, 3, 4 and the lapsed-subscription case of 8 allow
 * reactivation; 8 depends on SubscriptionEndDate (expired versus still running); 7 is also used in
 * reactivation logic (ours: it allows it too, and only the owner is asked). 5 is closed for good (ours).
 */
export function accountCondition(
  { AccountStatusID, SubscriptionEndDate }: AccountState,
  nowMs: number,
): AccountCondition {
  switch (AccountStatusID) {
    case 0:
      return 'active';
    case 1:
    case 6:
      return 'suspended';
    case 2:
    case 3:
    case 4:
    case 7:
      return 'reactivatable';
    case 8:
      return hasEnded(SubscriptionEndDate, nowMs) ? 'reactivatable' : 'ending';
    default:
      return 'closed';
  }
}

/** An account with a running subscription works until the subscription ends. */
export function maySend(account: AccountState, nowMs: number): boolean {
  const condition = accountCondition(account, nowMs);
  return condition === 'active' || condition === 'ending';
}

/** Ours, as the specification gives no messages: why an account can't send. */
const cannotSendMessages: Record<Exclude<AccountCondition, 'active' | 'ending'>, string> = {
  suspended: 'This account is suspended, so it can’t send texts.',
  reactivatable: 'Reactivate this account to send texts.',
  closed: 'This account is closed, so it can’t send texts.',
};

/** Reason why an account can't send; undefined when it can. */
export function cannotSendMessage(account: AccountState, nowMs: number): string | undefined {
  const condition = accountCondition(account, nowMs);
  return condition === 'active' || condition === 'ending' ? undefined : cannotSendMessages[condition];
}

/** Only the operator lets it go on (`npx muster status`), so there is nothing to buy for it. */
export function isStopped(account: AccountState, nowMs: number): boolean {
  const condition = accountCondition(account, nowMs);
  return condition === 'suspended' || condition === 'closed';
}

export function mayReactivate(account: AccountState, nowMs: number): boolean {
  return accountCondition(account, nowMs) === 'reactivatable';
}

function hasEnded(date: string | null, nowMs: number): boolean {
  return date === null || Date.parse(date) <= nowMs;
}

/** Subscription end within 31 days counts as ending soon. */
export function isEndingSoon(SubscriptionEndDate: string | null, nowMs: number): boolean {
  if (SubscriptionEndDate === null) return false;
  const leftMs = Date.parse(SubscriptionEndDate) - nowMs;
  return leftMs > 0 && leftMs <= timing.subscriptionEndsSoonDays * 24 * 3_600_000;
}

/**
 * Ours: months paid by invoice that end soon, and nothing comes by itself any more. Cards are charged for the next
 * month. An invoice that renews is still to come while there is an InvoiceRenewal; then it waits for its payment.
 */
export function endsWithoutRenewal(
  account: AccountState & {
    AccountTypeID: number;
    InvoiceRenewal?: { AutoRenewal: boolean } | null | undefined;
  },
  nowMs: number,
): boolean {
  return (
    account.AccountTypeID === accountTypes.invoicedMonthly &&
    account.InvoiceRenewal?.AutoRenewal !== true &&
    accountCondition(account, nowMs) === 'active' &&
    isEndingSoon(account.SubscriptionEndDate, nowMs)
  );
}

/** AccountTypeID: 0 credits, 1 monthly, 2 invoiced credits, 3 invoiced monthly. */
export const accountTypes = { credits: 0, monthly: 1, invoicedCredits: 2, invoicedMonthly: 3 } as const;

export type AccountTypeLabel =
  | 'Free Account'
  | 'Credits'
  | 'Monthly'
  | 'Invoiced Credits'
  | 'Invoiced Monthly';
const typeLabels: readonly AccountTypeLabel[] = [
  'Credits',
  'Monthly',
  'Invoiced Credits',
  'Invoiced Monthly',
];

export interface AccountKind {
  AccountTypeID: number;
  IsFreeTrial: boolean;
}

export function accountTypeLabel({ AccountTypeID, IsFreeTrial }: AccountKind): AccountTypeLabel {
  if (IsFreeTrial) return 'Free Account';
  return typeLabels[AccountTypeID] ?? 'Credits';
}

export function isMonthly({ AccountTypeID }: Pick<AccountKind, 'AccountTypeID'>): boolean {
  return AccountTypeID === accountTypes.monthly || AccountTypeID === accountTypes.invoicedMonthly;
}

export function isInvoiced({ AccountTypeID }: Pick<AccountKind, 'AccountTypeID'>): boolean {
  return AccountTypeID === accountTypes.invoicedCredits || AccountTypeID === accountTypes.invoicedMonthly;
}

/** Ours: the purchase by which an account that has stopped, or is about to, can continue. */
export function purchaseToGoOn(account: Pick<AccountKind, 'AccountTypeID'>): 'credits' | 'plan' | 'invoice' {
  if (isInvoiced(account)) return 'invoice';
  return isMonthly(account) ? 'plan' : 'credits';
}
