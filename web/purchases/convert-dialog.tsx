import { useQuery } from '@tanstack/react-query';
import { updateAccount } from '../../contract/addresses/accounts.gen.ts';
import { hasScheduledEnhancedMessages } from '../../contract/addresses/broadcasts.gen.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { callApi, shownMessage } from '../api.ts';
import { chargePreviewQuery } from '../pieces/purchases/charge-preview.ts';
import { PurchaseDialog } from '../pieces/purchases/purchase-dialog.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

const owed = { ChargeType: 'MonthlyAddOnCharges' } as const;
const consequences =
  'Your subscription ends at once, and what is left of this month is not refunded. From then on, you buy credits.';

/** From a monthly plan to credits. What is owed for pictures is paid first. */
export function ConvertDialog({ onClose }: { onClose: () => void }) {
  // Refused where nothing is owed.
  const { isSuccess: isOwing, isPending } = useQuery(chargePreviewQuery(owed));
  const hasPictures =
    useCallQuery(hasScheduledEnhancedMessages, {}).data?.HasScheduledEnhancedMessages ?? false;
  const convert = useCall(updateAccount);
  if (isPending) return null;
  const words = `${consequences}${hasPictures ? ' Scheduled texts with pictures will cost credits.' : ''}`;
  if (isOwing)
    return (
      <PurchaseDialog
        request={{
          mode: 'convert to pay-as-you-go',
          purchase: owed,
          intro: words,
          finish: () => callApi(updateAccount, { body: { AccountTypeID: 0 } }, { missing: 'refuse' }),
        }}
        onClose={onClose}
      />
    );
  return (
    <AskDialog
      title="Switch to credits?"
      action="Switch to credits"
      keep="Keep the subscription"
      isBusy={convert.isPending}
      onDo={() =>
        convert.mutate(
          { body: { AccountTypeID: 0 } },
          {
            onSuccess: () => {
              showSnackbar('You pay by credits now.');
              void queryClient.invalidateQueries();
            },
            onError: (error) => showSnackbar(shownMessage(error, errorCatalog.updateAccount)),
            onSettled: onClose,
          },
        )
      }
      onClose={onClose}
    >
      {words}
    </AskDialog>
  );
}
