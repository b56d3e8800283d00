import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { InboxSearch } from '../inbox-address.ts';

interface SearchInProps {
  search: InboxSearch;
  onChange: (change: Partial<InboxSearch>) => void;
}

/** Chooses what the search covers. */
export function SearchIn({ search, onChange }: SearchInProps) {
  return (
    <Box sx={{ px: 2, pb: 1 }}>
      <ToggleButtonGroup
        exclusive
        fullWidth
        size="small"
        aria-label="Search in"
        value={search.searchin ?? 'both'}
        onChange={(_, value: 'both' | 'people' | 'texts' | null) => {
          if (value !== null) onChange({ searchin: value === 'both' ? undefined : value });
        }}
      >
        <ToggleButton value="both">Everything</ToggleButton>
        <ToggleButton value="people">People</ToggleButton>
        <ToggleButton value="texts">Texts</ToggleButton>
      </ToggleButtonGroup>
    </Box>
  );
}
