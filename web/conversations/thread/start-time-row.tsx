import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { X } from 'lucide-react';
import { useTimeZone } from '../../queries/current-user.ts';
import { zoneName } from '../../ui/format.ts';

interface StartTimeRowProps {
  startAt: string;
  onChange: (startAt: string) => void;
  onClose: () => void;
}

/** The time to send a scheduled text. */
export function StartTimeRow({ startAt, onChange, onClose }: StartTimeRowProps) {
  const zone = useTimeZone();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, px: '14px', pb: 1 }}>
      <Box
        component="label"
        htmlFor="composer-start"
        sx={{ typography: 'body2', color: 'text.secondary', flex: 'none' }}
      >
        Start Time
      </Box>
      <OutlinedInput
        id="composer-start"
        type="datetime-local"
        autoFocus
        value={startAt}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ input: { 'aria-describedby': 'composer-start-zone composer-note' } }}
        sx={{ maxWidth: 220, flex: { xs: 1, tablet: 'none' }, minWidth: 0 }}
      />
      <Box
        id="composer-start-zone"
        component="span"
        // On a phone, below the field, so that the close button stays beside it.
        sx={{
          typography: 'caption',
          color: 'text.secondary',
          order: { xs: 1, tablet: 0 },
          flexBasis: { xs: '100%', tablet: 'auto' },
        }}
      >
        {zoneName(zone)}
      </Box>
      <IconButton aria-label="Send now instead" onClick={onClose}>
        <X size={16} />
      </IconButton>
    </Box>
  );
}
