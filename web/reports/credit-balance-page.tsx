import { useTheme } from '@mui/material/styles';
import { Coins } from 'lucide-react';
import { downloadCreditBalance, listCreditBalance } from '../../contract/addresses/purchases.gen.ts';
import { getCreditDays } from '../../contract/addresses/reports.gen.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { useCallPages, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatCount } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import { BalanceChart } from './balance-chart.tsx';
import { ReportFrame } from './report-frame.tsx';
import {
  ChartCard,
  DownloadButton,
  Loaded,
  MoreButton,
  ReportFields,
  useReportDays,
} from './report-parts.tsx';
import { shortDay } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';
import { When } from './when.tsx';

/** Balances of credits, and the changes to them. */
export function CreditBalancePage() {
  const { chart } = useTheme().vars.palette;
  const { query, field } = useReportDays(defaults.reportRangeDays.credits);
  const days = useCallQuery(getCreditDays, { query }, { keepPrevious: true });
  return (
    <ReportFrame
      name="credit-balance"
      sentence="Your credits at the end of each day, and what changed them."
      actions={<DownloadButton href={downloadUrl(downloadCreditBalance, { query })} />}
    >
      <ReportFields>{field}</ReportFields>
      <Loaded query={days} what="your credit balance">
        {({ Days, EndDate, Balance, Used, Bought, Given, Refunded }) => (
          <ChartCard>
            <BalanceChart days={Days} />
            <TotalSide
              isWithoutShares
              label="Balance"
              total={Balance}
              sentence={`credits at the end of ${shortDay(EndDate)}`}
              parts={[
                { label: 'Used', color: chart.one, count: Used },
                { label: 'Bought', color: chart.two, count: Bought },
                { label: 'Given', color: chart.three, count: Given },
                { label: 'Refunded', color: chart.fail, count: Refunded },
              ]}
            />
          </ChartCard>
        )}
      </Loaded>
      <Entries query={query} />
    </ReportFrame>
  );
}

function Entries({ query }: { query: { 'date-from': string; 'date-to': string } }) {
  const list = useCallPages(listCreditBalance, { query: { ...query, pagesize: 50 } });
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <Loaded query={list} what="your credits">
      {() => (
        <Card>
          {items.length === 0 ? (
            <EmptyState icon={Coins} title="Nothing changed your credits in these days">
              Credits that you buy and texts that you send show up here.
            </EmptyState>
          ) : (
            <ReportTable
              label="Changes of your credits"
              columns={[say('When'), say('What'), say('Credits'), say('Balance')]}
              words={2}
              rows={items.map((item) => ({
                key: item.CreditEntryID,
                cells: [
                  <When key="when" at={item.Date} />,
                  item.Description,
                  `${item.Credits > 0 ? '+' : ''}${formatCount(item.Credits)}`,
                  formatCount(item.Balance),
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
