import type { PurchaseMode } from '../../../contract/forms/purchase.ts';
import type { ChargePreview } from '../../../contract/purchases.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { type SalesTaxError, salesTaxMessage } from '../../../contract/reference/error-codes.ts';
import type { PurchaseKind } from '../../../contract/states/purchase-kind.ts';
import { formatCount } from '../../ui/format.ts';
import { formatDollars } from './money-words.ts';

/** Said when the server doesn't explain why a purchase failed. */
export const purchaseFailures: Record<PurchaseMode, string> = {
  credits: errorCatalog.purchase,
  'monthly subscription': errorCatalog.upgrade,
  'flat-rate text number': errorCatalog.purchase,
  'monthly add-on charges': errorCatalog.purchase,
  'pay invoice': errorCatalog.payInvoice,
  'convert to pay-as-you-go': errorCatalog.updateAccount,
};

/** The sentence about sales tax that can't be worked out. Undefined: the fields of the address say enough. */
export function taxWords(
  error: SalesTaxError,
  { isOfCardOnFile, canManageCard }: { isOfCardOnFile: boolean; canManageCard: boolean },
): string | undefined {
  const words = salesTaxMessage(error, { hasMaskedCard: isOfCardOnFile });
  if (words !== undefined || canManageCard) return words;
  return 'The billing address of the card on file is incomplete, so the sales tax can’t be calculated. Ask an account owner to complete it.';
}

/** The label of the consent box, which is also kept as proof of consent. */
export function consentWords(mode: PurchaseMode, preview: ChargePreview | undefined): string {
  const fee = preview?.MonthlyFee == null ? '' : ` ${formatDollars(preview.MonthlyFee)} plus sales tax`;
  return mode === 'flat-rate text number'
    ? `I agree that my card is charged${fee} every month for this number until I cancel.`
    : `I agree that my card is charged${fee} every month until I cancel.`;
}

export interface Success {
  title: string;
  sentence: string;
}

/** The text of the success dialog: by kind of purchase, or by mode if nothing new was bought. */
export function successWords(
  { mode, kind, isSame }: { mode: PurchaseMode; kind: PurchaseKind | undefined; isSame: boolean },
  preview: ChargePreview,
  endDate: string,
): Success {
  const people = formatCount(preview.MaxPeople ?? 0);
  switch (kind) {
    case 'credits':
    case 'auto-refill credits':
      return { title: 'Thank you', sentence: `${preview.Description} are in your account now.` };
    case 'new subscription':
      return {
        title: 'Your subscription has started',
        sentence: `You can reach up to ${people} people. It renews on ${endDate}.`,
      };
    case 'credited group-size increase':
      return {
        title: 'Your group is larger now',
        sentence: `You can reach up to ${people} people. It renews on ${endDate}.`,
      };
    case 'group-size decrease':
      // Of the same size, it undoes a planned change or a cancellation.
      if (isSame)
        return {
          title: 'Your subscription goes on',
          sentence: `You can reach up to ${people} people. It renews on ${endDate}.`,
        };
      return {
        title: 'Your changes are saved',
        sentence: `From ${endDate} on, you can reach up to ${people} people.`,
      };
    case 'unlimited one-to-one':
    case 'unlimited one-to-one reactivate':
      return {
        title: 'Unlimited conversations are on',
        sentence: `Conversations of this number cost no credits. Broadcasts still do. The next payment is on ${endDate}.`,
      };
    default:
      break;
  }
  switch (mode) {
    case 'pay invoice':
      return { title: 'Thank you', sentence: `${formatDollars(preview.TotalAmount)} is paid.` };
    case 'convert to pay-as-you-go':
      return { title: 'You pay by credits now', sentence: 'Buy credits to start sending again.' };
    default:
      return { title: 'Thank you', sentence: `${preview.Description}: paid.` };
  }
}
