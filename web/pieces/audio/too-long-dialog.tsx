import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { Scissors } from 'lucide-react';
import { useId } from 'react';
import { deleteAudio, updateAudio } from '../../../contract/addresses/audio.gen.ts';
import type { Audio } from '../../../contract/audio.ts';
import { AUDIO_MAX_SECONDS } from '../../../contract/uploads/audio.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

interface TooLongDialogProps {
  /** The message that is over two minutes. */
  audio: Audio;
  /** With the message as it is now: shortened, kept as it was, or gone. */
  onDone: (audio: Audio | undefined) => void;
}

/** "Message too long": also opened by an over-length upload. Nothing is lost: it stays in the library unless deleted. */
export function TooLongDialog({ audio, onDone }: TooLongDialogProps) {
  const wordsId = useId();
  const cut = useCall(updateAudio);
  const remove = useCall(deleteAudio);
  const isBusy = cut.isPending || remove.isPending;
  const silence = audio.SilenceBefore + audio.SilenceAfter;
  const canCut = !audio.SilenceCut && silence > 0 && audio.Length - silence <= AUDIO_MAX_SECONDS;
  const attempt = async (act: () => Promise<Audio | undefined>) => {
    try {
      onDone(await act());
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error updating your recording.'));
    }
  };
  return (
    <Dialog
      open
      onClose={() => onDone(audio)}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 460 } } }}
    >
      <DialogTitle>Message too long</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        {audio.Problem} It’s in your library, but broadcasts can’t use it.
        {canCut && ` It fits if you cut the ${Math.round(silence)} silent seconds at the start and end.`}
      </DialogContent>
      <DialogActions>
        <Button
          variant="text"
          color="error"
          disabled={isBusy}
          onClick={() =>
            void attempt(async () => {
              const Selection = { Type: 'Selected' as const, Items: [audio.AudioID] };
              await remove.mutateAsync({ query: {}, body: { Selection } });
              return undefined;
            })
          }
        >
          Delete
        </Button>
        <Button disabled={isBusy} onClick={() => onDone(audio)}>
          Keep it
        </Button>
        {canCut && (
          <Button
            variant="contained"
            color="primary"
            startIcon={<Scissors aria-hidden />}
            disabled={isBusy}
            onClick={() =>
              void attempt(() =>
                cut.mutateAsync({ params: { AudioID: audio.AudioID }, body: { SilenceCut: true } }),
              )
            }
          >
            Cut the silence
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
