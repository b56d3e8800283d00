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

/** Below a card's rows: the range shown, and links to other pages. Hidden if there is only one page. */
export function Pager({ page, pageSize, size, onPage }: PageProps & { size: number }) {
  if (size <= pageSize) return null;
  return (
    <PagerBar
      onPrevious={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={page < Math.ceil(size / pageSize) ? () => onPage(page + 1) : undefined}
    >
      <span>
        {formatCount((page - 1) * pageSize + 1)}–{formatCount(Math.min(size, page * pageSize))} of{' '}
        {formatCount(size)}
      </span>
    </PagerBar>
  );
}

interface UncountedPagerProps extends PageProps {
  /** The number of rows on the page. */
  rows: number;
  hasNext: boolean;
}

/** The same for a list that only knows whether there is more. */
export function UncountedPager({ page, pageSize, rows, hasNext, onPage }: UncountedPagerProps) {
  const first = (page - 1) * pageSize + 1;
  return (
    <PagerBar
      onPrevious={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={hasNext ? () => onPage(page + 1) : undefined}
    >
      <span role="status">
        {formatCount(first)}–{formatCount(first + Math.max(0, rows - 1))}
      </span>
    </PagerBar>
  );
}

interface PagerBarProps {
  /** Undefined on the first page; onNext is undefined on the last. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** The range of rows shown. */
  children: ReactNode;
}

/** The pager itself, for lists with other paging. */
export function PagerBar({ onPrevious, onNext, children }: PagerBarProps) {
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
      <IconButton aria-label="Previous page" disabled={!onPrevious} onClick={onPrevious}>
        <ChevronLeft />
      </IconButton>
      <IconButton aria-label="Next page" disabled={!onNext} onClick={onNext}>
        <ChevronRight />
      </IconButton>
    </Box>
  );
}
