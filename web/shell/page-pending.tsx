import Box from '@mui/material/Box';
import { useLocation } from '@tanstack/react-router';
import { useContext } from 'react';
import { InShell } from './in-shell.ts';
import { Mark } from './mark.tsx';

/** Plain, because the sign-in page loads this too. */
const shape = { bgcolor: 'surface.sunken', borderRadius: '4px' } as const;

/** Shown while a page's code loads: a skeleton of a head and a card, or the logo before the shell has loaded. */
export function PagePending() {
  const pathname = useLocation({ select: (location) => location.pathname });
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
  if (pathname.startsWith('/inbox')) return <InboxPending />;
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

/** The skeleton of the list, next to the empty thread. */
function InboxPending() {
  const line = { borderBottom: '1px solid', borderColor: 'line.hair' } as const;
  return (
    <Box role="status" aria-label="Loading" sx={{ flex: 1, display: 'flex', bgcolor: 'background.paper' }}>
      <Box
        sx={{
          width: { xs: '100%', tablet: 320, md: 344 },
          borderRight: { tablet: '1px solid' },
          borderColor: { tablet: 'line.hair' },
        }}
      >
        <Box sx={{ height: 145, px: 2, pt: 2.5, ...line }}>
          <Box sx={{ ...shape, width: 80, height: 20 }} />
          <Box sx={{ ...shape, height: 36, mt: 2.5, borderRadius: '8px' }} />
        </Box>
        {[52, 38, 60, 44, 56, 40, 48, 36].map((width) => (
          <Box
            key={width}
            sx={{ display: 'flex', gap: 1.5, alignItems: 'center', height: 70, px: 2, ...line }}
          >
            <Box sx={{ ...shape, width: 36, height: 36, borderRadius: '50%', flex: 'none' }} />
            <Box sx={{ flex: 1 }}>
              <Box sx={{ ...shape, width: `${width}%`, height: 12 }} />
              <Box sx={{ ...shape, width: `${width + 30}%`, height: 10, mt: 1 }} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
