import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from './format.ts';

interface PagerProps {
  page: number;
  pageSize: number;
  size: number;
  onPage: (page: number) => void;
}

/** Under a card's rows: which of them are shown, and the way to the others. Only where there is more than one page. */
export function Pager({ page, pageSize, size, onPage }: PagerProps) {
  if (size <= pageSize) return null;
  const last = Math.ceil(size / pageSize);
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
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box component="span" sx={{ typography: 'body2', mr: 1 }}>
        {formatCount((page - 1) * pageSize + 1)}–{formatCount(Math.min(size, page * pageSize))} of{' '}
        {formatCount(size)}
      </Box>
      <IconButton aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton aria-label="Next page" disabled={page >= last} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </IconButton>
    </Box>
  );
}
