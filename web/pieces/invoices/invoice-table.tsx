import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadInvoice } from '../../../contract/addresses/invoices.gen.ts';
import type { Invoice } from '../../../contract/invoices.ts';
import { isOutstanding } from '../../../contract/states/invoice-status.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { downloadUrl } from '../../ui/download-url.ts';
import { formatDate } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { formatDollars } from '../purchases/money-words.ts';
import { InvoiceStatus } from './invoice-status.tsx';
import { PayInvoice } from './pay-invoice.tsx';

interface InvoiceTableProps {
  invoices: readonly Invoice[];
  /** The sentence for an empty table. */
  empty?: string;
}

/** Invoices with what is due of each; on telephones, rows of two lines. */
export function InvoiceTable({ invoices, empty = 'There are no invoices yet.' }: InvoiceTableProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [paying, setPaying] = useState<Invoice>();
  if (invoices.length === 0)
    return <Typography sx={{ px: 2.5, py: 3, color: 'text.secondary' }}>{empty}</Typography>;
  return (
    <>
      {isPhone ? <Rows invoices={invoices} /> : <WideTable invoices={invoices} onPay={setPaying} />}
      <PayInvoice invoice={paying} onClose={() => setPaying(undefined)} />
    </>
  );
}

function InvoiceLink({ invoice, words }: { invoice: Invoice; words: string }) {
  return (
    <RouterLink
      to="/settings/billing/invoices/$invoiceId"
      params={{ invoiceId: String(invoice.InvoiceID) }}
      sx={{ color: 'text.primary', fontWeight: 550 }}
    >
      {words}
    </RouterLink>
  );
}

function forWords({ Description, PoNumber }: Invoice): string {
  return PoNumber === '' ? Description : `${Description}, PO ${PoNumber}`;
}

function WideTable({ invoices, onPay }: InvoiceTableProps & { onPay: (invoice: Invoice) => void }) {
  const canPay = useCan('payInvoices');
  const now = useNow();
  const zone = useTimeZone();
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label="Invoices" sx={{ fontVariantNumeric: 'tabular-nums', minWidth: 720 }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 2.5 }}>Invoice</TableCell>
            <TableCell>Date</TableCell>
            <TableCell>For</TableCell>
            <TableCell>Status</TableCell>
            <TableCell align="right">Balance due</TableCell>
            <TableCell align="right">Amount</TableCell>
            <TableCell>
              <Box component="span" style={visuallyHidden}>
                Actions
              </Box>
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {invoices.map((invoice) => (
            <TableRow key={invoice.InvoiceID} sx={{ height: 44 }}>
              <TableCell sx={{ pl: 2.5 }}>
                <InvoiceLink invoice={invoice} words={String(invoice.InvoiceID)} />
              </TableCell>
              <TableCell sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
                {formatDate(invoice.ChargeTimestamp, now, zone)}
              </TableCell>
              <TableCell>{forWords(invoice)}</TableCell>
              <TableCell>
                <InvoiceStatus status={invoice.InvoiceStatusCategory} />
              </TableCell>
              <TableCell align="right" sx={{ color: 'warning.main', fontWeight: 600 }}>
                {invoice.BalanceDue > 0 ? formatDollars(invoice.BalanceDue) : ''}
              </TableCell>
              <TableCell align="right" sx={{ fontWeight: 550 }}>
                {formatDollars(invoice.GrandTotal)}
              </TableCell>
              <TableCell align="right" sx={{ whiteSpace: 'nowrap', pr: 1.5 }}>
                {canPay && isOutstanding(invoice.InvoiceStatusCategory) && (
                  <Button
                    size="small"
                    aria-label={`Pay invoice ${invoice.InvoiceID}`}
                    onClick={() => onPay(invoice)}
                    sx={{ mr: 0.5 }}
                  >
                    Pay
                  </Button>
                )}
                <IconButton
                  component="a"
                  aria-label={`Download invoice ${invoice.InvoiceID}`}
                  href={downloadUrl(downloadInvoice, { params: { InvoiceID: invoice.InvoiceID } })}
                  download
                >
                  <Download size={17} aria-hidden />
                </IconButton>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function Rows({ invoices }: InvoiceTableProps) {
  const now = useNow();
  const zone = useTimeZone();
  return (
    <Box component="ul" aria-label="Invoices" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {invoices.map((invoice) => (
        <Box
          component="li"
          key={invoice.InvoiceID}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            columnGap: 2,
            px: 2,
            py: 1.25,
            borderTop: '1px solid',
            borderColor: 'line.hair',
            '&:first-of-type': { borderTop: 0 },
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          <InvoiceLink invoice={invoice} words={forWords(invoice)} />
          <Box sx={{ textAlign: 'right', fontWeight: 600 }}>{formatDollars(invoice.GrandTotal)}</Box>
          <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
            {invoice.InvoiceID} · {formatDate(invoice.ChargeTimestamp, now, zone)}
          </Typography>
          <Box sx={{ textAlign: 'right', typography: 'body2' }}>
            <InvoiceStatus status={invoice.InvoiceStatusCategory} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
