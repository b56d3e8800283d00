import Box from '@mui/material/Box';
import { Hourglass } from 'lucide-react';

/** The number of a step on the timeline. */
export function Mark({ position, isOn }: { position: number; isOn: boolean }) {
  return (
    <Box
      aria-hidden
      sx={{
        width: 26,
        height: 26,
        mt: '12px',
        flex: 'none',
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        typography: 'body2',
        fontWeight: 550,
        border: '1px solid',
        borderColor: isOn ? 'primary.main' : 'line.strong',
        bgcolor: isOn ? 'primary.main' : 'background.paper',
        color: isOn ? 'primary.contrastText' : 'text.secondary',
      }}
    >
      {position}
    </Box>
  );
}

/** How long it is until the next step. */
export function Wait({ words }: { words: string }) {
  if (words === '') return null;
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        mb: 1,
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <Hourglass size={14} strokeWidth={2} aria-hidden />
      {words}
    </Box>
  );
}
