import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { ShownInvoice } from '../../contract/invoices.ts';
import { formatUnitPrice } from '../../contract/money/cents.ts';
import { formatDollars } from '../pieces/purchases/money-words.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { formatCount } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';
import { said } from '../ui/said.ts';
import { say } from '../ui/say.ts';
import { paymentLine } from './payment-line.ts';

/** Paper is white, in dark pages too: these are the colors of the PDF. */
const ink = { one: '#13201D', two: '#5B6B67', line: '#D5DCDA', strong: '#B4BFBC' };

/** The invoice as its PDF shows it. */
export function InvoiceSheet({ invoice }: { invoice: ShownInvoice }) {
  const account = useAccount();
  const zone = useTimeZone();
  const day = (at: string) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'long' }).format(new Date(at));
  const [sender = 'Muster', ...from] = invoice.From;
  const gross = invoice.Amount + invoice.PartialCredits;
  return (
    <Box
      component="article"
      aria-label={`Invoice ${invoice.InvoiceID}`}
      data-sheet
      sx={{
        width: 600,
        mx: 'auto',
        px: '48px',
        py: '44px',
        minHeight: 680,
        bgcolor: '#fff',
        color: ink.one,
        colorScheme: 'light',
        border: '1px solid',
        borderColor: ink.line,
        fontSize: 13,
        lineHeight: '18px',
        fontVariantNumeric: 'tabular-nums',
        display: 'flex',
        flexDirection: 'column',
      }}
    >
      <Box sx={{ display: 'flex', gap: 2, mb: '40px' }}>
        <Box sx={{ flex: 1 }}>
          <Box sx={{ fontSize: 16, fontWeight: 650 }}>{sender}</Box>
          {from.map((line) => (
            <Box key={line} sx={{ color: ink.two }}>
              {line}
            </Box>
          ))}
        </Box>
        <Box sx={{ textAlign: 'right' }}>
          <Box sx={{ fontSize: 22, lineHeight: '28px', fontWeight: 650 }}>Invoice</Box>
          <Box sx={{ color: ink.two }}>{invoice.InvoiceID}</Box>
        </Box>
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: '2fr 1.2fr 1fr', gap: 2, mb: '36px' }}>
        <Fact label="Bill to">
          {invoice.BillTo.map((line, index) => (
            <Box key={line} sx={{ fontWeight: index === 0 ? 600 : 400 }}>
              {line}
            </Box>
          ))}
        </Fact>
        <Box sx={{ display: 'grid', gap: 1.5, alignContent: 'start' }}>
          <Fact label="Date">{day(invoice.ChargeTimestamp)}</Fact>
          {invoice.Terms && <Fact label="Terms">{said(invoice.Terms)}</Fact>}
        </Box>
        <Box sx={{ display: 'grid', gap: 1.5, alignContent: 'start' }}>
          {invoice.PoNumber && <Fact label="Purchase order">{invoice.PoNumber}</Fact>}
          {account && <Fact label="Account">{account.AccountID}</Fact>}
        </Box>
      </Box>
      <Box
        component="table"
        sx={{ width: '100%', borderCollapse: 'collapse', '& th, & td': { p: 0, py: 1 } }}
      >
        <thead>
          <Box
            component="tr"
            sx={{
              borderTop: `1px solid ${ink.strong}`,
              borderBottom: `1px solid ${ink.line}`,
              color: ink.two,
            }}
          >
            <Box component="th" scope="col" sx={{ textAlign: 'left', fontWeight: 400 }}>
              Description
            </Box>
            {[say('Quantity'), say('Price'), say('Amount')].map((name) => (
              <Box
                key={name}
                component="th"
                scope="col"
                sx={{ textAlign: 'right', fontWeight: 400, width: 92 }}
              >
                {name}
              </Box>
            ))}
          </Box>
        </thead>
        <tbody>
          <Box component="tr" sx={{ borderBottom: `1px solid ${ink.line}`, verticalAlign: 'top' }}>
            <td>
              <Box sx={{ fontWeight: 600 }}>
                {invoice.NumberOfCredits === null ? invoice.Description : 'Credits'}
              </Box>
              <Box sx={{ color: ink.two, maxWidth: 250 }}>
                {invoice.NumberOfCredits === null
                  ? periodWords(invoice, day)
                  : 'One text segment or 30 seconds of a call each. They don’t expire.'}
              </Box>
            </td>
            <Box component="td" sx={{ textAlign: 'right' }}>
              {formatCount(invoice.Quantity)}
            </Box>
            <Box component="td" sx={{ textAlign: 'right' }}>
              {invoice.UnitCost === null ? '' : formatUnitPrice(invoice.UnitCost)}
            </Box>
            <Box component="td" sx={{ textAlign: 'right' }}>
              {formatDollars(gross)}
            </Box>
          </Box>
        </tbody>
      </Box>
      <Box sx={{ alignSelf: 'flex-end', width: 252, mt: '18px' }}>
        {invoice.PartialCredits > 0 && (
          <Sum label="Credit for unused days" value={`−${formatDollars(invoice.PartialCredits)}`} />
        )}
        <Sum label="Subtotal" value={formatDollars(invoice.Amount)} />
        <Sum
          label={invoice.TaxLabel === '' ? 'Sales tax' : `Sales tax, ${invoice.TaxLabel}`}
          value={formatDollars(invoice.SalesTax)}
        />
        <Sum label="Total" value={formatDollars(invoice.GrandTotal)} isStrong />
        {invoice.Payments.map((payment) => (
          <Sum key={payment.PaymentID} {...paymentLine(payment, day(payment.Date))} />
        ))}
        {invoice.Payments.length === 0 && invoice.InvoiceStatusCategory === 'Paid' && (
          <Sum label={say('Paid by card', 'invoice')} value={`−${formatDollars(invoice.GrandTotal)}`} />
        )}
        <Sum
          label={invoice.InvoiceStatusCategory === 'Voided' ? 'Voided' : 'Balance due'}
          value={formatDollars(invoice.BalanceDue)}
          isStrong
        />
      </Box>
      <Box sx={{ flex: 1, minHeight: 32 }} />
      {invoice.AdditionalNotes && (
        <Box sx={{ borderTop: `1px solid ${ink.line}`, pt: 1.5, color: ink.two }}>
          {invoice.AdditionalNotes}
        </Box>
      )}
    </Box>
  );
}

function periodWords(
  { SubscriptionStartDate: start, SubscriptionEndDate: end }: ShownInvoice,
  day: (at: string) => string,
): string {
  return start === null || end === null ? '' : `${day(start)} to ${day(end)}`;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Box sx={{ color: ink.two, mb: '2px' }}>{label}</Box>
      {children}
    </div>
  );
}

function Sum({ label, value, isStrong = false }: { label: string; value: string; isStrong?: boolean }) {
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 2,
        justifyContent: 'space-between',
        py: '4px',
        ...(isStrong
          ? { fontWeight: 650, borderTop: `1px solid ${ink.strong}`, mt: '6px', pt: '8px' }
          : { color: ink.two }),
      }}
    >
      <span>{label}</span>
      <Box component="span" sx={{ color: ink.one, whiteSpace: 'nowrap' }}>
        {value}
      </Box>
    </Box>
  );
}
