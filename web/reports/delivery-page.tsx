import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useSearch } from '@tanstack/react-router';
import { downloadDelivery, getDelivery } from '../../contract/addresses/reports.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type { getDelivery as definition } from '../../contract/reports.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { countOf, formatCount } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import { DayChart } from './day-chart.tsx';
import { rateOf, rateWords, shortHour } from './delivery-rate.ts';
import { NumberChoice, numberName } from './number-choice.tsx';
import { ReportFrame } from './report-frame.tsx';
import { ChartCard, DownloadButton, Loaded, ReportFields, useReportDays } from './report-parts.tsx';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';

type Delivery = Reply<typeof definition>;
type Figures = Delivery['Total'];

/** Delivery of texts, and advice about those that don't arrive. */
export function DeliveryPage() {
  const { number } = useSearch({ from: '/_app/reports/delivery' });
  const { query: days, field, choose } = useReportDays(defaults.reportRangeDays.delivery);
  const query = { ...days, ...(number === undefined ? {} : { textNumberID: number }) };
  const delivery = useCallQuery(getDelivery, { query }, { keepPrevious: true });
  // The choice offers all of them, also while one is chosen.
  const { data: all } = useCallQuery(getDelivery, {
    query: { 'date-from': days['date-to'], 'date-to': days['date-to'] },
  });
  return (
    <ReportFrame
      name="delivery"
      sentence="How well your texts arrive, and what to do about those that don’t."
      actions={<DownloadButton href={downloadUrl(downloadDelivery, { query })} />}
    >
      <ReportFields>
        {field}
        <NumberChoice numbers={all?.Numbers} chosen={number} onChange={(next) => choose({ number: next })} />
      </ReportFields>
      <Loaded query={delivery} what="how your texts arrived">
        {(data) => <Shown delivery={data} />}
      </Loaded>
    </ReportFrame>
  );
}

function Shown({ delivery }: { delivery: Delivery }) {
  const { chart } = useTheme().vars.palette;
  const { Days, Hours, Total, Before } = delivery;
  const waiting = (of: Figures) => Math.max(0, of.Sent - of.Delivered - of.Failed - of.Unknown);
  const parts = [
    { label: 'Arrived', color: chart.one, count: (of: Figures) => of.Delivered },
    { label: 'Not confirmed yet', color: chart.two, count: waiting },
    { label: 'Never confirmed', color: chart.three, count: (of: Figures) => of.Unknown },
    { label: 'Failed', color: chart.fail, count: (of: Figures) => of.Failed },
  ];
  const rate = rateOf(Total);
  return (
    <>
      <ChartCard>
        <DayChart
          title="Texts, each day"
          days={Days.map(({ Date: day }) => day)}
          series={parts.map(({ label, color, count }) => ({ label, color, counts: Days.map(count) }))}
        />
        <TotalSide
          label="Arrived"
          total={Total.Sent}
          value={formatCount}
          heading={rate === null ? '–' : `${rate.toFixed(1)}%`}
          sentence={
            rate === null
              ? 'No text was sent in these days.'
              : `of ${countOf(Total.Sent, 'text', 'texts')}, ${rateWords(rate, rateOf(Before))}`
          }
          parts={parts.map(({ label, color, count }) => ({ label, color, count: count(Total) }))}
        />
      </ChartCard>
      <Reasons reasons={delivery.Reasons} sent={Total.Sent} hasBefore={delivery.Before.Sent > 0} />
      <Rates
        title="Text numbers"
        first="Text number"
        rows={delivery.Numbers.filter(({ IsReleased, Sent }) => !IsReleased || Sent > 0).map((one) => ({
          ...one,
          key: one.TextNumberID,
          name: numberName(one),
        }))}
      />
      <Rates
        title="Recipients’ carriers"
        first={say('Carrier')}
        sentence="As far as Muster knows them. Phones that were never looked up are listed together."
        rows={delivery.Carriers.map((one) => ({
          ...one,
          key: one.Carrier,
          name: one.Carrier || 'Not looked up',
        }))}
      />
      <Card>
        <DayChart
          title="Texts by the hour in which they were sent"
          days={Hours.map(({ Hour }) => String(Hour))}
          tick={shortHour}
          full={shortHour}
          series={parts.map(({ label, color, count }) => ({ label, color, counts: Hours.map(count) }))}
        />
      </Card>
      <Rates
        title="Hours"
        first={say('Hour')}
        rows={Hours.filter(({ Sent }) => Sent > 0).map((one) => ({
          ...one,
          key: one.Hour,
          name: shortHour(String(one.Hour)),
        }))}
      />
    </>
  );
}

function Title({ children }: { children: string }) {
  return (
    <Typography component="h2" variant="h3" sx={{ px: 2.5, pt: 2, pb: 1.5 }}>
      {children}
    </Typography>
  );
}

interface ReasonsProps {
  reasons: Delivery['Reasons'];
  sent: number;
  /** Texts were sent in the days before, so there is something to compare with. */
  hasBefore: boolean;
}

function Reasons({ reasons, sent, hasBefore }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <Card>
      <Title>Why texts don’t arrive</Title>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {reasons.map(({ Status, Label, WhatToDo, Texts, Before }) => (
          <Box
            key={Status}
            component="li"
            sx={{
              display: 'flex',
              gap: 2,
              px: 2.5,
              py: 1.5,
              borderTop: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ fontWeight: 550 }}>{Label}</Box>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {WhatToDo}
              </Typography>
            </Box>
            <Box sx={{ textAlign: 'right', flex: 'none', fontVariantNumeric: 'tabular-nums' }}>
              <Box sx={{ fontWeight: 550 }}>
                {countOf(Texts, 'text', 'texts')}
                {sent > 0 && `, ${((Texts / sent) * 100).toFixed(1)}%`}
              </Box>
              {hasBefore && (
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {formatCount(Before)} before
                </Typography>
              )}
            </Box>
          </Box>
        ))}
      </Box>
    </Card>
  );
}

interface RatesProps {
  title: string;
  first: string;
  sentence?: string;
  rows: readonly (Figures & { key: string | number; name: string; BeforeRate: number | null })[];
}

function Rates({ title, first, sentence, rows }: RatesProps) {
  if (rows.length === 0) return null;
  const percent = (rate: number | null) => (rate === null ? '–' : `${rate.toFixed(1)}%`);
  return (
    <Card>
      <Title>{title}</Title>
      {sentence && (
        <Typography variant="body2" sx={{ px: 2.5, mt: -1, pb: 1.5, color: 'text.secondary' }}>
          {sentence}
        </Typography>
      )}
      <ReportTable
        label={title}
        columns={[
          first,
          say('Texts'),
          say('Arrived'),
          say('Failed'),
          'Never confirmed',
          say('Rate'),
          say('Before'),
        ]}
        rows={rows.map((row) => ({
          key: row.key,
          cells: [
            <Box key="name" component="span" sx={{ fontWeight: 520 }}>
              {row.name}
            </Box>,
            ...[row.Sent, row.Delivered, row.Failed, row.Unknown].map(formatCount),
            percent(rateOf(row)),
            percent(row.BeforeRate),
          ],
        }))}
      />
    </Card>
  );
}
