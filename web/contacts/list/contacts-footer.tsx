import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { ListState } from '../../queries/list-search.ts';
import type { useContactList } from './contacts-queries.ts';
import { pageSizeChoices, pageSizeOf, rangeWords } from './contacts-view.ts';

interface ContactsFooterProps {
  list: ReturnType<typeof useContactList>;
  onChange: (by: Partial<ListState>) => void;
}

/** The number of rows, the range shown, and paging. */
export function ContactsFooter({ list, onChange }: ContactsFooterProps) {
  const { state, rows, total, isMore, hasNext, isOld } = list;
  const pagesize = pageSizeOf(state.pagesize);
  const labelId = useId();
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 48,
        px: 2,
        flex: 'none',
        borderTop: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <span id={labelId}>Rows</span>
      <Select
        value={pagesize}
        onChange={(event) => onChange({ pagesize: Number(event.target.value) })}
        SelectDisplayProps={{ 'aria-labelledby': labelId }}
        variant="standard"
        disableUnderline
        sx={{
          typography: 'body2',
          fontWeight: 550,
          color: 'text.primary',
          borderRadius: '6px',
          '&.Mui-focused': { outline: '2px solid', outlineColor: 'primary.main' },
          '& .MuiSelect-select': {
            py: '4px',
            pl: '8px',
            pr: '30px !important',
            bgcolor: 'transparent !important',
          },
          '& .MuiSelect-icon': { width: 14, height: 14, top: 'calc(50% - 7px)', right: 8 },
        }}
      >
        {pageSizeChoices.map((size) => (
          <MenuItem key={size} value={size}>
            {size}
          </MenuItem>
        ))}
      </Select>
      <Box sx={{ flex: 1 }} />
      <Box component="span" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {rangeWords({ page: state.page, pagesize, rows: rows.length, total, isMore })}
      </Box>
      <IconButton
        aria-label="Previous page"
        disabled={state.page <= 1}
        onClick={() => onChange({ page: state.page - 1 })}
      >
        <ChevronLeft />
      </IconButton>
      <IconButton
        aria-label="Next page"
        disabled={!hasNext || isOld}
        onClick={() => onChange({ page: state.page + 1 })}
      >
        <ChevronRight />
      </IconButton>
    </Box>
  );
}
