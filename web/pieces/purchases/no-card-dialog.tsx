import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';

/** For admins: without a card on file, only an owner can go on. */
export function NoCardDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const wordsId = useId();
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>There is no credit card on file</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        Ask an account owner to add a card. After that, you can pay with it.
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
