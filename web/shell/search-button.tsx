import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Tooltip from '@mui/material/Tooltip';
import { Search } from 'lucide-react';
import { memo } from 'react';
import { KeyCap } from '../ui/key-cap.tsx';
import { visuallyHidden } from '../ui/visually-hidden.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const keys = isMac ? '⌘K' : 'Ctrl K';

/** Opens the search over everything. */
export const SearchButton = memo(function SearchButton({
  isRail,
  onClick,
}: {
  isRail: boolean;
  onClick: () => void;
}) {
  const button = (
    <ButtonBase
      onClick={onClick}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      sx={{
        mt: '12px',
        height: isRail ? 44 : 36,
        px: '10px',
        gap: '11px',
        flex: 'none',
        justifyContent: isRail ? 'center' : 'flex-start',
        borderRadius: '8px',
        font: 'inherit',
        color: 'text.secondary',
        ...(isRail ? {} : { border: '1px solid', borderColor: 'line.strong', bgcolor: 'background.paper' }),
        '&:hover': { bgcolor: 'surface.hover' },
      }}
    >
      <Search size={isRail ? 20 : 16} strokeWidth={1.75} aria-hidden />
      {isRail ? (
        <span style={visuallyHidden}>Search</span>
      ) : (
        <>
          <Box component="span" sx={{ flex: 1, textAlign: 'left' }}>
            Search
          </Box>
          <Box component="span" aria-hidden sx={{ '@media (hover: none)': { display: 'none' } }}>
            <KeyCap>{keys}</KeyCap>
          </Box>
        </>
      )}
    </ButtonBase>
  );
  return isRail ? (
    <Tooltip describeChild title={`Search (${keys})`} placement="right">
      {button}
    </Tooltip>
  ) : (
    button
  );
});
