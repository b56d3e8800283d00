import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Siren } from 'lucide-react';
import type { EmergencyPreview } from '../../contract/emergencies.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { footRef } from '../ui/foot-height.ts';
import { Notice } from '../ui/notice.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import type { Chosen } from './emergency-state.ts';
import { barWords, confirmWords, heldWords } from './emergency-words.ts';

interface ConfirmBarProps {
  preview: EmergencyPreview | undefined;
  /** The cost and the recipients are being counted. */
  isCounting: boolean;
  chosen: Chosen;
  problem: string | undefined;
  isSending: boolean;
  onChange: (changed: Partial<Chosen>) => void;
  onConfirm: () => void;
}

/** The one confirmation, under the thumb, with what it costs and whom it leaves out beside it. */
export function ConfirmBar(props: ConfirmBarProps) {
  const { preview, isCounting, chosen, problem, isSending, onChange, onConfirm } = props;
  const isReady = preview !== undefined && preview.Refusal === null;
  const { isDrill, messageId, ignoresHours } = chosen;
  return (
    <Box
      ref={footRef}
      sx={{
        flex: 'none',
        px: { xs: 2, sm: 3, laptop: 4 },
        pt: 1.5,
        pb: 'calc(12px + env(safe-area-inset-bottom))',
        bgcolor: 'background.paper',
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ maxWidth: 560, mx: 'auto', display: 'grid', gap: 1 }}>
        {problem && <Notice kind="error">{problem}</Notice>}
        <Hours preview={preview} isOn={ignoresHours} onChange={(isOn) => onChange({ ignoresHours: isOn })} />
        <Typography variant="body2" aria-live="polite" sx={{ textAlign: 'center', color: 'text.secondary' }}>
          {preview ? barWords(preview) : waitingWords(messageId, isCounting)}
        </Typography>
        <Button
          fullWidth
          variant="contained"
          color={isDrill ? 'warning' : 'error'}
          disabled={!isReady || isSending}
          startIcon={<Siren aria-hidden />}
          onClick={onConfirm}
          sx={{ minHeight: 56, fontSize: 17 }}
        >
          {isSending ? 'Sending…' : confirmWords(preview, { isDrill, ignoresHours })}
        </Button>
      </Box>
    </Box>
  );
}

function waitingWords(messageId: Chosen['messageId'], isCounting: boolean): string {
  if (isCounting) return 'Counting who gets it…';
  return messageId === undefined ? 'Choose what happened.' : 'Choose what to say and who should know.';
}

interface HoursProps {
  preview: EmergencyPreview | undefined;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Quiet hours and the calling window apply, unless somebody chooses otherwise. */
function Hours({ preview, isOn, onChange }: HoursProps) {
  const zone = useTimeZone();
  const held = preview && heldWords(preview, zone);
  if (held === undefined && !isOn) return null;
  return (
    <Box
      sx={{
        px: 1.5,
        py: 1,
        borderRadius: '10px',
        border: '1px solid',
        borderColor: 'tint.warningLine',
        bgcolor: 'tint.warning',
      }}
    >
      <SwitchRow
        label="Send now, whatever the hour"
        help={
          isOn || held === undefined
            ? 'Quiet hours don’t hold for this one. Your name is recorded with this choice.'
            : held
        }
        isOn={isOn}
        onChange={onChange}
      />
    </Box>
  );
}
