import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { listInvoices } from '../../../contract/addresses/invoices.gen.ts';
import type { Invoice } from '../../../contract/invoices.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { formatDollars } from '../purchases/money-words.ts';

/** The newest invoice that waits to be paid, and how many do. */
export function useOutstanding(): { invoice: Invoice | undefined; count: number } {
  const canPay = useCan('payInvoices');
  const { data } = useCallQuery(
    listInvoices,
    { query: { pagesize: 1, category: 'outstanding' } },
    { enabled: canPay },
  );
  return { invoice: data?.Items[0], count: data?.Size ?? 0 };
}

interface OutstandingDialogProps {
  invoice: Invoice;
  /** The label of the button that goes on without paying. */
  goOn: string;
  onPay: () => void;
  onGoOn: () => void;
  onClose: () => void;
}

/** Asked before there is one more: another invoice is not paid yet. */
export function OutstandingDialog({ invoice, goOn, onPay, onGoOn, onClose }: OutstandingDialogProps) {
  const wordsId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 480 } } }}
    >
      <DialogTitle>Pay outstanding invoice</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        Invoice {invoice.InvoiceID} ({invoice.Description}) has {formatDollars(invoice.BalanceDue)} due. Pay
        it first, or go on.
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Close
        </Button>
        <Button onClick={onGoOn}>{goOn}</Button>
        <Button variant="contained" color="primary" autoFocus onClick={onPay}>
          Pay Invoice
        </Button>
      </DialogActions>
    </Dialog>
  );
}
