import type { Account } from '../../../contract/accounts.ts';
import type { ChargePreview } from '../../../contract/purchases.ts';
import { maySend } from '../../../contract/states/account-status.ts';
import { type PurchaseKind, purchaseKind } from '../../../contract/states/purchase-kind.ts';
import type { PurchaseRequest } from './purchase-form.tsx';

/** The kind of a purchase, by what the account had before it. */
export function purchaseKindOf(
  { mode, isReactivation = false }: Pick<PurchaseRequest, 'mode' | 'isReactivation'>,
  preview: Pick<ChargePreview, 'MaxPeople' | 'PartialCredit'>,
  account: Account,
): PurchaseKind | undefined {
  return purchaseKind({
    mode,
    account: {
      MonthlyLevel: account.MonthlyLevel,
      IsFreeTrial: account.IsFreeTrial,
      isActive: maySend(account, Date.now()),
    },
    groupSize: preview.MaxPeople ?? 0,
    partialCreditCents: Math.round(preview.PartialCredit * 100),
    isReactivation,
  });
}
