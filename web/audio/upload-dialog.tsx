import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Audio } from '../../contract/audio.ts';
import { AudioPlayer } from '../pieces/audio/audio-player.tsx';
import { AudioUpload } from '../pieces/audio/audio-upload.tsx';
import { useStopOnLeave } from '../pieces/audio/player.ts';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { freshenAudio } from './audio-actions.ts';

export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <DialogHead title="Upload recordings" onClose={onClose} />
      <UploadBody onClose={onClose} />
    </FormDialog>
  );
}

function UploadBody({ onClose }: { onClose: () => void }) {
  useStopOnLeave();
  const client = useQueryClient();
  const [uploaded, setUploaded] = useState<readonly Audio[]>([]);
  return (
    <>
      <DialogBody gap={2}>
        <AudioUpload
          onUploaded={(audio) => {
            setUploaded((before) => [...before.filter(({ AudioID }) => AudioID !== audio.AudioID), audio]);
            freshenAudio(client);
          }}
        />
        {uploaded.map((audio) => (
          <Box key={audio.AudioID} sx={{ display: 'grid', gap: 1 }}>
            <Notice kind={audio.Problem ? 'warning' : 'success'} title={audio.Name}>
              {audio.Problem ?? 'It is in your library.'}
            </Notice>
            <AudioPlayer
              name={audio.Name}
              playerKey={`audio-${audio.AudioID}`}
              source={audio.PlayUri}
              peaks={audio.Peaks}
              length={audio.Length}
            />
          </Box>
        ))}
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
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
        </Button>
      </Box>
    </>
  );
}
