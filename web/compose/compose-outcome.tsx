import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { countOf } from '../ui/format.ts';
import type { Outcome } from './use-compose.ts';

/** Says who got the text and who didn't, when some sends failed. */
export function ComposeOutcome({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { sent, failed } = outcome;
  return (
    <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
      <DialogHead title={`Sent to ${countOf(sent, 'person', 'people')}`} onClose={onClose} />
      <DialogBody gap={1.5} intro={`${countOf(failed.length, 'person', 'people')} didn’t get it:`}>
        <Box component="ul" sx={{ p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
          {failed.map(({ label, error }) => (
            <Box component="li" key={label}>
              <Typography sx={{ fontWeight: 520 }}>{label}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {error}
              </Typography>
            </Box>
          ))}
        </Box>
      </DialogBody>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'flex-end',
          px: { xs: 2, sm: 4 },
          py: { xs: 1.5, sm: 2 },
          borderTop: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      </Box>
    </Box>
  );
}
