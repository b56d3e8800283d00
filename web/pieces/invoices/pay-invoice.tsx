import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { parseCents, paymentAmount } from '../../../contract/forms/invoice.ts';
import type { Invoice } from '../../../contract/invoices.ts';
import type { ChargePreview } from '../../../contract/purchases.ts';
import { TextField } from '../../ui/field.tsx';
import { locale } from '../../ui/locale.ts';
import { say } from '../../ui/say.ts';
import { formatDollars } from '../purchases/money-words.ts';
import { PurchaseDialog } from '../purchases/purchase-dialog.tsx';
import { SummaryLine, SummaryLines } from '../purchases/summary-lines.tsx';

/** Pays an invoice by card, all of it or a part. */
export function PayInvoice({ invoice, onClose }: { invoice: Invoice | undefined; onClose: () => void }) {
  const [typed, setTyped] = useState<string>();
  const dueCents = Math.round((invoice?.BalanceDue ?? 0) * 100);
  const text = typed ?? (dueCents / 100).toFixed(2);
  const problem = firstFailure(text, paymentAmount(dueCents));
  const amountCents = problem === undefined ? (parseCents(text) ?? 0) : dueCents;
  const close = () => {
    setTyped(undefined);
    onClose();
  };
  return (
    <PurchaseDialog
      request={
        invoice && {
          mode: 'pay invoice',
          purchase: {
            ChargeType: 'InvoicePayment',
            InvoiceID: invoice.InvoiceID,
            Amount: amountCents / 100,
          },
          intro: `Invoice ${invoice.InvoiceID}, ${invoice.Description}${invoice.PoNumber ? `, purchase order ${invoice.PoNumber}` : ''}.`,
          chooser: <AmountField text={text} problem={problem} dueCents={dueCents} onChange={setTyped} />,
          isInvalid: problem !== undefined,
          sideTitle: 'Payment summary',
          lines: (preview) => <PaymentLines invoice={invoice} preview={preview} />,
        }
      }
      onClose={close}
    />
  );
}

interface AmountFieldProps {
  text: string;
  problem: string | undefined;
  dueCents: number;
  onChange: (text: string) => void;
}

function AmountField({ text, problem, dueCents, onChange }: AmountFieldProps) {
  const whole = (dueCents / 100).toFixed(2);
  const half = (Math.ceil(dueCents / 2) / 100).toFixed(2);
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', flexWrap: 'wrap' }}>
      <Box sx={{ flex: 1, minWidth: 200 }}>
        <TextField
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={problem}
          help="From $0.01 up to the balance due. You can pay the rest later."
          startAdornment={
            <Box component="span" aria-hidden sx={{ mr: 1, color: 'text.secondary' }}>
              $
            </Box>
          }
          sx={{
            height: 48,
            '& input': { fontSize: 20, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
          }}
          onChange={(event) => onChange(event.target.value)}
        />
      </Box>
      {[['All of it', whole] as const, [say('Half'), half] as const].map(([label, amount]) => (
        <Button
          key={label}
          aria-pressed={text === amount}
          color={text === amount ? 'primary' : 'inherit'}
          sx={{
            mt: '32px',
            ...(text === amount ? { bgcolor: 'tint.accent', borderColor: 'primary.main' } : {}),
          }}
          onClick={() => onChange(amount)}
        >
          {label}
        </Button>
      ))}
    </Box>
  );
}

/** The invoice's total, earlier payments, this payment, and the balance that is left. */
function PaymentLines({ invoice, preview }: { invoice: Invoice; preview: ChargePreview }) {
  const paid = invoice.GrandTotal - invoice.BalanceDue;
  const left = Math.max(0, Math.round((invoice.BalanceDue - preview.TotalAmount) * 100) / 100);
  return (
    <>
      <SummaryLines>
        <SummaryLine label="Invoice total" value={formatDollars(invoice.GrandTotal)} />
        {paid > 0 && <SummaryLine label="Paid before" value={`−${formatDollars(paid)}`} />}
      </SummaryLines>
      <SummaryLines rule="solid">
        <SummaryLine label="Balance due" value={formatDollars(invoice.BalanceDue)} />
        <SummaryLine label="This payment" value={formatDollars(preview.TotalAmount)} isTotal />
      </SummaryLines>
      <SummaryLines rule="dashed">
        <SummaryLine label="Left to pay" value={formatDollars(left)} />
      </SummaryLines>
      <Typography variant="body2" sx={{ color: 'text.secondary', display: 'flex', gap: 1.25 }}>
        <Coins size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        {invoice.AddCreditsToAccount
          ? 'Your account has it already.'
          : invoice.NumberOfCredits === null
            ? 'The subscription starts as soon as it is paid in full.'
            : `${invoice.NumberOfCredits.toLocaleString(locale)} credits are added as soon as it is paid in full.`}
      </Typography>
    </>
  );
}
