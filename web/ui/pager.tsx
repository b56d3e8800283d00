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
  /** How many rows the page has. */
  rows: number;
  hasNext: boolean;
}

/** The same for a list that says only whether there is more. */
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
  /** Without one there is no page before; so with the next. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** Which rows are shown, as a span. */
  children: ReactNode;
}

/** The line itself, for lists that know their pages otherwise. */
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
