import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { isStopped, purchaseToGoOn } from '../../contract/states/account-status.ts';
import { purchaseDoor } from '../../contract/states/credit-advice.ts';
import { NewInvoiceDialog } from '../pieces/invoices/new-invoice-dialog.tsx';
import { useOutstanding } from '../pieces/invoices/outstanding.tsx';
import { PayInvoice } from '../pieces/invoices/pay-invoice.tsx';
import { BuyCredits, BuySubscription } from '../pieces/purchases/buy.tsx';
import { paceWords } from '../pieces/purchases/money-words.ts';
import { NoCardDialog } from '../pieces/purchases/no-card-dialog.tsx';
import { useAccount, useCan, useUser } from '../queries/current-user.ts';
import { useNow } from '../ui/now.ts';
import { PageHead } from '../ui/page-head.tsx';
import { say } from '../ui/say.ts';
import { AddOnCard } from './add-on-card.tsx';
import { AutoRefillCard } from './auto-refill-card.tsx';
import type { BillingDialog } from './billing-parts.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { CardCard, useCardFacts } from './card-card.tsx';
import { CardDialog } from './card-dialog.tsx';
import { ConvertDialog } from './convert-dialog.tsx';
import { GroupCodeCard } from './group-code-card.tsx';
import { InvoiceRenewalCard } from './invoice-renewal-card.tsx';
import { LatestInvoices } from './latest-invoices.tsx';
import { PhoneSummary } from './phone-summary.tsx';
import { BalanceCard, PlanCard } from './plan-card.tsx';
import { InvoiceNotice, RefillNotice, StatusNotice } from './status-notices.tsx';
import { UnlimitedCard } from './unlimited-card.tsx';
import { UsageCard, useUsage } from './usage-card.tsx';

const PAGE_WIDTH = 1208;

/** The plan, the credits, the card and the invoices of the organization. */
export function BillingPage() {
  const account = useAccount();
  const user = useUser();
  const { open } = useSearch({ from: '/_app/settings/billing' });
  const navigate = useNavigate({ from: '/settings/billing' });
  // The open dialog is in the address: other pages link to it, and Back closes it.
  const setOpen = (next: BillingDialog | undefined) =>
    void navigate({ search: next === undefined ? {} : { open: next }, replace: next === undefined });
  const close = () => setOpen(undefined);
  if (!account || !user) return null;
  const canBuy = user.Denied.buyCredits === undefined;
  // An admin is let in by the card on file; without one there is another door.
  const door = purchaseDoor(user, {
    hasCardOnFile: canBuy,
    InvoiceSelfService: account.InvoiceSelfService,
  });
  return (
    <>
      <PageHead
        title="Billing"
        crumb={say('Settings')}
        tabTitle="Billing settings"
        maxWidth={PAGE_WIDTH}
        actions={<MainAction account={account} onOpen={setOpen} />}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        <BillingBody account={account} onOpen={setOpen} />
      </Box>
      <BuyCredits isOpen={open === 'credits' && door === 'purchase' && canBuy} onClose={close} />
      <NoCardDialog isOpen={open === 'credits' && door === 'no-credit-card dialog'} onClose={close} />
      <NewInvoiceDialog
        isOpen={open === 'invoice' || (open === 'credits' && door === 'own invoice')}
        onClose={close}
      />
      <BuySubscription isOpen={open === 'plan' && user.Denied.subscribe === undefined} onClose={close} />
      <CardDialog isOpen={open === 'card' && user.Denied.manageCard === undefined} onClose={close} />
      <CancelDialog isOpen={open === 'cancel' && user.Denied.closeAccount === undefined} onClose={close} />
      {open === 'convert' && user.Denied.convertToPayAsYouGo === undefined && (
        <ConvertDialog onClose={close} />
      )}
    </>
  );
}

interface PartProps {
  account: Account;
  onOpen: (open: BillingDialog) => void;
}

const mainActions = { invoice: say('New invoice'), plan: say('Change plan'), credits: say('Buy credits') };

/** The page's one primary button, by how the organization pays. */
function MainAction({ account, onOpen }: PartProps) {
  const user = useUser();
  const canSubscribe = useCan('subscribe');
  const canInvoice = useCan('createOwnInvoice');
  const now = useNow();
  const opens = purchaseToGoOn(account);
  // In a free trial only the owner buys.
  const mayOpen =
    opens === 'invoice'
      ? canInvoice
      : opens === 'plan'
        ? canSubscribe
        : user?.IsMasterUser === true || !account.IsFreeTrial;
  if (!mayOpen || isStopped(account, now)) return null;
  return (
    <Button variant="contained" color="primary" onClick={() => onOpen(opens)}>
      {mainActions[opens]}
    </Button>
  );
}

function BillingBody({ account, onOpen }: PartProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const navigate = useNavigate();
  const canRefill = useCan('manageAutoRefill');
  const canConvert = useCan('convertToPayAsYouGo');
  const canCancel = useCan('closeAccount');
  const card = useCardFacts();
  const usage = useUsage();
  const { invoice } = useOutstanding();
  const [isPaying, setPaying] = useState(false);
  return (
    <>
      <StatusNotice account={account} onOpen={onOpen} />
      <RefillNotice />
      {isPhone ? (
        <>
          <PhoneSummary account={account} onOpen={onOpen} />
          <InvoiceNotice onPay={() => setPaying(true)} />
          <PayInvoice invoice={isPaying ? invoice : undefined} onClose={() => setPaying(false)} />
        </>
      ) : (
        <>
          <Box
            sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: { sm: '1fr 1fr', lg: 'repeat(4, 1fr)' } }}
          >
            <PlanCard
              account={account}
              onChange={() => (account.IsFreeTrial ? void navigate({ to: '/upgrade' }) : onOpen('plan'))}
            />
            <BalanceCard account={account} pace={usage && paceWords(account.CallBalance, usage.Credits)} />
            <CardCard onChange={() => onOpen('card')} />
            {canRefill && <AutoRefillCard hasCard={card.brand !== undefined} />}
          </Box>
          <UsageCard />
        </>
      )}
      <LatestInvoices />
      <UnlimitedCard />
      <InvoiceRenewalCard account={account} />
      <AddOnCard account={account} />
      <GroupCodeCard />
      {(canConvert || canCancel) && account.AccountStatusID === 0 && (
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          {canConvert && (
            <Button variant="text" onClick={() => onOpen('convert')}>
              Switch to credits
            </Button>
          )}
          {canCancel && (
            <Button variant="text" color="error" onClick={() => onOpen('cancel')}>
              Cancel account
            </Button>
          )}
        </Box>
      )}
    </>
  );
}
