import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { FileSpreadsheet, ListFilter, type LucideIcon, UserRound, Users } from 'lucide-react';
import type { ContactSummary } from '../../contract/draft-recipients.ts';
import { formatCount } from '../ui/format.ts';

const icons: Record<string, LucideIcon> = {
  lists: Users,
  contacts: UserRound,
  typed: UserRound,
  pasted: ListFilter,
  file: FileSpreadsheet,
};

/** Where the recipients came from, and how many from each: "Grade 3 312", "2 pasted numbers". */
export function Sources({ sources }: { sources: ContactSummary['Sources'] }) {
  if (sources.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label="Where they come from"
      sx={{ listStyle: 'none', p: 0, display: 'flex', flexWrap: 'wrap', gap: '8px' }}
    >
      {sources.map(({ SourceID, Kind, Name, Count }) => {
        const Icon = icons[Kind] ?? Users;
        return (
          <Box component="li" key={SourceID} sx={{ minWidth: 0, maxWidth: '100%' }}>
            <Chip
              icon={<Icon size={14} strokeWidth={2} aria-hidden />}
              label={
                <>
                  {Name}
                  {!Name.startsWith(`${formatCount(Count)} `) && (
                    <Box
                      component="span"
                      sx={{ ml: '6px', color: 'text.primary', fontVariantNumeric: 'tabular-nums' }}
                    >
                      {formatCount(Count)}
                    </Box>
                  )}
                </>
              }
              title={Name}
              sx={{ height: 28, maxWidth: '100%' }}
            />
          </Box>
        );
      })}
    </Box>
  );
}
