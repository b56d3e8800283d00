import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { shownMessage } from '../api.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { useNow } from '../ui/now.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { RangeField } from './range-field.tsx';
import type { RangeSearch } from './range-search.ts';
import { rangeOf } from './report-range.ts';

/**
 * The days of a report by its address, and the field that changes them and leaves the rest of the address as it is, but
 * for the page of a list: other days may have fewer.
 */
export function useReportDays(standard: number) {
  const search: Record<string, unknown> & RangeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zone = useTimeZone();
  const now = useNow();
  const { days, from, to, page: _, ...others } = search;
  const range = rangeOf(search, standard, { now, zone });
  const change = (next: Record<string, unknown>) => void navigate({ to: '.', search: next as never });
  return {
    range,
    query: { 'date-from': range.from, 'date-to': range.to },
    field: <RangeField range={range} onChange={(next) => change({ ...others, ...next })} />,
    /** Changes something else of the address; undefined takes it out. */
    choose: (values: Record<string, string | number | undefined>) =>
      change(
        Object.fromEntries(
          Object.entries({ ...search, ...values }).filter(([, value]) => value !== undefined),
        ),
      ),
  };
}

export function DownloadButton({ href }: { href: string }) {
  return (
    <Button component="a" href={href} download startIcon={<Download aria-hidden />}>
      Download CSV
    </Button>
  );
}

/** The fields above a report, side by side. */
export function ReportFields({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>{children}</Box>;
}

/** The chart at the left, its sum at the right. */
export function ChartCard({ children }: { children: ReactNode }) {
  return (
    <Card>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 1fr) 290px' } }}>
        {children}
      </Box>
    </Card>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  /** "your usage": the sentences around it are the same everywhere. */
  what: string;
  children: (data: Data) => ReactNode;
}

/** A report once it is there; until then what is missing, or why. */
export function Loaded<Data>({ query: { data, error, refetch }, what, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error)
    return (
      <RetryNotice onRetry={() => void refetch()}>
        {shownMessage(error, `There was an error getting ${what}.`)}
      </RetryNotice>
    );
  return (
    <Card>
      <SkeletonRows rows={8} rowHeight={44} label={`Loading ${what}`} />
    </Card>
  );
}

/** The end of a list that has more. */
export function MoreButton({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!list.hasNextPage) return null;
  return (
    <Box
      sx={{ display: 'grid', placeItems: 'center', p: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}
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
  );
}
