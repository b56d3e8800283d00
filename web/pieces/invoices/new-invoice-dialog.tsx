import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { Account } from '../../../contract/accounts.ts';
import {
  createInvoice,
  listInvoiceAddresses,
  previewInvoice,
} from '../../../contract/addresses/invoices.gen.ts';
import { invoiceForm } from '../../../contract/forms/invoice.ts';
import type { Invoice, InvoiceAddress } from '../../../contract/invoices.ts';
import { creditLadder, ladderFor } from '../../../contract/money/credit-steps.ts';
import { maxPeopleOf } from '../../../contract/money/pricing.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { defaults } from '../../../contract/reference/limits.ts';
import { accountTypes, isMonthly } from '../../../contract/states/account-status.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { queryClient } from '../../queries/query-client.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { FormChoice, FormSwitch, FormText } from '../../ui/form-fields.tsx';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { said } from '../../ui/said.ts';
import { say } from '../../ui/say.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useContractForm } from '../../ui/use-contract-form.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { planOf } from '../purchases/buy.tsx';
import { formatDollars, groupSizeWords } from '../purchases/money-words.ts';
import { usePrices } from '../purchases/prices.ts';
import { SummaryLine, SummaryLines } from '../purchases/summary-lines.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { invoiceMonths } from './invoice-months.ts';
import { OutstandingDialog, useOutstanding } from './outstanding.tsx';
import { PayInvoice } from './pay-invoice.tsx';

/** An invoice that the organization makes for itself. If another one is open, that is asked about first. */
export function NewInvoiceDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { invoice } = useOutstanding();
  const [step, setStep] = useState<'ask' | 'new' | 'pay'>('ask');
  const close = () => {
    setStep('ask');
    onClose();
  };
  const isAsking = isOpen && step === 'ask' && invoice !== undefined;
  return (
    <>
      {isAsking && (
        <OutstandingDialog
          invoice={invoice}
          goOn="New invoice"
          onPay={() => setStep('pay')}
          onGoOn={() => setStep('new')}
          onClose={close}
        />
      )}
      <PayInvoice invoice={isOpen && step === 'pay' ? invoice : undefined} onClose={close} />
      <FormDialog
        isOpen={isOpen && !isAsking && step !== 'pay'}
        onClose={close}
        width={560}
        isFullOnPhone
        isKeptOnClickBeside
      >
        <NewInvoiceForm onClose={close} />
      </FormDialog>
    </>
  );
}

const firstCredits = 6_500;

/** As the menus and fields hold it. */
interface Values {
  IsPayG: boolean;
  NumberOfCredits: string;
  MaxPeople: string;
  SubscriptionDuration: string;
  InvoiceAddressID: string;
  PoNumber: string;
  AdditionalNotes: string;
  SendEmail: boolean;
  AutoRenewInvoices: boolean;
  AddCreditsToAccount: boolean;
}

function NewInvoiceForm({ onClose }: { onClose: () => void }) {
  const account = useAccount();
  const now = useNow();
  const navigate = useNavigate();
  const credits = usePrices('payg');
  const sizes = usePrices('monthly');
  const AccountID = account?.AccountID ?? 0;
  const known = useCallQuery(
    listInvoiceAddresses,
    { params: { AccountID } },
    { enabled: AccountID > 0 },
  ).data;
  const addresses = known?.Items ?? [];
  const [address, setAddress] = useState<InvoiceAddress | 'new'>();
  const [key] = useState(newIdempotencyKey);
  const form = useContractForm({
    rules: invoiceForm as never as Parameters<typeof useContractForm<Values, InvoiceOutput>>[0]['rules'],
    values: {
      IsPayG: account === undefined || !isMonthly(account),
      // As the menus have them: an organization can have prices of its own, with other amounts.
      NumberOfCredits: String(ladderFor(credits.tiers, firstCredits)),
      MaxPeople: String(maxPeopleOf(sizes.tiers, planOf(account)) ?? ''),
      SubscriptionDuration: String(defaults.invoice.SubscriptionDuration),
      InvoiceAddressID: String(addresses.find(({ IsDefault }) => IsDefault)?.AddressID ?? ''),
      PoNumber: '',
      AdditionalNotes: '',
      SendEmail: true,
      AutoRenewInvoices: false,
      AddCreditsToAccount: false,
    },
    failed: errorCatalog.createInvoice,
    save: async (output) => {
      const made = await callApi(
        createInvoice,
        { body: bodyOf(output) },
        { idempotencyKey: key, missing: 'refuse' },
      );
      showSnackbar(`Invoice ${made.InvoiceID} is created.`);
      void queryClient.invalidateQueries();
      onClose();
      void navigate({
        to: '/settings/billing/invoices/$invoiceId',
        params: { invoiceId: String(made.InvoiceID) },
      });
    },
  });
  const values = form.form.watch();
  const isPayG = useController({ control: form.control, name: 'IsPayG' }).field;
  return (
    <>
      <DialogForm
        title="New invoice"
        action="Create invoice"
        problem={form.problem}
        isDisabled={form.isSubmitting}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <Segmented
          label="For"
          value={values.IsPayG ? 'credits' : 'subscription'}
          parts={[
            { value: 'credits', words: 'Credits' },
            { value: 'subscription', words: 'Subscription' },
          ]}
          onChange={(kind) => isPayG.onChange(kind === 'credits')}
        />
        {values.IsPayG ? (
          <FormChoice
            control={form.control}
            name="NumberOfCredits"
            label="Credits"
            choices={creditLadder(credits.tiers).map((offer) => ({
              value: String(offer),
              label: countOf(offer, 'credit', 'credits'),
            }))}
          />
        ) : (
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 160px' } }}>
            <FormChoice
              control={form.control}
              name="MaxPeople"
              label="Group size"
              choices={sizes.tiers.map((tier) => ({
                value: String(tier.UpperLimit ?? tier.LowerLimit),
                label: `${groupSizeWords(tier)}, ${formatDollars(tier.Cost)} a month`,
              }))}
            />
            <FormChoice
              control={form.control}
              name="SubscriptionDuration"
              label="Months"
              choices={invoiceMonths(defaults.invoice.SubscriptionDuration).map(({ value, label }) => ({
                value: String(value),
                label,
              }))}
            />
          </Box>
        )}
        <Box>
          {addresses.length > 0 && (
            <FormChoice
              control={form.control}
              name="InvoiceAddressID"
              label="Bill to"
              choices={addresses.map((each) => ({
                value: String(each.AddressID),
                label: [each.Address1, each.Address3, each.City, each.State].filter(Boolean).join(', '),
              }))}
            />
          )}
          <Box sx={{ display: 'flex', gap: 1, mt: addresses.length > 0 ? 1 : 0 }}>
            {addresses.length > 0 && (
              <Button
                size="small"
                onClick={() =>
                  setAddress(addresses.find(({ AddressID }) => String(AddressID) === values.InvoiceAddressID))
                }
              >
                Edit address
              </Button>
            )}
            <Button size="small" onClick={() => setAddress('new')}>
              Add an address
            </Button>
          </Box>
          {addresses.length === 0 && form.form.formState.errors.InvoiceAddressID && (
            <Typography role="alert" variant="body2" sx={{ color: 'error.main', mt: 1 }}>
              {form.form.formState.errors.InvoiceAddressID.message}
            </Typography>
          )}
        </Box>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <FormText control={form.control} name="PoNumber" label="Purchase order (optional)" />
          <FormText control={form.control} name="AdditionalNotes" label="Notes (optional)" />
        </Box>
        <FormSwitch control={form.control} name="SendEmail" label="Email it to me" />
        {!values.IsPayG && (
          <FormSwitch
            control={form.control}
            name="AutoRenewInvoices"
            label="Renew by another invoice"
            help="You get the next invoice before this one’s months are over."
          />
        )}
        {account?.PaysInvoicesOffline && (
          <FormSwitch
            control={form.control}
            name="AddCreditsToAccount"
            label={values.IsPayG ? say('Add the credits before it is paid') : say('Start before it is paid')}
          />
        )}
        {!values.IsPayG && endsCardMonth(account, Number(values.MaxPeople), now) && (
          <Notice kind="info">
            {account?.PartialCreditsEnabled
              ? 'The larger group starts with the payment, and the rest of the month that you paid by card isn’t credited. Change the plan by card to get that credit.'
              : 'The larger group starts with the payment, and the rest of the month that you paid by card isn’t credited.'}
          </Notice>
        )}
        {known ? <Preview values={values} /> : <Skeleton variant="rounded" height={110} />}
      </DialogForm>
      <AddressDialog
        address={address}
        onClose={() => setAddress(undefined)}
        onSaved={(saved) => {
          setAddress(undefined);
          form.form.setValue('InvoiceAddressID', String(saved), { shouldValidate: true });
        }}
      />
    </>
  );
}

/** A larger group doesn't wait for the end of the month that was paid by card. */
function endsCardMonth(account: Account | undefined, people: number, now: number): boolean {
  if (account?.AccountTypeID !== accountTypes.monthly || account.AccountStatusID !== 0) return false;
  const end = account.SubscriptionCycleEndDate;
  return end !== null && Date.parse(end) > now && people > (account.MonthlyLevel ?? 0);
}

interface InvoiceOutput {
  IsPayG: boolean;
  NumberOfCredits?: number | undefined;
  MaxPeople?: number | undefined;
  SubscriptionDuration: number;
  InvoiceAddressID?: number | undefined;
  PoNumber: string;
  AdditionalNotes: string;
  SendEmail: boolean;
  AutoRenewInvoices: boolean;
  AddCreditsToAccount: boolean;
}

function bodyOf(output: InvoiceOutput) {
  const { IsPayG, NumberOfCredits, MaxPeople, InvoiceAddressID, AutoRenewInvoices, ...rest } = output;
  return {
    ...rest,
    IsPayG,
    InvoiceAddressID: InvoiceAddressID ?? 0,
    Terms: defaults.invoice.Terms,
    ...(IsPayG
      ? { NumberOfCredits: NumberOfCredits ?? null }
      : { MaxPeople: MaxPeople ?? null, AutoRenewInvoices }),
  };
}

/** The invoice's lines and total before it is made. */
function Preview({ values }: { values: Values }) {
  const chosen = {
    IsPayG: values.IsPayG,
    NumberOfCredits: Number(values.NumberOfCredits),
    MaxPeople: Number(values.MaxPeople),
    SubscriptionDuration: Number(values.SubscriptionDuration),
    InvoiceAddressID: Number(values.InvoiceAddressID || 0),
    PoNumber: '',
    AdditionalNotes: '',
    SendEmail: false,
    AutoRenewInvoices: false,
    AddCreditsToAccount: false,
  };
  const body = useDebounced(JSON.stringify({ ...bodyOf(chosen), IsPreview: true }));
  const preview = useQuery<Invoice>({
    queryKey: [previewInvoice.path, body],
    queryFn: ({ signal }) =>
      callApi(previewInvoice, { body: JSON.parse(body) }, { signal, missing: 'refuse' }),
    enabled: JSON.parse(body).InvoiceAddressID > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (chosen.InvoiceAddressID === 0) return <Notice kind="info">{errorCatalog.invoiceAddress}</Notice>;
  if (preview.isError) return <Notice kind="error">{previewProblem(preview.error)}</Notice>;
  if (!preview.data) return <Skeleton variant="rounded" height={110} />;
  const { Amount, SalesTax, TaxLabel, GrandTotal, Description, Terms } = preview.data;
  return (
    <Box
      sx={{ bgcolor: 'surface.sunken', borderRadius: '10px', px: 2, py: 1.75, display: 'grid', gap: 1.5 }}
      aria-live="polite"
    >
      <SummaryLines>
        <SummaryLine label={Description} value={formatDollars(Amount)} />
        <SummaryLine
          label={TaxLabel === '' ? 'Sales tax' : `Sales tax, ${TaxLabel}`}
          value={formatDollars(SalesTax)}
        />
      </SummaryLines>
      <SummaryLines rule="solid">
        <SummaryLine label={`Total, ${said(Terms)}`} value={formatDollars(GrandTotal)} isTotal />
      </SummaryLines>
    </Box>
  );
}

function previewProblem(error: Error): string {
  const field = fieldMessages(error).InvoiceAddressID;
  if (field) return field;
  return error instanceof ApiError
    ? shownMessage(error, errorCatalog.invoicePreview)
    : errorCatalog.invoicePreview;
}
