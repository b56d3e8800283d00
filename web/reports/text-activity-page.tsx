import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { downloadTextActivity, getTextActivity } from '../../contract/addresses/reports.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type { getTextActivity as definition } from '../../contract/reports.ts';
import { shownMessage } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { countOf, formatCount } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { DayChart } from './day-chart.tsx';
import { NumberChoice, numberName } from './number-choice.tsx';
import { RangeField } from './range-field.tsx';
import { ReportFrame } from './report-frame.tsx';
import { changeWords, rangeOf } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';

type Activity = Reply<typeof definition>;

/** Texts sent and received, by day and by text number. */
export function TextActivityPage() {
  const search = useSearch({ from: '/_app/reports/text-activity' });
  const navigate = useNavigate();
  const zone = useTimeZone();
  const now = useNow();
  const { number, ...chosen } = search;
  const range = rangeOf(chosen, defaults.reportRangeDays.textActivity, { now, zone });
  const query = {
    'date-from': range.from,
    'date-to': range.to,
    ...(number === undefined ? {} : { textNumberID: number }),
  };
  const { data, error, refetch } = useCallQuery(getTextActivity, { query }, { keepPrevious: true });
  // The choice offers all of them, also while one is chosen.
  const { data: all } = useCallQuery(getTextActivity, {
    query: { 'date-from': range.to, 'date-to': range.to },
  });
  return (
    <ReportFrame
      name="text-activity"
      sentence="Texts sent and received, by day and by text number."
      actions={
        <Button
          component="a"
          href={downloadUrl(downloadTextActivity, { query })}
          download
          startIcon={<Download aria-hidden />}
        >
          Download CSV
        </Button>
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <RangeField
          range={range}
          onChange={(next) =>
            void navigate({ to: '.', search: number === undefined ? next : { ...next, number } })
          }
        />
        <NumberChoice
          numbers={all?.Numbers}
          chosen={number}
          onChange={(next) =>
            void navigate({ to: '.', search: next === undefined ? chosen : { ...chosen, number: next } })
          }
        />
      </Box>
      {error && !data && (
        <RetryNotice onRetry={() => void refetch()}>
          {shownMessage(error, 'There was an error getting your text activity.')}
        </RetryNotice>
      )}
      {!data && !error && (
        <Card>
          <SkeletonRows rows={8} rowHeight={44} label="Loading text activity" />
        </Card>
      )}
      {data && <Shown activity={data} />}
    </ReportFrame>
  );
}

function Shown({ activity }: { activity: Activity }) {
  const { chart } = useTheme().vars.palette;
  const { Days, Total, Before } = activity;
  // Numbers that were given up are listed as long as something went over them in these days.
  const Numbers = activity.Numbers.filter(
    ({ IsReleased, Sent, Refused, Received }) => !IsReleased || Sent + Refused + Received > 0,
  );
  // Failed texts include those that no carrier accepted, so the bars add up to what was attempted.
  const attempted = (of: Activity['Total']) => of.Sent + of.Refused;
  const texts = attempted(Total) + Total.Received;
  const waiting = (of: Activity['Total']) => Math.max(0, attempted(of) - of.Delivered - of.Failed);
  const parts = [
    { label: 'Delivered', color: chart.one, count: (of: Activity['Total']) => of.Delivered },
    { label: 'Sent, not confirmed', color: chart.two, count: waiting },
    { label: 'Failed', color: chart.fail, count: (of: Activity['Total']) => of.Failed },
    { label: 'Received', color: chart.three, count: (of: Activity['Total']) => of.Received },
  ];
  const change = changeWords(texts, attempted(Before) + Before.Received);
  const days = countOf(Days.length, 'day', 'days');
  return (
    <>
      <Card>
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 1fr) 290px' } }}>
          <DayChart
            title="Texts, each day"
            days={Days.map(({ Date: day }) => day)}
            series={parts.map(({ label, color, count }) => ({ label, color, counts: Days.map(count) }))}
          />
          <TotalSide
            total={texts}
            sentence={`texts in ${days}${change === '' ? '' : `, ${change}`}`}
            parts={parts.map(({ label, color, count }) => ({ label, color, count: count(Total) }))}
          />
        </Box>
      </Card>
      <Card>
        <ReportTable
          label="Text numbers"
          columns={[
            'Text number',
            say('Attempted'),
            say('Delivered'),
            say('Failed'),
            say('Received'),
            say('Credits'),
          ]}
          rows={Numbers.map((one) => ({
            key: one.TextNumberID,
            cells: [
              <>
                <Box component="span" sx={{ fontWeight: 520 }}>
                  {numberName(one)}
                </Box>{' '}
                {one.Name !== '' && (
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {formatPhone(one.TextNumber)}
                  </Box>
                )}
              </>,
              ...[attempted(one), one.Delivered, one.Failed, one.Received, one.Credits].map(formatCount),
            ],
          }))}
          total={
            Numbers.length > 1
              ? [
                  `All ${Numbers.length} text numbers`,
                  ...[attempted(Total), Total.Delivered, Total.Failed, Total.Received, Total.Credits].map(
                    formatCount,
                  ),
                ]
              : undefined
          }
        />
      </Card>
    </>
  );
}
