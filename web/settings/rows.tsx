/** A card's rows, and what stands under them. */

import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../ui/format.ts';

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {children}
    </Box>
  );
}

/** Words at the left, what can be done at the right. */
export function Row({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
      {actions && <Box sx={{ display: 'flex', gap: '4px', flex: 'none' }}>{actions}</Box>}
    </Box>
  );
}

interface RowButtonProps {
  /** What it does and to what: "Delete BUS". */
  label: string;
  /** What it does. */
  tip: string;
  isPressed?: boolean;
  onPress: () => void;
  children: ReactNode;
}

export function RowButton({ label, tip, isPressed, onPress, children }: RowButtonProps) {
  return (
    <Tooltip title={tip}>
      <IconButton
        aria-label={label}
        {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
        onClick={onPress}
      >
        {children}
      </IconButton>
    </Tooltip>
  );
}

interface PagerProps {
  page: number;
  pageSize: number;
  size: number;
  onPage: (page: number) => void;
}

/** Only where there is more than one page. */
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
