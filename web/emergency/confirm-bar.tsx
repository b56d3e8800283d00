import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Siren } from 'lucide-react';
import type { EmergencyPreview } from '../../contract/emergencies.ts';
import { footRef } from '../ui/foot-height.ts';
import { Notice } from '../ui/notice.tsx';
import { confirmWords, costWords } from './emergency-words.ts';

interface ConfirmBarProps {
  preview: EmergencyPreview | undefined;
  isDrill: boolean;
  hasMessage: boolean;
  problem: string | undefined;
  isSending: boolean;
  onConfirm: () => void;
}

/** The one confirmation, at the bottom, with what it costs beside it. */
export function ConfirmBar({ preview, isDrill, hasMessage, problem, isSending, onConfirm }: ConfirmBarProps) {
  const isReady = preview !== undefined && preview.Refusal === null;
  return (
    <Box
      ref={footRef}
      sx={{
        flex: 'none',
        px: { xs: 2, sm: 3, laptop: 4 },
        pt: 1.5,
        pb: 'calc(12px + env(safe-area-inset-bottom))',
        display: 'grid',
        gap: 1,
        bgcolor: 'background.paper',
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      <Typography variant="body2" aria-live="polite" sx={{ textAlign: 'center', color: 'text.secondary' }}>
        {preview ? costWords(preview) : hasMessage ? 'Choose who should know.' : 'Choose what happened.'}
      </Typography>
      <Button
        variant="contained"
        color={isDrill ? 'warning' : 'error'}
        disabled={!isReady || isSending}
        startIcon={<Siren aria-hidden />}
        onClick={onConfirm}
        sx={{ width: '100%', maxWidth: 560, mx: 'auto', minHeight: 56, fontSize: 17 }}
      >
        {isSending ? 'Sending…' : confirmWords(preview, isDrill)}
      </Button>
    </Box>
  );
}
