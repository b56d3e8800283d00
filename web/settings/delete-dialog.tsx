import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';

interface DeleteDialogProps {
  isOpen: boolean;
  title: string;
  /** Says what will be lost. */
  children: string;
  isBusy: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Confirms a deletion that can't be undone. */
export function DeleteDialog({ isOpen, title, children, isBusy, onDelete, onClose }: DeleteDialogProps) {
  const wordsId = useId();
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>{title}</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        {children}
      </DialogContent>
      <DialogActions>
        <Button variant="text" autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={isBusy} onClick={onDelete}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  );
}
