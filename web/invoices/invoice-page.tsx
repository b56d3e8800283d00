import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Download, FileText, Mail, Printer, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { downloadInvoice, getInvoice, updateInvoice } from '../../contract/addresses/invoices.gen.ts';
import type { ShownInvoice } from '../../contract/invoices.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { invoiceResendStatus, isOutstanding } from '../../contract/states/invoice-status.ts';
import { isNotFound, shownMessage } from '../api.ts';
import { InvoiceStatus } from '../pieces/invoices/invoice-status.tsx';
import { PayInvoice } from '../pieces/invoices/pay-invoice.tsx';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatDate } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { InvoiceSheet } from './invoice-sheet.tsx';
import { InvoiceSide } from './invoice-side.tsx';

const frame = { px: { xs: 2, sm: 3, laptop: 4 }, pb: 4 };

/** One invoice: what it is for, what was paid, what is due. */
export function InvoicePage({ invoiceId }: { invoiceId: number }) {
  const { data, error, refetch } = useCallQuery(getInvoice, { params: { InvoiceID: invoiceId } });
  if (data) return <InvoiceView invoice={data} />;
  return (
    <>
      <PageHead title={Number.isInteger(invoiceId) ? `Invoice ${invoiceId}` : 'Invoice'} crumb={<Crumb />} />
      <Box sx={frame}>
        {error === null ? (
          <Skeleton variant="rounded" height={560} aria-label="Loading the invoice" />
        ) : isNotFound(error) || Number.isNaN(invoiceId) ? (
          <EmptyState icon={FileText} title="There is no such invoice" />
        ) : (
          <RetryNotice onRetry={() => void refetch()}>There was an error getting your invoice.</RetryNotice>
        )}
      </Box>
    </>
  );
}

function Crumb() {
  return (
    <>
      <RouterLink to="/settings/billing">Billing</RouterLink>,{' '}
      <RouterLink to="/settings/billing/invoices">Invoices</RouterLink>
    </>
  );
}

function InvoiceView({ invoice }: { invoice: ShownInvoice }) {
  const canPay = useCan('payInvoices');
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const now = useNow();
  const zone = useTimeZone();
  const [asking, setAsking] = useState<'pay' | 'void'>();
  const close = () => setAsking(undefined);
  const update = useCall(updateInvoice, {
    onSuccess: () => void queryClient.invalidateQueries(),
    onError: (error) => showSnackbar(shownMessage(error, errorCatalog.resendInvoice)),
  });
  const params = { InvoiceID: invoice.InvoiceID };
  const status = invoice.InvoiceStatusCategory;
  const pdf = downloadUrl(downloadInvoice, { params });
  return (
    <>
      <PageHead
        title={`Invoice ${invoice.InvoiceID}`}
        crumb={<Crumb />}
        pill={<InvoiceStatus status={status} isPill />}
        sentence={`Created ${formatDate(invoice.ChargeTimestamp, now, zone)}${invoice.CreatedBy ? ` by ${invoice.CreatedBy}` : ''}.`}
        actions={
          <>
            {canPay && status === 'Unpaid' && (
              <Button variant="text" onClick={() => setAsking('void')}>
                Void
              </Button>
            )}
            {canPay && (
              <Button
                startIcon={<Mail size={16} aria-hidden />}
                disabled={update.isPending}
                onClick={() =>
                  update.mutate(
                    { params, body: { NewStatus: invoiceResendStatus(status) } },
                    { onSuccess: ({ EmailedTo }) => showSnackbar(`Sent to ${EmailedTo}.`) },
                  )
                }
              >
                Resend
              </Button>
            )}
            {isPhone && (
              <Button component="a" href={pdf} download startIcon={<Download size={16} aria-hidden />}>
                Open PDF
              </Button>
            )}
            {canPay && isOutstanding(status) && (
              <Button variant="contained" color="primary" onClick={() => setAsking('pay')}>
                Pay Invoice
              </Button>
            )}
          </>
        }
      />
      <Box
        sx={{
          ...frame,
          display: 'grid',
          gap: 2.5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 344px' },
          alignItems: 'start',
        }}
      >
        <Box sx={{ order: { laptop: 2 } }}>
          <InvoiceSide invoice={invoice} />
        </Box>
        {!isPhone && <SheetCard invoice={invoice} pdf={pdf} />}
      </Box>
      <PayInvoice invoice={asking === 'pay' ? invoice : undefined} onClose={close} />
      {asking === 'void' && (
        <AskDialog
          title={`Void invoice ${invoice.InvoiceID}?`}
          action="Void invoice"
          keep="Keep it"
          isBusy={update.isPending}
          onDo={() => update.mutate({ params, body: { NewStatus: 'Voided' } }, { onSettled: close })}
          onClose={close}
        >
          Nobody can pay it anymore. This can’t be undone.
        </AskDialog>
      )}
    </>
  );
}

const zooms = [50, 75, 100, 125, 150];

/** On paper, only the sheet. */
const print = (
  <GlobalStyles
    styles={{
      '@media print': {
        'body *': { visibility: 'hidden' },
        '[data-sheet], [data-sheet] *': { visibility: 'visible' },
        '[data-sheet]': { position: 'fixed', inset: 0, border: '0 !important', zoom: 1 },
      },
    }}
  />
);

/** The sheet with its bar: larger, smaller, print, download. */
function SheetCard({ invoice, pdf }: { invoice: ShownInvoice; pdf: string }) {
  const [zoom, setZoom] = useState(100);
  const at = zooms.indexOf(zoom);
  return (
    <Box
      component="section"
      aria-label="PDF"
      sx={{ border: '1px solid', borderColor: 'line.hair', borderRadius: '10px', overflow: 'hidden' }}
    >
      {print}
      <Box
        sx={{
          height: 44,
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          px: 2,
          bgcolor: 'background.paper',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Box sx={{ fontWeight: 600 }}>{invoice.InvoiceID}.pdf</Box>
        <Box sx={{ color: 'text.secondary', ml: 1, flex: 1 }}>1 page</Box>
        <IconButton aria-label="Zoom out" disabled={at === 0} onClick={() => setZoom(zooms[at - 1] ?? 100)}>
          <ZoomOut size={17} aria-hidden />
        </IconButton>
        <Box sx={{ width: 44, textAlign: 'center', color: 'text.secondary' }} aria-live="polite">
          {zoom}%
        </Box>
        <IconButton
          aria-label="Zoom in"
          disabled={at === zooms.length - 1}
          onClick={() => setZoom(zooms[at + 1] ?? 100)}
        >
          <ZoomIn size={17} aria-hidden />
        </IconButton>
        <IconButton aria-label="Print" onClick={() => globalThis.print()}>
          <Printer size={17} aria-hidden />
        </IconButton>
        <IconButton component="a" aria-label="Download" href={pdf} download>
          <Download size={17} aria-hidden />
        </IconButton>
      </Box>
      {/* A sheet that is wider than the card scrolls inside it, by keyboard too. */}
      <Box
        role="region"
        aria-label="Sheet"
        tabIndex={0}
        sx={{ bgcolor: 'surface.sunken', p: 2.5, overflow: 'auto' }}
      >
        <Box sx={{ zoom: zoom / 100 }}>
          <InvoiceSheet invoice={invoice} />
        </Box>
      </Box>
    </Box>
  );
}
