import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, Search, ShieldCheck } from 'lucide-react';
import { downloadOptOuts, listOptOuts } from '../../contract/addresses/consents.gen.ts';
import { optOutFilters } from '../../contract/consents.ts';
import { shownMessage } from '../api.ts';
import { callPages } from '../queries/calls.ts';
import { useListState } from '../queries/list-state.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeptRows } from '../ui/kept-rows.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { OptOutRows, OptOutTable } from './opt-out-table.tsx';
import { emptyTitle, optOutFilterNames, optOutQuery } from './opt-out-view.ts';
import { ReportFrame } from './report-frame.tsx';

/** Phones that must not be texted or called, since when, and how they opted out. */
export function OptOutReportPage() {
  const { state, change } = useListState();
  const asked = optOutQuery(state);
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
            value={asked.filter}
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
          <EmptyState icon={asked.q === '' ? ShieldCheck : Search} title={emptyTitle(asked)}>
            {asked.q === ''
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
