import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Search, ShieldCheck } from 'lucide-react';
import { downloadOptOuts, listOptOuts } from '../../contract/addresses/consents.gen.ts';
import { getOptOutCounts } from '../../contract/addresses/reports.gen.ts';
import { optOutFilters } from '../../contract/consents.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { daysBetween } from '../../contract/time/local-day.ts';
import { shownMessage } from '../api.ts';
import { callPages, useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { useListState } from '../queries/list-state.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf } from '../ui/format.ts';
import { KeptRows } from '../ui/kept-rows.tsx';
import { useNow } from '../ui/now.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { DayChart } from './day-chart.tsx';
import { OptOutRows, OptOutTable } from './opt-out-table.tsx';
import { emptyTitle, optOutFilterNames, optOutQuery } from './opt-out-view.ts';
import { RangeField } from './range-field.tsx';
import { ReportFrame } from './report-frame.tsx';
import { ChartCard, Loaded, ReportFields } from './report-parts.tsx';
import { longPeriod, rangeOf, shortPeriod } from './report-range.ts';
import { TotalSide } from './total-side.tsx';

/** Phones that must not be texted or called, since when, and how they opted out. */
export function OptOutReportPage() {
  const { state, change } = useListState();
  const { filter, q } = optOutQuery(state);
  const { days, field } = useOptOutDays();
  const asked = { filter, q, ...days };
  const list = useInfiniteQuery({
    ...callPages(listOptOuts, { query: { ...asked, pagesize: 50 } }),
    placeholderData: keepPreviousData,
  });
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const Rows = isPhone ? OptOutRows : OptOutTable;
  return (
    <ReportFrame
      name="opt-out-report"
      sentence="People who don’t want texts or calls. Muster leaves them out automatically."
      actions={
        <Button
          component="a"
          href={downloadUrl(downloadOptOuts, { query: asked })}
          download
          startIcon={<Download aria-hidden />}
        >
          Download CSV
        </Button>
      }
    >
      <ReportFields>{field}</ReportFields>
      {q === '' && filter !== 'both' && <OptOutChart days={days} filter={filter} />}
      <Card>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            columnGap: 2,
            px: 2.5,
            borderBottom: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Tabs
            value={filter}
            aria-label="Opted out of"
            onChange={(_, filter: string) => change({ filter: filter === 'all' ? '' : filter })}
            sx={{ flex: 1, minWidth: 220, ml: '-10px', '& .MuiTab-root': { minHeight: 48 } }}
          >
            {optOutFilters.map((filter) => (
              <Tab key={filter} value={filter} label={optOutFilterNames[filter]} />
            ))}
          </Tabs>
          <SearchField
            q={state.q}
            placeholder="Search name or phone"
            label="Search opt-outs"
            onSearch={(q) => change({ q }, { replace: true })}
            sx={{ width: { xs: '100%', md: 240 }, my: { xs: 1.5, md: 0 } }}
          />
        </Box>
        {list.isPending && (
          <SkeletonRows
            rows={8}
            face={26}
            isTwoLine={isPhone}
            rowHeight={isPhone ? 64 : 44}
            label="Loading opt-outs"
          />
        )}
        {list.isError && !list.data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void list.refetch()}>
              {shownMessage(list.error, 'There was an error getting your opt-outs.')}
            </RetryNotice>
          </Box>
        )}
        {list.data && items.length === 0 && (
          <EmptyState icon={q === '' ? ShieldCheck : Search} title={emptyTitle({ filter, q })}>
            {q === ''
              ? 'People who text STOP or whom you opt out show up here.'
              : 'Search by name, number or what they texted.'}
          </EmptyState>
        )}
        {items.length > 0 && (
          <KeptRows isOld={list.isPlaceholderData}>
            <Rows items={items} />
          </KeptRows>
        )}
        {list.hasNextPage && (
          <Box
            sx={{
              display: 'grid',
              placeItems: 'center',
              p: 1.5,
              borderTop: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Button
              size="small"
              variant="text"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {list.isFetchingNextPage ? 'Loading' : 'Show more'}
            </Button>
          </Box>
        )}
      </Card>
    </ReportFrame>
  );
}

/** All days until some are chosen: who opted out long ago still must not be texted. */
function useOptOutDays() {
  const search = useSearch({ from: '/_app/reports/opt-out-report' });
  const { days, from, to: _, ...others } = search;
  const navigate = useNavigate();
  const zone = useTimeZone();
  const now = useNow();
  const isAll = days === undefined && from === undefined;
  const range = isAll ? undefined : rangeOf(search, defaults.reportRangeDays.credits, { now, zone });
  return {
    days: range === undefined ? {} : { 'date-from': range.from, 'date-to': range.to },
    field: (
      <RangeField
        coversAll
        range={range}
        onChange={(next) => void navigate({ to: '.', search: { ...others, ...next } })}
      />
    ),
  };
}

interface ChartProps {
  days: { 'date-from'?: string; 'date-to'?: string };
  filter: 'all' | 'text' | 'voice';
}

/** The phones of the list by the day of their opt-out. Those out of both, or found by a search, aren't counted by day. */
function OptOutChart({ days, filter }: ChartProps) {
  const { chart } = useTheme().vars.palette;
  const counts = useCallQuery(getOptOutCounts, { query: days }, { keepPrevious: true });
  return (
    <Loaded query={counts} what="your opt-outs">
      {({ Texts, Calls, Periods, StartDate, EndDate }) => {
        const both = [
          { key: 'Texts', channel: 'text', label: 'Texts', color: chart.one, count: Texts },
          { key: 'Calls', channel: 'voice', label: 'Calls', color: chart.two, count: Calls },
        ] as const;
        const parts = both.filter(({ channel }) => filter === 'all' || channel === filter);
        return (
          <ChartCard>
            <DayChart
              title="Opt-outs"
              days={Periods.map(({ Period }) => Period)}
              tick={shortPeriod}
              full={longPeriod}
              series={parts.map((part) => ({ ...part, counts: Periods.map((period) => period[part.key]) }))}
            />
            <TotalSide
              total={parts.reduce((sum, { count }) => sum + count, 0)}
              sentence={`in ${countOf(daysBetween(StartDate, EndDate) + 1, 'day', 'days')}`}
              parts={parts}
            />
          </ChartCard>
        );
      }}
    </Loaded>
  );
}
