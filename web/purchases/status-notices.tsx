import Button from '@mui/material/Button';
import { ReceiptText } from 'lucide-react';
import type { Account } from '../../contract/accounts.ts';
import {
  dismissAutoRefillError,
  getAutoRefill,
  getAutoRefillStatus,
} from '../../contract/addresses/purchases.gen.ts';
import {
  accountCondition,
  endsWithoutRenewal,
  isEndingSoon,
  mayReactivate,
  purchaseToGoOn,
} from '../../contract/states/account-status.ts';
import { useOutstanding } from '../pieces/invoices/outstanding.tsx';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { formatDate } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/now.ts';
import { said } from '../ui/said.ts';
import type { BillingDialog } from './billing-parts.ts';

interface NoticeProps {
  account: Account;
  onOpen: (open: BillingDialog) => void;
}

/** Current and upcoming problems of the account, and what to do about them. */
export function StatusNotice({ account, onOpen }: NoticeProps) {
  const now = useNow();
  const zone = useTimeZone();
  const canReactivate = useCan('reactivateAccount');
  const canInvoice = useCan('createOwnInvoice');
  const condition = accountCondition(account, now);
  const end = account.SubscriptionEndDate;
  if (mayReactivate(account, now))
    return (
      <Notice
        kind="warning"
        title="Reactivate your account"
        actions={
          canReactivate ? (
            <Button onClick={() => onOpen(purchaseToGoOn(account))}>Reactivate</Button>
          ) : undefined
        }
      >
        {canReactivate
          ? 'Your account isn’t active. Nothing goes out until you reactivate it.'
          : 'Your account isn’t active. Ask an account owner to reactivate it.'}
      </Notice>
    );
  if (condition === 'suspended' || condition === 'closed')
    return (
      <Notice
        kind="warning"
        title={condition === 'closed' ? 'This account is closed' : 'This account is suspended'}
      >
        Nothing goes out. Please contact us.
      </Notice>
    );
  if (end !== null && condition === 'ending')
    return (
      <Notice
        kind={isEndingSoon(end, now) ? 'warning' : 'info'}
        title={isEndingSoon(end, now) ? 'Your subscription ends soon' : 'Your subscription is canceled'}
        actions={
          canReactivate ? <Button onClick={() => onOpen(purchaseToGoOn(account))}>Keep it</Button> : undefined
        }
      >
        It ends on {formatDate(end, now, zone)}.
      </Notice>
    );
  if (end !== null && endsWithoutRenewal(account, now))
    return (
      <Notice
        kind="warning"
        title="Your subscription ends soon"
        actions={canInvoice ? <Button onClick={() => onOpen('invoice')}>New invoice</Button> : undefined}
      >
        It ends on {formatDate(end, now, zone)}, and nothing goes out after that.
      </Notice>
    );
  return null;
}

/** The error of the last refill. None begins again before somebody has seen it. */
export function RefillNotice() {
  const canManage = useCan('manageAutoRefill');
  const problem = useCallQuery(getAutoRefill, {}, { enabled: canManage }).data?.Error;
  const dismiss = useCall(dismissAutoRefillError, {
    onSuccess: () => {
      for (const { path } of [getAutoRefill, getAutoRefillStatus])
        void queryClient.invalidateQueries({ queryKey: [path] });
    },
  });
  if (!problem) return null;
  return (
    <Notice
      kind="error"
      title="Auto refill failed"
      actions={
        <Button
          disabled={dismiss.isPending}
          onClick={() =>
            dismiss.mutate({ params: { AutoRefillRequestID: problem.AutoRefillRequestId }, body: {} })
          }
        >
          Dismiss
        </Button>
      }
    >
      {problem.Message}
    </Notice>
  );
}

/** On telephones, where the table has no room for it: the invoice that waits to be paid. */
export function InvoiceNotice({ onPay }: { onPay: (invoiceId: number) => void }) {
  const { invoice } = useOutstanding();
  if (!invoice) return null;
  const paid = invoice.GrandTotal - invoice.BalanceDue;
  return (
    <Notice
      kind="warning"
      icon={ReceiptText}
      title={`Invoice ${invoice.InvoiceID} has ${formatDollars(invoice.BalanceDue)} due`}
      actions={<Button onClick={() => onPay(invoice.InvoiceID)}>Pay</Button>}
    >
      {said(invoice.Terms)}.{paid > 0 && ` ${formatDollars(paid)} is paid.`}
    </Notice>
  );
}
