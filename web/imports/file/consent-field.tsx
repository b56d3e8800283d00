import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

/** Nobody is texted or called without consent, so somebody has to confirm it. */
export function ConsentField({
  isGiven,
  error,
  onChange,
}: {
  isGiven: boolean;
  error: string | undefined;
  onChange: (isGiven: boolean) => void;
}) {
  const id = useId();
  return (
    <div>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Checkbox
          id={id}
          checked={isGiven}
          required
          onChange={(_, next) => onChange(next)}
          slotProps={{
            input: {
              'aria-describedby': `${id}-note ${id}-kept`,
              'aria-invalid': error !== undefined,
            },
          }}
          sx={{ mt: '-2px', ml: '-3px' }}
        />
        <div>
          <label htmlFor={id}>
            These people agreed to get texts and calls from us.{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              (required)
            </Box>
          </label>
          <Typography
            id={`${id}-kept`}
            variant="body2"
            component="p"
            sx={{ mt: 0.25, color: 'text.secondary' }}
          >
            With each phone we record who confirmed this, when, and from which network address. It never
            overrides an opt-out.
          </Typography>
        </div>
      </Box>
      <FormHelperText id={`${id}-note`} error={error !== undefined} role={error ? 'alert' : undefined}>
        {error}
      </FormHelperText>
    </div>
  );
}
