import type { Account } from '../../contract/accounts.ts';
import { updateAccount } from '../../contract/addresses/accounts.gen.ts';
import { invoiceRenewalForm } from '../../contract/forms/invoice.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { accountTypes } from '../../contract/states/account-status.ts';
import { invoiceMonths } from '../pieces/invoices/invoice-months.ts';
import { useCall } from '../queries/calls.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { FormCard } from '../ui/form-card.tsx';
import { FormChoice, FormSwitch } from '../ui/form-fields.tsx';
import { formatDate } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { useContractForm } from '../ui/use-contract-form.ts';

type Renewal = NonNullable<Account['InvoiceRenewal']>;

/** Shows whether the next months come as an invoice, when, and how many. Not shown once that invoice is sent. */
export function InvoiceRenewalCard({ account }: { account: Account }) {
  const canManage = useCan('payInvoices');
  const { AccountTypeID, InvoiceRenewal } = account;
  if (!canManage || AccountTypeID !== accountTypes.invoicedMonthly || InvoiceRenewal === null) return null;
  return <OpenCard renewal={InvoiceRenewal} />;
}

function OpenCard({ renewal }: { renewal: Renewal }) {
  const now = useNow();
  const zone = useTimeZone();
  const update = useCall(updateAccount, { onSuccess: () => void queryClient.invalidateQueries() });
  const { AutoRenewal, InvoiceDuration, RenewalDate } = renewal;
  const form = useContractForm({
    rules: invoiceRenewalForm,
    values: { AutoRenewal, InvoiceDuration, ForOpenInvoices: false },
    failed: errorCatalog.updateAccount,
    save: ({ ForOpenInvoices, ...InvoiceRenewal }) =>
      update.mutateAsync({ query: { updateinvoices: ForOpenInvoices }, body: { InvoiceRenewal } }),
  });
  const isLater = RenewalDate !== null && Date.parse(RenewalDate) > now;
  return (
    <FormCard title="Renewal by invoice" form={form}>
      <FormSwitch
        control={form.control}
        name="AutoRenewal"
        label="Renew by another invoice"
        help={
          isLater
            ? `If it is on, you get the next invoice on ${formatDate(RenewalDate, now, zone)}.`
            : 'If it is on, you get the next invoice right away.'
        }
      />
      <FormChoice
        control={form.control}
        name="InvoiceDuration"
        label="Months of the next invoice"
        choices={invoiceMonths(InvoiceDuration)}
      />
      <FormSwitch
        control={form.control}
        name="ForOpenInvoices"
        label="Also for open invoices"
        help="An invoice that isn’t paid yet keeps its own choice otherwise."
      />
    </FormCard>
  );
}
