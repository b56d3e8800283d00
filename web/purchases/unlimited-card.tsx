import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import { updateFlatRate } from '../../contract/addresses/purchases.gen.ts';
import { findTier } from '../../contract/money/pricing.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import { isMonthly, maySend } from '../../contract/states/account-status.ts';
import { otherPurchaseTitles } from '../../contract/states/purchase-kind.ts';
import {
  includedInPlan,
  isBlockedByBilling,
  unlimitedConversationsOffer,
} from '../../contract/states/unlimited-conversations.ts';
import { shownMessage } from '../api.ts';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { usePrices } from '../pieces/purchases/prices.ts';
import { PurchaseDialog } from '../pieces/purchases/purchase-dialog.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan, useTimeZone } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Card } from '../ui/card.tsx';
import { formatDate } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { feeOfOthers } from './fee-of-others.ts';

/** Unlimited conversations of each number: a monthly fee in place of credits. */
export function UnlimitedCard() {
  const canManage = useCan('manageUnlimitedConversations');
  const account = useAccount();
  const numbers = useCallQuery(
    listTextNumbers,
    { query: { page: 1, pagesize: pageSizes.unlimitedTextNumbers, sortby: 'name' } },
    { enabled: canManage },
  ).data;
  const { tiers } = usePrices('unlimited', canManage);
  const [buying, setBuying] = useState<number>();
  const [canceling, setCanceling] = useState<TextNumber>();
  const update = useCall(updateFlatRate, {
    onSuccess: () => void queryClient.invalidateQueries(),
    onError: (error) => showSnackbar(shownMessage(error, errorCatalog.updateAccount)),
    onSettled: () => setCanceling(undefined),
  });
  if (!canManage || !numbers || numbers.Items.length === 0 || !account) return null;
  const enabled = numbers.Items.filter(
    ({ FlatRateConversationStatus }) => FlatRateConversationStatus !== null,
  );
  // A monthly plan includes conversations. What was paid for before runs to its end.
  const isIncluded = isMonthly(account);
  if (isIncluded && enabled.length === 0) return null;
  const fee = findTier(tiers, enabled.length + 1)?.Cost;
  const laterFee = canceling && feeOfOthers(tiers, enabled, canceling);
  const change = (number: TextNumber, status: 'Active' | 'CancelPending') =>
    update.mutate({
      params: { TextNumberID: number.TextNumberID },
      body: { FlatRateConversationStatus: status },
    });
  return (
    <Card title={otherPurchaseTitles.unlimitedConversations}>
      <Typography
        sx={{
          px: 2.5,
          py: 1.5,
          color: 'text.secondary',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {isIncluded ? (
          includedInPlan
        ) : (
          <>
            For a monthly fee, a number’s conversations cost no credits. Broadcasts still do.
            {fee !== undefined && ` The next number costs ${formatDollars(fee)} a month.`}
          </>
        )}
      </Typography>
      <Box
        component="ul"
        aria-label={otherPurchaseTitles.unlimitedConversations}
        sx={{ listStyle: 'none', m: 0, p: 0 }}
      >
        {(isIncluded ? enabled : numbers.Items).map((number) => (
          <NumberRow
            key={number.TextNumberID}
            number={number}
            account={account}
            isBusy={update.isPending}
            onEnable={() => setBuying(number.TextNumberID)}
            onCancel={() => setCanceling(number)}
            onReactivate={() => change(number, 'Active')}
          />
        ))}
      </Box>
      <PurchaseDialog
        request={
          buying === undefined
            ? undefined
            : {
                mode: 'flat-rate text number',
                purchase: { ChargeType: 'AddFlatRate', TextNumberID: buying },
                intro: 'Conversations of this number cost no credits. Broadcasts still do.',
              }
        }
        onClose={() => setBuying(undefined)}
      />
      {canceling && (
        <AskDialog
          title="Cancel unlimited conversations?"
          action={
            canceling.FlatRateConversationStatus === 'BillingProblem'
              ? 'Cancel now'
              : 'Cancel at the end of the month'
          }
          keep="Keep them"
          isBusy={update.isPending}
          onDo={() => change(canceling, 'CancelPending')}
          onClose={() => setCanceling(undefined)}
        >
          {canceling.FlatRateConversationStatus === 'BillingProblem' ? (
            <>
              {canceling.Name || formatPhone(canceling.TextPhoneNumber)} has no unlimited conversations from
              now on. It can text, and its conversations cost credits.
            </>
          ) : (
            <>
              {canceling.Name || formatPhone(canceling.TextPhoneNumber)} keeps them until the month that you
              have paid for ends. After that, its conversations cost credits.
            </>
          )}
          {laterFee !== undefined &&
            ` From then on, each of your other numbers costs ${formatDollars(laterFee)} a month.`}
        </AskDialog>
      )}
    </Card>
  );
}

interface NumberRowProps {
  number: TextNumber;
  account: Account;
  isBusy: boolean;
  onEnable: () => void;
  onCancel: () => void;
  onReactivate: () => void;
}

function NumberRow({ number, account, isBusy, onEnable, onCancel, onReactivate }: NumberRowProps) {
  const now = useNow();
  const zone = useTimeZone();
  const offered = unlimitedConversationsOffer(number, account);
  // Nothing goes out from an account that isn’t active: there is nothing to pay for.
  const offer = offered === 'Cancel' || maySend(account, now) ? offered : undefined;
  const end = number.FlatRateSubscriptionEndDate;
  const name = number.Name || formatPhone(number.TextPhoneNumber);
  const isBlocked = isBlockedByBilling(number, now);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 2.5,
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 550 }}>
          {name}
          {number.Name && (
            <Box
              component="span"
              sx={{ fontWeight: 400, color: 'text.secondary', ml: 1, whiteSpace: 'nowrap' }}
            >
              {formatPhone(number.TextPhoneNumber)}
            </Box>
          )}
        </Box>
        <Typography
          variant="body2"
          sx={{
            color: number.FlatRateConversationStatus === 'BillingProblem' ? 'error.main' : 'text.secondary',
          }}
        >
          {stateWords(number.FlatRateConversationStatus, {
            end: end === null ? '' : formatDate(end, now, zone),
            isBlocked,
          })}
        </Typography>
      </Box>
      {offer === 'Enable' && (
        <Button aria-label={`Enable for ${name}`} onClick={onEnable}>
          Enable
        </Button>
      )}
      {(offer === 'Cancel' || number.FlatRateConversationStatus === 'BillingProblem') && (
        <Button variant="text" aria-label={`Cancel for ${name}`} disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      )}
      {offer === 'Reactivate' && (
        <Button aria-label={`Reactivate for ${name}`} disabled={isBusy} onClick={onReactivate}>
          Reactivate
        </Button>
      )}
      {offer === 'Register Now' && (
        <RouterButton to="/text-setup" aria-label={`Register Now: ${name}`}>
          Register Now
        </RouterButton>
      )}
    </Box>
  );
}

function stateWords(status: string | null, { end, isBlocked }: { end: string; isBlocked: boolean }): string {
  switch (status) {
    case 'Active':
      return `On. Renews on ${end}.`;
    case 'CancelPending':
      return `Ends on ${end}.`;
    case 'BillingProblem':
      return isBlocked
        ? 'The payment failed, and this number can’t text. Enable it again with a card that works.'
        : `The payment failed. Enable it again with a card that works, or this number can’t text after ${end}.`;
    default:
      return 'Off. Conversations cost credits.';
  }
}
