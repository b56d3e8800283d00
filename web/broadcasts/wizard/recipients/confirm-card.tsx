import MuiCard from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { countOf } from '../../../ui/format.ts';
import { reachWords } from '../summary-words.ts';

interface ConfirmCardProps {
  draft: DraftBroadcast;
  isConfirmed: boolean;
  /** Somebody tried to continue without it. */
  error: string | undefined;
  onConfirm: (isConfirmed: boolean) => void;
}

/**
 * "Step 2 is complete when recipients are confirmed": a call can't be undone, and is harder to ignore than a
 * text.
 */
export function ConfirmCard({ draft, isConfirmed, error, onConfirm }: ConfirmCardProps) {
  const id = useId();
  return (
    <MuiCard
      component="section"
      aria-label="Confirm recipients"
      sx={{ px: 2.5, py: 2, ...(error !== undefined ? { borderColor: 'error.main' } : {}) }}
    >
      <Typography sx={{ fontWeight: 550 }}>{reachWords(draft)}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 0.5 }}>
        {countOf(draft.TotalTextNumberCount, 'person was', 'people were')} added. People who asked not to be
        called, and numbers that aren’t valid, are left out.
      </Typography>
      <FormControlLabel
        control={
          <Checkbox
            checked={isConfirmed}
            onChange={(_, checked) => onConfirm(checked)}
            slotProps={{
              input: {
                'aria-invalid': error !== undefined,
                'aria-describedby': error === undefined ? undefined : id,
              },
            }}
          />
        }
        label="These are the people I want to reach"
      />
      {error !== undefined && (
        <FormHelperText error id={id} role="alert">
          {error}
        </FormHelperText>
      )}
    </MuiCard>
  );
}
