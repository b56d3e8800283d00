import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CreditCard, Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WholeInvoice } from '../../contract/invoices.ts';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { formatDate } from '../ui/format.ts';
import { Meter } from '../ui/meter.tsx';
import { useNow } from '../ui/now.ts';
import { said } from '../ui/said.ts';

/** Beside the sheet: what is due, what was paid, and what else is known. */
export function InvoiceSide({ invoice }: { invoice: WholeInvoice }) {
  const now = useNow();
  const zone = useTimeZone();
  const isVoided = invoice.InvoiceStatusCategory === 'Voided';
  const paid = isVoided ? 0 : invoice.GrandTotal - invoice.BalanceDue;
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Card>
        <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1, fontVariantNumeric: 'tabular-nums' }}>
          <Box
            sx={{
              display: 'flex',
              justifyContent: 'space-between',
              typography: 'body2',
              color: 'text.secondary',
            }}
          >
            <span>Balance due</span>
            <span>{isVoided ? 'Voided' : said(invoice.Terms)}</span>
          </Box>
          <Typography variant="h4" component="p">
            {formatDollars(invoice.BalanceDue)}
          </Typography>
          <Meter
            pieces={[{ key: 'paid', count: Math.round(paid * 100), color: 'chart.one' }]}
            total={Math.round(invoice.GrandTotal * 100)}
            sentence={`${formatDollars(paid)} of ${formatDollars(invoice.GrandTotal)} is paid.`}
          />
          <Box
            sx={{
              display: 'flex',
              justifyContent: 'space-between',
              typography: 'body2',
              color: 'text.secondary',
            }}
          >
            <span>{formatDollars(paid)} paid</span>
            <span>of {formatDollars(invoice.GrandTotal)}</span>
          </Box>
        </Box>
      </Card>
      <Card title="Payments">
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {invoice.Payments.length === 0 && (
            <Box component="li" sx={{ px: 2.5, py: 2, color: 'text.secondary' }}>
              {invoice.InvoiceStatusCategory === 'Paid' ? 'Paid by card right away.' : 'Nothing is paid yet.'}
            </Box>
          )}
          {invoice.Payments.map((payment) => {
            const Icon = payment.Method.includes('ending in') ? CreditCard : Landmark;
            return (
              <Box
                component="li"
                key={payment.PaymentID}
                sx={{ px: 2.5, py: 1.5, display: 'flex', gap: 1.75, alignItems: 'center' }}
              >
                <Box component={Icon} size={18} aria-hidden sx={{ color: 'text.secondary', flex: 'none' }} />
                <Box sx={{ flex: 1 }}>
                  <Box sx={{ fontWeight: 550 }}>{said(payment.Method)}</Box>
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {formatDate(payment.Date, now, zone)}
                    {payment.By && `, by ${payment.By}`}
                  </Typography>
                </Box>
                <Box sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
                  {formatDollars(payment.Amount)}
                </Box>
              </Box>
            );
          })}
        </Box>
      </Card>
      <Card title="Details">
        <Box component="dl" sx={{ m: 0, px: 2.5, py: 0.5 }}>
          <Detail label="For">
            {invoice.Description}
            {invoice.InvoiceStatusCategory !== 'Paid' && !isVoided && !invoice.AddCreditsToAccount
              ? ', added when it is paid in full'
              : ''}
          </Detail>
          {invoice.PoNumber && <Detail label="Purchase order">{invoice.PoNumber}</Detail>}
          {invoice.AdditionalNotes && <Detail label="Notes">{invoice.AdditionalNotes}</Detail>}
          <Detail label="Bill to">
            {invoice.BillTo[0]}
            <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
              {invoice.BillTo.slice(1).join(', ')}
            </Box>
          </Detail>
          {invoice.EmailedTo && (
            <Detail label="Emailed to">
              {invoice.EmailedTo}
              {invoice.EmailedDate && (
                <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
                  {formatDate(invoice.EmailedDate, now, zone)}
                </Box>
              )}
            </Detail>
          )}
          {invoice.AutoRenewInvoices && <Detail label="Renewal">Another invoice follows</Detail>}
        </Box>
      </Card>
    </Box>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: '112px minmax(0, 1fr)',
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  );
}
