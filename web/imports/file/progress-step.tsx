import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { cancelFile } from '../../../contract/addresses/imports.gen.ts';
import type { FileUpload } from '../../../contract/imports.ts';
import { genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { StepHead } from '../../ui/wizard-frame.tsx';
import { files, keepFile } from '../file-queries.ts';
import { progressCount, progressPace } from '../import-words.ts';

interface ProgressStepProps {
  file: FileUpload;
  title: string;
  sentence: string;
  /** The label of the button that stops it; without it there is no button. */
  cancel?: string;
}

/** PROCESS and IMPORT while in progress: how many rows, how fast, and how much longer. */
export function ProgressStep({ file, title, sentence, cancel }: ProgressStepProps) {
  const { Progress } = file;
  const share = Progress.Total ? Math.min(100, (100 * Progress.Done) / Progress.Total) : undefined;
  return (
    <Box sx={{ maxWidth: 640, mx: 'auto' }}>
      <StepHead title={title} sentence={sentence} />
      <MuiCard sx={{ p: 2.5 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="h4">{share === undefined ? '…' : `${Math.floor(share)}%`}</Typography>
          <Typography sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {progressCount(Progress)}
          </Typography>
        </Box>
        <LinearProgress
          aria-label={title}
          {...(share === undefined
            ? { variant: 'indeterminate' as const }
            : { variant: 'determinate' as const, value: share })}
          sx={{ mt: 1.5, mb: 1.25 }}
        />
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            gap: 2,
            minHeight: 30,
          }}
        >
          <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {progressPace(Progress)}
          </Typography>
          {cancel && <CancelButton fileId={file.FileID} label={cancel} />}
        </Box>
      </MuiCard>
    </Box>
  );
}

function CancelButton({ fileId, label }: { fileId: number; label: string }) {
  const client = useQueryClient();
  const call = useCall(cancelFile, {
    onSuccess: (file) => keepFile(client, file),
    onError: (error) => showSnackbar(shownMessage(error, genericMessage('updating', files))),
  });
  return (
    <Button
      size="small"
      disabled={call.isPending}
      onClick={() => call.mutate({ params: { FileID: fileId } })}
    >
      {label}
    </Button>
  );
}
