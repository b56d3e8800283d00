import { listInvoiceAddresses } from '../../../contract/addresses/invoices.gen.ts';
import { getCreditCard } from '../../../contract/addresses/purchases.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount, useCan } from '../../queries/current-user.ts';
import { type BillingValues, billingOf } from './billing-fields.tsx';

/**
 * The card on file, and what the fields of a card start with: its holder and address or, without a card, the address that
 * invoices go to.
 */
export function useBillingOnFile() {
  const account = useAccount();
  const canAdd = useCan('manageCard');
  const card = useCallQuery(getCreditCard, {});
  const hasCard = card.data?.NumberMasked !== undefined;
  const addresses = useCallQuery(
    listInvoiceAddresses,
    { params: { AccountID: account?.AccountID ?? 0 } },
    { enabled: account !== undefined && canAdd && card.isSuccess && !hasCard },
  ).data;
  const invoiced = addresses?.Items.find(({ IsDefault }) => IsDefault);
  const values: BillingValues =
    hasCard || invoiced === undefined
      ? billingOf(card.data ?? {})
      : billingOf({
          BillingAddress1: invoiced.Address3,
          BillingCity: invoiced.City,
          BillingState: invoiced.State,
          BillingZipCode: invoiced.PostalCode,
        });
  return { card, hasCard, values };
}
