import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import { useSearch } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { downloadInvoice, downloadInvoices, listInvoices } from '../../contract/addresses/invoices.gen.ts';
import { getInvoiceMonths } from '../../contract/addresses/reports.gen.ts';
import { formatCents } from '../../contract/money/cents.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { InvoiceStatus } from '../pieces/invoices/invoice-status.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choices.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf } from '../ui/format.ts';
import { Pager } from '../ui/pager.tsx';
import { say } from '../ui/say.ts';
import { DayChart } from './day-chart.tsx';
import { invoiceChoices } from './invoice-choices.ts';
import { ReportFrame } from './report-frame.tsx';
import { ChartCard, DownloadButton, Loaded, ReportFields, useReportDays } from './report-parts.tsx';
import { longMonth, shortMonth } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';
import { When } from './when.tsx';

const dollars = (amount: number) => formatCents(Math.round(amount * 100));
const pageSize = 50;

/** Invoices with what is paid and due. */
export function InvoicesReportPage() {
  const { chart } = useTheme().vars.palette;
  const { category, page = 1 } = useSearch({ from: '/_app/reports/invoices' });
  const { query: days, field, choose } = useReportDays(defaults.reportRangeDays.credits);
  const query = { ...days, ...(category === undefined ? {} : { category }) };
  const months = useCallQuery(getInvoiceMonths, { query }, { keepPrevious: true });
  const list = useCallQuery(
    listInvoices,
    { query: { ...query, page, pagesize: pageSize } },
    { keepPrevious: true },
  );
  return (
    <ReportFrame
      name="invoices"
      sentence="Your invoices, what is paid and what is due."
      actions={<DownloadButton href={downloadUrl(downloadInvoices, { query })} />}
    >
      <ReportFields>
        {field}
        <Box sx={{ width: 200 }}>
          <Choice
            label="Status"
            value={category ?? ''}
            choices={[{ value: '', label: 'All invoices' }, ...invoiceChoices]}
            onChange={(next) => choose({ category: next === '' ? undefined : next, page: undefined })}
          />
        </Box>
      </ReportFields>
      <Loaded query={months} what="your invoices">
        {({ Months, Invoices, Total, Paid, Due }) => (
          <ChartCard>
            <DayChart
              title="Invoiced, each month"
              days={Months.map(({ Month }) => Month)}
              tick={shortMonth}
              full={longMonth}
              value={dollars}
              series={[
                { label: 'Paid', color: chart.one, counts: Months.map((month) => month.Paid) },
                { label: 'Due', color: chart.fail, counts: Months.map((month) => month.Due) },
              ]}
            />
            <TotalSide
              total={Total}
              value={dollars}
              sentence={`in ${countOf(Invoices, 'invoice', 'invoices')}`}
              parts={[
                { label: 'Paid', color: chart.one, count: Paid },
                { label: 'Due', color: chart.fail, count: Due },
              ]}
            />
          </ChartCard>
        )}
      </Loaded>
      <Loaded query={list} what="your list of invoices">
        {({ Items, Size }) => (
          <Card>
            {Items.length === 0 ? (
              <EmptyState icon={FileText} title="No invoices in these days">
                Invoices and receipts show up here.
              </EmptyState>
            ) : (
              <ReportTable
                label="Invoices"
                columns={[
                  say('Invoice'),
                  say('When'),
                  say('What'),
                  say('Status'),
                  'PO number',
                  say('Total'),
                  say('Due'),
                ]}
                words={5}
                rows={Items.map((item) => ({
                  key: item.InvoiceID,
                  cells: [
                    <Link
                      key="pdf"
                      href={downloadUrl(downloadInvoice, { params: { InvoiceID: item.InvoiceID } })}
                      download
                      aria-label={`Invoice ${item.InvoiceID} as PDF`}
                    >
                      {item.InvoiceID}
                    </Link>,
                    <When key="when" at={item.ChargeTimestamp} />,
                    item.Description,
                    <InvoiceStatus key="status" status={item.InvoiceStatusCategory} />,
                    item.PoNumber,
                    dollars(item.GrandTotal),
                    dollars(item.BalanceDue),
                  ],
                }))}
              />
            )}
            <Pager
              page={page}
              pageSize={pageSize}
              size={Size}
              onPage={(next) => choose({ page: next === 1 ? undefined : next })}
            />
          </Card>
        )}
      </Loaded>
    </ReportFrame>
  );
}
