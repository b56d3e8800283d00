import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { updateAccount } from '../../contract/addresses/accounts.gen.ts';
import { hasScheduledEnhancedMessages } from '../../contract/addresses/broadcasts.gen.ts';
import { getPricing } from '../../contract/addresses/purchases.gen.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { otherPurchaseTitles } from '../../contract/states/purchase-kind.ts';
import { shownMessage } from '../api.ts';
import { chargePreviewQuery } from '../pieces/purchases/charge-preview.ts';
import { formatDollars, formatUnitCost } from '../pieces/purchases/money-words.ts';
import { PurchaseDialog } from '../pieces/purchases/purchase-dialog.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Card } from '../ui/card.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

const owed = { ChargeType: 'MonthlyAddOnCharges' } as const;

/** Pictures in the broadcasts of a monthly account: on or off, and what is owed for them. */
export function AddOnCard({ account }: { account: Account }) {
  const canManage = useCan('updateSubscription');
  return canManage && isMonthly(account) ? <OpenAddOnCard account={account} /> : null;
}

function OpenAddOnCard({ account }: { account: Account }) {
  const { data: price } = useCallQuery(getPricing, { params: { PricingId: 'enhanced' } });
  // Refused where nothing is owed.
  const { data: charges } = useQuery(chargePreviewQuery(owed));
  const [asking, setAsking] = useState<'enable' | 'cancel' | 'pay'>();
  const close = () => setAsking(undefined);
  const update = useCall(updateAccount, {
    onSuccess: () => void queryClient.invalidateQueries(),
    onError: (error) => showSnackbar(shownMessage(error, errorCatalog.updateAccount)),
    onSettled: close,
  });
  const isOn = account.IsMonthlyMMSEnabled;
  const cost = price?.PricingDetails[0] && formatUnitCost(price.PricingDetails[0].Cost);
  const due = charges?.MonthlyEnhancedAddOnChargesToPay ?? 0;
  return (
    <Card
      title="Enhanced texts"
      action={
        <>
          {due > 0 && (
            <Button size="small" onClick={() => setAsking('pay')}>
              Pay now
            </Button>
          )}
          <Button size="small" onClick={() => setAsking(isOn ? 'cancel' : 'enable')}>
            {isOn ? 'Cancel add-on' : 'Enable add-on'}
          </Button>
        </>
      }
    >
      <Box sx={{ px: 2.5, py: 2 }}>
        <Typography sx={{ color: 'text.secondary' }}>
          {isOn
            ? `On. A picture to one person costs ${cost ?? '…'}, charged with your next month.`
            : `Off. Pictures in broadcasts are not part of your monthly fee.`}
          {due > 0 && ` ${formatDollars(due)} is due.`}
        </Typography>
      </Box>
      {asking === 'enable' && (
        <AskDialog
          title={otherPurchaseTitles.addOnCharges}
          action="Enable add-on"
          keep="Not now"
          isHarmless
          isBusy={update.isPending}
          onDo={() => update.mutate({ body: { IsMonthlyMMSEnabled: true } })}
          onClose={close}
        >
          Texts with pictures are charged beyond your monthly fee: {cost ?? '…'} for each person who gets one.
          The charges are added to your next month, or you pay them earlier on this page.
        </AskDialog>
      )}
      {asking === 'cancel' && (
        <CancelAddOn
          isBusy={update.isPending}
          onDo={() => update.mutate({ body: { IsMonthlyMMSEnabled: false } })}
          onClose={close}
        />
      )}
      <PurchaseDialog
        request={
          asking === 'pay'
            ? {
                mode: 'monthly add-on charges',
                purchase: owed,
                intro: 'What texts with pictures have cost beyond your monthly fee.',
              }
            : undefined
        }
        onClose={close}
      />
    </Card>
  );
}

/** Scheduled texts with pictures must go out, or lose their pictures, before the add-on ends. */
function CancelAddOn({ isBusy, onDo, onClose }: { isBusy: boolean; onDo: () => void; onClose: () => void }) {
  const { data } = useCallQuery(hasScheduledEnhancedMessages, {}, { staleTime: 0 });
  if (!data) return null;
  if (data.HasScheduledEnhancedMessages)
    return (
      <AskDialog
        title="You have scheduled texts with pictures"
        action="Close"
        keep="Keep the add-on"
        isHarmless
        isBusy={false}
        onDo={onClose}
        onClose={onClose}
      >
        Send, change or cancel them before you cancel the add-on. They are under{' '}
        <RouterLink to="/broadcasts">Broadcasts</RouterLink>.
      </AskDialog>
    );
  return (
    <AskDialog
      title="Cancel the add-on?"
      action="Cancel add-on"
      keep="Keep the add-on"
      isBusy={isBusy}
      onDo={onDo}
      onClose={onClose}
    >
      Broadcasts can’t have pictures any more. Your next month includes the charges so far.
    </AskDialog>
  );
}
