import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { countOf } from '../../ui/format.ts';

interface DeleteForGoodDialogProps {
  isOpen: boolean;
  count: number;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Confirms, because this is the one action that can't be undone. */
export function DeleteForGoodDialog({ isOpen, count, isBusy, onClose, onConfirm }: DeleteForGoodDialogProps) {
  const who = countOf(count, 'person', 'people');
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      maxWidth={false}
      aria-labelledby="delete-for-good-title"
      aria-describedby="delete-for-good-words"
      slotProps={{ paper: { sx: { width: 440, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <DialogTitle id="delete-for-good-title">Delete {who} permanently?</DialogTitle>
      <DialogContent id="delete-for-good-words" sx={{ color: 'text.secondary' }}>
        Their names, numbers and notes are deleted and can’t be restored. Your texts with them stay in the
        inbox, and opt-outs stay in effect.
      </DialogContent>
      <DialogActions>
        <Button variant="text" autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={isBusy} onClick={onConfirm}>
          Delete permanently
        </Button>
      </DialogActions>
    </Dialog>
  );
}
