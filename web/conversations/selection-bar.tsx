import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { Check, RotateCcw, X } from 'lucide-react';
import { formatCount } from '../ui/format.ts';

interface SelectionBarProps {
  count: number;
  /** How many the list holds in all; undefined where nobody has counted them. */
  total: number | undefined;
  isAll: boolean;
  /** Everything is selected but so many. */
  excluded: number;
  isBusy: boolean;
  /** Done conversations are opened again, others marked done. */
  isDoneView: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  onMark: (isDone: boolean) => void;
}

/** "12 selected · Select all 38", and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, total, isAll, excluded, isBusy, isDoneView, onSelectAll, onClear, onMark } = props;
  const isCounted = total !== undefined;
  const uncounted = isAll
    ? 'All selected'
    : excluded > 0
      ? `All but ${formatCount(excluded)} selected`
      : undefined;
  const words = (isCounted ? undefined : uncounted) ?? `${formatCount(count)} selected`;
  return (
    <Box
      role="toolbar"
      aria-label="Selected conversations"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 48,
        pl: '10px',
        pr: '10px',
        bgcolor: 'tint.accent',
        borderBottom: '1px solid',
        borderColor: 'tint.accentLine',
        typography: 'body2',
      }}
    >
      <IconButton size="small" aria-label="Select nothing" onClick={onClear} sx={{ color: 'tint.accentInk' }}>
        <X />
      </IconButton>
      <Box
        role="status"
        sx={{ fontWeight: 550, color: 'tint.accentInk', fontVariantNumeric: 'tabular-nums' }}
      >
        {words}
      </Box>
      {!isAll && (
        <>
          <Box component="span" aria-hidden sx={{ color: 'tint.accentInk' }}>
            ·
          </Box>
          <Link
            component="button"
            type="button"
            variant="body2"
            onClick={onSelectAll}
            sx={{ color: 'tint.accentInk' }}
          >
            {isCounted ? `Select all ${formatCount(total)}` : 'Select all'}
          </Link>
        </>
      )}
      <Box sx={{ flex: 1 }} />
      <Button
        size="small"
        disabled={isBusy}
        startIcon={isDoneView ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
        onClick={() => onMark(!isDoneView)}
      >
        {isDoneView ? 'Reopen' : 'Done'}
      </Button>
    </Box>
  );
}
