import { useTheme } from '@mui/material/styles';
import { CheckCircle2 } from 'lucide-react';
import { downloadOptIns, getOptInCounts, listOptIns } from '../../contract/addresses/reports.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { daysBetween } from '../../contract/time/local-day.ts';
import { consentWords } from '../pieces/consents/consent-words.ts';
import { useCallPages, useCallQuery } from '../queries/calls.ts';
import { fullName, useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf, formatAbsolute } from '../ui/format.ts';
import { RouterLink } from '../ui/router-link.tsx';
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
import { longPeriod, shortPeriod } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';

/** Lists who agreed to get texts, when, and with which words. */
export function OptInReportPage() {
  const zone = useTimeZone();
  const { chart } = useTheme().vars.palette;
  const { range, query, field } = useReportDays(defaults.reportRangeDays.credits);
  const counts = useCallQuery(getOptInCounts, { query }, { keepPrevious: true });
  const list = useCallPages(listOptIns, { query });
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <ReportFrame
      name="promotional-opt-in"
      sentence="People who agreed to get texts, with their own words. Keep it as proof for promotional texts."
      actions={<DownloadButton href={downloadUrl(downloadOptIns, { query })} />}
    >
      <ReportFields>{field}</ReportFields>
      <Loaded query={counts} what="your opt-ins">
        {({ OptIns, Periods }) => (
          <ChartCard>
            <DayChart
              title="Opt-ins"
              days={Periods.map(({ Period }) => Period)}
              tick={shortPeriod}
              full={longPeriod}
              series={[
                { label: 'Opt-ins', color: chart.one, counts: Periods.map((period) => period.OptIns) },
              ]}
            />
            <TotalSide
              isWithoutShares
              total={OptIns}
              sentence={`in ${countOf(daysBetween(range.from, range.to) + 1, 'day', 'days')}`}
              parts={[{ label: 'Opt-ins', color: chart.one, count: OptIns }]}
            />
          </ChartCard>
        )}
      </Loaded>
      <Loaded query={list} what="your opt-ins">
        {() => (
          <Card>
            {items.length === 0 ? (
              <EmptyState icon={CheckCircle2} title="Nobody opted in during these days">
                People who text START or a keyword, or whom you opt in, show up here.
              </EmptyState>
            ) : (
              <ReportTable
                label="Opt-ins"
                columns={[say('Phone'), say('Name'), say('When'), say('How'), say('Words')]}
                words={5}
                rows={items.map((item) => ({
                  key: item.PhoneNumber,
                  cells: [
                    <RouterLink
                      key="phone"
                      to="/reports/phone-number-history"
                      search={{ q: item.PhoneNumber }}
                    >
                      {formatPhone(item.PhoneNumber)}
                    </RouterLink>,
                    fullName(item),
                    formatAbsolute(item.Timestamp, zone),
                    consentWords({
                      Source: item.Source,
                      Wording: item.Source === 'inbound' ? '' : item.Wording,
                    }),
                    item.Wording,
                  ],
                }))}
              />
            )}
            <MoreButton list={list} />
          </Card>
        )}
      </Loaded>
    </ReportFrame>
  );
}
