import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from './format.ts';

interface PageProps {
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
}

/** Under a card's rows: which of them are shown, and the way to the others. Only where there is more than one page. */
export function Pager({ page, pageSize, size, onPage }: PageProps & { size: number }) {
  if (size <= pageSize) return null;
  return (
    <PagerBar page={page} hasNext={page < Math.ceil(size / pageSize)} onPage={onPage}>
      <span>
        {formatCount((page - 1) * pageSize + 1)}–{formatCount(Math.min(size, page * pageSize))} of{' '}
        {formatCount(size)}
      </span>
    </PagerBar>
  );
}

interface UncountedPagerProps extends PageProps {
  /** How many rows the page has. */
  rows: number;
  hasNext: boolean;
}

/** The same for a list that says only whether there is more. */
export function UncountedPager({ page, pageSize, rows, hasNext, onPage }: UncountedPagerProps) {
  const first = (page - 1) * pageSize + 1;
  return (
    <PagerBar page={page} hasNext={hasNext} onPage={onPage}>
      <span role="status">
        {formatCount(first)}–{formatCount(first + Math.max(0, rows - 1))}
      </span>
    </PagerBar>
  );
}

interface PagerBarProps extends Pick<PageProps, 'page' | 'onPage'> {
  hasNext: boolean;
  children: ReactNode;
}

function PagerBar({ page, hasNext, onPage, children }: PagerBarProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: '4px',
        minHeight: 48,
        px: 2.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
        '& > span': { mr: 1 },
      }}
    >
      {children}
      <IconButton aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton aria-label="Next page" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </IconButton>
    </Box>
  );
}
