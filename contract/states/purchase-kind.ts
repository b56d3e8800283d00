import type { PurchaseMode } from '../forms/purchase.ts';

export type PurchaseKind =
  | 'credited group-size increase'
  | 'new subscription'
  | 'group-size decrease'
  | 'unlimited one-to-one'
  | 'unlimited one-to-one reactivate'
  | 'auto-refill credits'
  | 'credits';

export interface PurchaseQuestion {
  mode: PurchaseMode | 'auto refill';
  account: { MonthlyLevel: number | null; IsFreeTrial: boolean; isActive: boolean };
  /** The group size that is chosen (MaxPeople). */
  groupSize?: number;
  /** PartialCredit of the charge preview, in cents. */
  partialCreditCents?: number;
  isReactivation?: boolean;
}

/**
 * Credited group-size increase when a partial credit applies; new subscription when group size exceeds the
 * current level, or on a free trial, or on reactivation; group-size decrease when the new tier is at or below
 * the current level and the account is active; unlimited one-to-one for a text-number add-on. Also unlimited
 * one-to-one reactivate and auto-refill credits. Undefined where the payment buys nothing new (an invoice, a
 * month's add-on charges, a conversion).
 */
export function purchaseKind(question: PurchaseQuestion): PurchaseKind | undefined {
  switch (question.mode) {
    case 'auto refill':
      return 'auto-refill credits';
    case 'credits':
      return 'credits';
    case 'flat-rate text number':
      return question.isReactivation ? 'unlimited one-to-one reactivate' : 'unlimited one-to-one';
    case 'monthly subscription':
      return subscriptionKind(question);
    default:
      return undefined;
  }
}

function subscriptionKind({
  account,
  groupSize = 0,
  partialCreditCents = 0,
  isReactivation,
}: PurchaseQuestion): PurchaseKind {
  if (partialCreditCents > 0) return 'credited group-size increase';
  const level = account.MonthlyLevel ?? 0;
  if (groupSize > level || account.IsFreeTrial || isReactivation) return 'new subscription';
  return account.isActive ? 'group-size decrease' : 'new subscription';
}

export interface TitleQuestion {
  mode: PurchaseMode;
  IsFreeTrial: boolean;
  isReactivation: boolean;
  /** The amount charged now, in cents. */
  totalCents: number;
}

/** The title of the dialog: the first that fits. */
export function purchaseDialogTitle({
  mode,
  IsFreeTrial,
  isReactivation,
  totalCents,
}: TitleQuestion): string {
  if (mode === 'flat-rate text number') return 'Enable Unlimited Conversations';
  if (mode === 'pay invoice') return 'Pay Invoice';
  if (mode === 'convert to pay-as-you-go') return 'Pay & Switch to Credits';
  if (mode === 'monthly add-on charges') return 'Monthly Enhanced Text Add-On Charges';
  if (isReactivation) return 'Reactivate Your Account';
  if (IsFreeTrial) return 'Upgrade Your Account';
  if (mode === 'credits') return 'Buy Credits';
  return totalCents > 0 ? 'Confirm Your Changes and Pay' : 'Confirm Your Changes';
}

/** Review buttons: Start Subscription, Review Changes. */
export function reviewButton(kind: PurchaseKind): string {
  return kind === 'new subscription' ? 'Start Subscription' : 'Review Changes';
}

export const otherPurchaseTitles = {
  unlimitedConversations: 'Unlimited Conversations',
  addOnCharges: 'Monthly Enhanced Text Add-On Charges',
  summary: 'Purchase Summary',
} as const;

/** A target path gets /v2 appended when the current path ends with /v2. */
export function upgradePath(currentPath: string, targetPath: string): string {
  return currentPath.endsWith('/v2') && !targetPath.endsWith('/v2') ? `${targetPath}/v2` : targetPath;
}
