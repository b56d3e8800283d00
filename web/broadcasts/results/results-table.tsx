import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useRef } from 'react';
import type { SelectionState } from '../../queries/selection.ts';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import type { useDetails } from '../broadcast-queries.ts';
import { useRowsOnPage } from '../list/rows-on-page.ts';
import { columns, ResultRow, ROW_HEIGHT } from './result-row.tsx';
import type { Channel } from './result-tabs.ts';

interface ResultsTableProps {
  broadcastId: number;
  channel: Channel;
  details: ReturnType<typeof useDetails>;
  total: number;
  selection: SelectionState<number>;
  /** The height that sticky elements above the table head take up at the top of the window. */
  stickyTop: number;
}

/** The next page is fetched when the last row shown is this close to the end. */
const ROWS_AHEAD = 30;

/** The rows down to the bottom of the window: those in sight and a few around them. */
export function ResultsTable(props: ResultsTableProps) {
  const { broadcastId, channel, details, total, selection, stickyTop } = props;
  const { rows, hasMore, isLoadingMore, hasMoreFailed, onLoadMore, onSight } = details;
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const now = useNow();
  const listRef = useRef<HTMLDivElement>(null);
  const rowHeight = isPhone ? ROW_HEIGHT.phone : ROW_HEIGHT.wide;
  const { first, last } = useRowsOnPage(listRef, rows.length, rowHeight);
  useEffect(() => {
    if (hasMore && !isLoadingMore && !hasMoreFailed && last >= rows.length - ROWS_AHEAD) void onLoadMore();
  }, [hasMore, isLoadingMore, hasMoreFailed, last, rows.length, onLoadMore]);
  useEffect(() => {
    // Once scrolling has stopped: nobody reads rows that fly past.
    const timer = setTimeout(() => onSight({ first, last }), 100);
    return () => clearTimeout(timer);
  }, [first, last, onSight]);
  return (
    <>
      <Box role="table" aria-label="Recipients" aria-rowcount={total + 1}>
        <TableHead channel={channel} selection={selection} stickyTop={stickyTop} />
        <Box
          role="rowgroup"
          ref={listRef}
          sx={{ position: 'relative' }}
          style={{ height: rows.length * rowHeight }}
        >
          {rows.slice(first, last + 1).map((detail, offset) => (
            <ResultRow
              key={detail.RecipientID}
              broadcastId={broadcastId}
              channel={channel}
              detail={detail}
              index={first + offset}
              top={(first + offset) * rowHeight}
              isPhone={isPhone}
              isTicked={selection.isSelected(detail.RecipientID)}
              isTicking={selection.isAny}
              now={now}
              onToggle={selection.toggle}
            />
          ))}
        </Box>
      </Box>
      {isLoadingMore && (
        <SkeletonRows rows={2} rowHeight={rowHeight} face={26} label="Loading more recipients" />
      )}
      {hasMoreFailed && !isLoadingMore && (
        <Box sx={{ p: 2, textAlign: 'center' }}>
          <Button variant="text" size="small" onClick={() => void onLoadMore()}>
            More recipients couldn’t be loaded. Try again
          </Button>
        </Box>
      )}
    </>
  );
}

interface Head {
  name: string;
  /** Only where there is room. */
  isWide?: true;
  isRight?: true;
}

const heads = {
  texts: [
    { name: say('Phone') },
    { name: say('Status') },
    { name: 'Last change' },
    { name: say('Reply'), isWide: true },
  ],
  calls: [
    { name: say('Phone') },
    { name: say('Result') },
    { name: 'Answer, length' },
    { name: say('Attempts'), isWide: true, isRight: true },
    { name: 'Last call', isRight: true },
  ],
} as const satisfies Record<string, readonly Head[]>;

function TableHead({
  channel,
  selection,
  stickyTop,
}: Pick<ResultsTableProps, 'channel' | 'selection' | 'stickyTop'>) {
  return (
    <Box
      role="row"
      aria-rowindex={1}
      sx={{
        position: 'sticky',
        zIndex: 3,
        display: { xs: 'none', sm: 'grid' },
        gridTemplateColumns: columns[channel],
        alignItems: 'center',
        columnGap: 2,
        height: 38,
        px: 2.5,
        bgcolor: 'surface.sunken',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        typography: 'caption',
        fontWeight: 500,
        color: 'ink.three',
      }}
      style={{ top: stickyTop }}
    >
      <Box role="columnheader" sx={{ display: 'flex', alignItems: 'center', gap: '10px' }}>
        <Checkbox
          checked={selection.isAll}
          indeterminate={selection.isAny && !selection.isAll}
          onChange={(_, isOn) => (isOn ? selection.selectAll() : selection.clear())}
          slotProps={{ input: { 'aria-label': 'Select everyone in this view' } }}
          sx={{ width: 26, height: 26, padding: '4px' }}
        />
        Recipient
      </Box>
      {heads[channel].map(({ name, isWide, isRight }: Head) => (
        <Box
          key={name}
          role="columnheader"
          sx={{
            ...(isWide ? { display: { sm: 'none', md: 'block' } } : {}),
            ...(isRight ? { textAlign: 'right' } : {}),
          }}
        >
          {name}
        </Box>
      ))}
    </Box>
  );
}
