import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '../../../contract/accounts.ts';
import { getUsageSummary } from '../../../contract/addresses/purchases.gen.ts';
import { ladderFor } from '../../../contract/money/credit-steps.ts';
import type { ChargePreview } from '../../../contract/purchases.ts';
import { mayReactivate } from '../../../contract/states/account-status.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatCount, formatDate } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { PlanLines } from './charge-summary.tsx';
import { CreditChooser } from './credit-chooser.tsx';
import { GroupChooser } from './group-chooser.tsx';
import { paceWords } from './money-words.ts';
import { type Prices, usePrices } from './prices.ts';
import { PurchaseDialog } from './purchase-dialog.tsx';
import type { PurchaseRequest } from './purchase-form.tsx';
import { SummaryLine, SummaryLines } from './summary-lines.tsx';

interface BuyProps {
  isOpen: boolean;
  onClose: () => void;
  onPaid?: (() => void) | undefined;
}

/** The usual first amounts, chosen when nothing says how many are needed. */
const usualCredits = 2_000;
const usualPeople = 250;

/** Buy Credits: how many, with which card; then the success dialog. */
export function BuyCredits({ isOpen, missing = usualCredits, ...rest }: BuyProps & { missing?: number }) {
  const prices = usePrices('payg', isOpen);
  const [chosen, setChosen] = useState<number>();
  const credits = chosen ?? ladderFor(prices.tiers, missing);
  const request = useCreditsRequest(credits);
  return (
    <BuyDialog
      {...rest}
      isOpen={isOpen}
      prices={prices}
      request={{
        ...request,
        chooser: <CreditChooser tiers={prices.tiers} credits={credits} onChange={setChosen} />,
      }}
    />
  );
}

/** A purchase of credits, for the dialog and for the page. */
export function useCreditsRequest(credits: number): PurchaseRequest {
  const account = useAccount();
  const isReactivation = account !== undefined && mayReactivate(account, Date.now());
  return {
    mode: 'credits',
    isReactivation,
    purchase: { ChargeType: 'CreditPurchase', NumberOfCredits: credits },
    intro: 'One credit sends one text segment or 30 seconds of a call.',
    after: () => account && <BalanceLines account={account} credits={credits} />,
  };
}

/** The balance before and after the purchase, and how long the credits last. */
function BalanceLines({ account, credits }: { account: Account; credits: number }) {
  const used = useCallQuery(getUsageSummary, { query: { days: 30 } }).data?.Credits ?? 0;
  const after = account.CallBalance + credits;
  const pace = paceWords(after, used);
  return (
    <>
      <SummaryLines rule="dashed">
        <SummaryLine label="Balance now" value={formatCount(account.CallBalance)} />
        <SummaryLine label="After this purchase" value={formatCount(after)} />
      </SummaryLines>
      <Typography variant="body2" sx={{ color: 'text.secondary', display: 'flex', gap: 1.25 }}>
        <CalendarClock size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        {pace === undefined ? 'Credits don’t expire.' : `${pace} of the last 30 days. Credits don’t expire.`}
      </Typography>
    </>
  );
}

/** A monthly plan: started, made larger or smaller, or brought back. */
export function BuySubscription({ isOpen, ...rest }: BuyProps) {
  const prices = usePrices('monthly', isOpen);
  const account = useAccount();
  const [chosen, setChosen] = useState<number>();
  const people = chosen ?? planOf(account);
  const request = useSubscriptionRequest(people);
  return (
    <BuyDialog
      {...rest}
      isOpen={isOpen}
      prices={prices}
      request={{
        ...request,
        chooser: <GroupChooser tiers={prices.tiers} people={people} onChange={setChosen} />,
      }}
    />
  );
}

/** The group size that the account has, or will have. */
export function planOf(account: Account | undefined): number {
  return account?.NextMonthlyLevel ?? account?.MonthlyLevel ?? usualPeople;
}

export function useSubscriptionRequest(people: number): PurchaseRequest {
  const account = useAccount();
  const now = useNow();
  const zone = useTimeZone();
  return {
    mode: 'monthly subscription',
    isReactivation: account !== undefined && mayReactivate(account, now),
    purchase: { ChargeType: 'SubscriptionUpgrade', MaxPeople: people },
    intro: 'Send as many texts as you like to a group of this size.',
    after: (preview: ChargePreview) => (
      <PlanLines
        preview={preview}
        endDate={
          preview.SubscriptionEndDate === null ? '' : formatDate(preview.SubscriptionEndDate, now, zone)
        }
      />
    ),
  };
}

/** The purchase, once its prices are known. */
function BuyDialog({
  isOpen,
  prices,
  request,
  onClose,
  onPaid,
}: BuyProps & { prices: Prices; request: PurchaseRequest }) {
  return (
    <>
      <FormDialog isOpen={isOpen && prices.problem !== undefined} onClose={onClose} width={440}>
        <DialogTitle>Prices</DialogTitle>
        <DialogContent>
          <RetryNotice onRetry={prices.retry}>{prices.problem ?? ''}</RetryNotice>
        </DialogContent>
      </FormDialog>
      <PurchaseDialog
        request={isOpen && prices.tiers.length > 0 ? request : undefined}
        onClose={onClose}
        onPaid={onPaid}
      />
    </>
  );
}
