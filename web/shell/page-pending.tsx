import Box from '@mui/material/Box';
import { useContext } from 'react';
import { InShell } from './in-shell.ts';
import { Mark } from './mark.tsx';

/** Plain: the sign-in page carries this too. */
const shape = { bgcolor: 'surface.sunken', borderRadius: '4px' } as const;

/** While a page's code is on its way: the shape of a head and a card, or, where even the shell is still to come, the mark. */
export function PagePending() {
  if (!useContext(InShell)) {
    return (
      <Box
        role="status"
        aria-label="Loading"
        sx={{ flex: 1, display: 'grid', placeItems: 'center', opacity: 0.4 }}
      >
        <Mark size={36} />
      </Box>
    );
  }
  return (
    <Box role="status" aria-label="Loading" sx={{ px: { xs: 2, sm: 3, laptop: 4 }, py: 3, width: '100%' }}>
      <Box sx={{ ...shape, width: 220, height: 24 }} />
      <Box sx={{ ...shape, width: 340, maxWidth: '100%', height: 14, mt: 1.5 }} />
      <Box
        sx={{
          mt: 4,
          height: 240,
          border: '1px solid',
          borderColor: 'line.hair',
          borderRadius: '10px',
          bgcolor: 'background.paper',
        }}
      />
    </Box>
  );
}
