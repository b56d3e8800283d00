import { isInvoiced, isMonthly } from './account-status.ts';

/**
 * The offers of the not-enough-credits and exceed-group-size dialogs. A pay-as-you-go owner can buy credits.
 * Non-owners are told to contact an account owner. Monthly owners can update the subscription or contact for
 * a new invoice when group size is exceeded. Non-owners ask an owner.
 */
export type CreditAdvice =
  | 'buy credits'
  | 'update subscription'
  | 'contact us for a new invoice'
  | 'contact an account owner';

export function creditAdvice(
  { IsMasterUser }: { IsMasterUser: boolean },
  account: { AccountTypeID: number },
): CreditAdvice {
  if (!IsMasterUser) return 'contact an account owner';
  if (isInvoiced(account)) return 'contact us for a new invoice';
  return isMonthly(account) ? 'update subscription' : 'buy credits';
}

/** The dialog that a purchase opens: Admins without a card see a no-credit-card dialog. */
export type PurchaseDoor = 'purchase' | 'no-credit-card dialog' | 'own invoice' | 'ask the owner';

export function purchaseDoor(
  user: { IsMasterUser: boolean; IsAccountAdmin: boolean },
  account: { hasCardOnFile: boolean; InvoiceSelfService: boolean },
): PurchaseDoor {
  if (user.IsMasterUser) return 'purchase';
  if (!user.IsAccountAdmin) return 'ask the owner';
  if (account.hasCardOnFile) return 'purchase';
  return account.InvoiceSelfService ? 'own invoice' : 'no-credit-card dialog';
}
