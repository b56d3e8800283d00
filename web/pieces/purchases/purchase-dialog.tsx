import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { CircleCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { getCreditCard } from '../../../contract/addresses/purchases.gen.ts';
import type { ChargePreview, ChargeReply } from '../../../contract/purchases.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount, useCan, useTimeZone } from '../../queries/current-user.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatDate } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterButton } from '../../ui/router-button.tsx';
import { formatDollars } from './money-words.ts';
import { NoCardDialog } from './no-card-dialog.tsx';
import { PurchaseForm, type PurchaseRequest } from './purchase-form.tsx';
import { purchaseKindOf } from './purchase-kind-of.ts';
import { type Success, successWords } from './purchase-words.ts';
import { WithProcessor } from './with-processor.tsx';

interface PurchaseDialogProps {
  /** Undefined while it is closed. */
  request: PurchaseRequest | undefined;
  onClose: () => void;
  /** After the success dialog. */
  onPaid?: (() => void) | undefined;
}

type Paid = Success & { invoiceId: number | null; total: number };

/** A purchase, and then what was bought. */
export function PurchaseDialog({ request, onClose, onPaid }: PurchaseDialogProps) {
  const [paid, setPaid] = useState<Paid>();
  const account = useAccount();
  const now = useNow();
  const zone = useTimeZone();
  const finish = () => {
    setPaid(undefined);
    onClose();
    onPaid?.();
  };
  // Only an owner brings a card: nobody else is asked for one and refused afterwards.
  const mayBringCard = useCan('manageCard');
  const card = useCallQuery(getCreditCard, {}, { enabled: request !== undefined && !mayBringCard });
  const lacksCard = !mayBringCard && card.isSuccess && card.data.NumberMasked === undefined;
  const isAsked = request !== undefined && paid === undefined;
  const succeed = (charge: ChargeReply, preview: ChargePreview) => {
    if (!request || !account) return;
    const end = preview.SubscriptionEndDate;
    const kind = purchaseKindOf(request, preview, account);
    const isSame = preview.MaxPeople === account.MonthlyLevel;
    const endDate = end === null ? '' : formatDate(end, now, zone);
    setPaid({
      ...successWords({ mode: request.mode, kind, isSame }, preview, endDate),
      invoiceId: charge.InvoiceID,
      total: charge.TotalAmount,
    });
  };
  return (
    <>
      <FormDialog
        isOpen={isAsked && !lacksCard && (mayBringCard || !card.isPending)}
        onClose={onClose}
        width={576}
        hasSide
        isFullOnPhone
        isKeptOnClickBeside
      >
        {request && (
          <WithProcessor onClose={onClose}>
            <PurchaseForm
              request={request}
              heading={(title) => <DialogTitle sx={{ p: 0 }}>{title}</DialogTitle>}
              onClose={onClose}
              onPaid={succeed}
            />
          </WithProcessor>
        )}
      </FormDialog>
      <NoCardDialog isOpen={isAsked && lacksCard} onClose={onClose} />
      {paid && <SuccessDialog paid={paid} onClose={finish} />}
    </>
  );
}

function SuccessDialog({ paid, onClose }: { paid: Paid; onClose: () => void }) {
  const wordsId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
        <Box component={CircleCheck} size={22} aria-hidden sx={{ color: 'success.main', flex: 'none' }} />
        {paid.title}
      </DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        {paid.sentence}
        {paid.total > 0 && ` ${formatDollars(paid.total)} was charged. The receipt is on the billing page.`}
      </DialogContent>
      <DialogActions>
        {paid.invoiceId !== null && (
          <RouterButton
            variant="text"
            to="/settings/billing/invoices/$invoiceId"
            params={{ invoiceId: String(paid.invoiceId) }}
          >
            Open invoice
          </RouterButton>
        )}
        <Button variant="contained" color="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
