import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { peopleWords } from './scheduled-words.ts';

interface AskDialogProps {
  about: 'send' | 'cancel';
  one: ScheduledConversation;
  isBusy: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** Neither can be taken back. */
export function AskDialog({ about, one, isBusy, onDo, onClose }: AskDialogProps) {
  const wordsId = useId();
  const people = peopleWords(one.Contacts);
  const isSending = about === 'send';
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>{isSending ? 'Send this text now?' : 'Cancel this text?'}</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {isSending
          ? `It goes to ${people} right away.`
          : `It won’t be sent to ${people}. This can’t be undone.`}
      </DialogContent>
      <DialogActions>
        <Button variant="text" autoFocus onClick={onClose}>
          {isSending ? 'Not now' : 'Keep it'}
        </Button>
        <Button variant="contained" color={isSending ? 'primary' : 'error'} disabled={isBusy} onClick={onDo}>
          {isSending ? 'Send now' : 'Cancel the text'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
