import Link from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import { Receipt } from 'lucide-react';
import { downloadInvoice } from '../../contract/addresses/invoices.gen.ts';
import { downloadBillingHistory, listBillingHistory } from '../../contract/addresses/purchases.gen.ts';
import { getBillingMonths } from '../../contract/addresses/reports.gen.ts';
import { formatCents } from '../../contract/money/cents.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { useCallPages, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf } from '../ui/format.ts';
import { said } from '../ui/said.ts';
import { say } from '../ui/say.ts';
import { DayChart } from './day-chart.tsx';
import { ReportFrame } from './report-frame.tsx';
import {
  ChartCard,
  DownloadButton,
  Loaded,
  MoreButton,
  ReportFields,
  useReportDays,
} from './report-parts.tsx';
import { longMonth, shortMonth } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';
import { When } from './when.tsx';

const dollars = (amount: number) => formatCents(Math.round(amount * 100));

/** Payments by card. */
export function BillingHistoryPage() {
  const { chart } = useTheme().vars.palette;
  const { query, field } = useReportDays(defaults.reportRangeDays.credits);
  const months = useCallQuery(getBillingMonths, { query }, { keepPrevious: true });
  return (
    <ReportFrame
      name="billing-history"
      sentence="What you paid by card, and what for."
      actions={<DownloadButton href={downloadUrl(downloadBillingHistory, { query })} />}
    >
      <ReportFields>{field}</ReportFields>
      <Loaded query={months} what="your billing history">
        {({ Months, Paid, Refunded, Payments, ...sums }) => {
          const parts = (['Credits', 'Subscriptions', 'Invoices'] as const).map((kind, index) => ({
            kind,
            label: said(kind),
            color: [chart.one, chart.two, chart.three][index] ?? chart.one,
          }));
          return (
            <ChartCard>
              <DayChart
                title="Paid by card, each month"
                days={Months.map(({ Month }) => Month)}
                tick={shortMonth}
                full={longMonth}
                value={dollars}
                series={parts.map((part) => ({ ...part, counts: Months.map((month) => month[part.kind]) }))}
              />
              <TotalSide
                total={Paid}
                value={dollars}
                sentence={`in ${countOf(Payments, 'payment', 'payments')}${Refunded > 0 ? `, ${dollars(Refunded)} refunded` : ''}`}
                parts={parts.map((part) => ({ ...part, count: sums[part.kind] }))}
              />
            </ChartCard>
          );
        }}
      </Loaded>
      <Payments query={query} />
    </ReportFrame>
  );
}

function Payments({ query }: { query: { 'date-from': string; 'date-to': string } }) {
  const list = useCallPages(listBillingHistory, { query: { ...query, pagesize: 50 } });
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <Loaded query={list} what="your payments">
      {() => (
        <Card>
          {items.length === 0 ? (
            <EmptyState icon={Receipt} title="No payments in these days">
              What you pay by card shows up here.
            </EmptyState>
          ) : (
            <ReportTable
              label="Payments"
              columns={[
                say('When'),
                say('What'),
                say('Card'),
                say('Amount'),
                'Sales tax',
                say('Total'),
                say('Refunded'),
                say('Receipt'),
              ]}
              words={3}
              rows={items.map((item) => ({
                key: item.ChargeID,
                cells: [
                  <When key="when" at={item.ChargeTimestamp} />,
                  item.Description,
                  said(item.CardLabel),
                  dollars(item.Amount),
                  dollars(item.SalesTax),
                  dollars(item.TotalAmount),
                  item.RefundedAmount > 0 ? dollars(item.RefundedAmount) : '',
                  item.InvoiceID !== null && (
                    <Link
                      href={downloadUrl(downloadInvoice, { params: { InvoiceID: item.InvoiceID } })}
                      download
                      aria-label={`Receipt ${item.InvoiceID} as PDF`}
                    >
                      {item.InvoiceID}
                    </Link>
                  ),
                ],
              }))}
            />
          )}
          <MoreButton list={list} />
        </Card>
      )}
    </Loaded>
  );
}
