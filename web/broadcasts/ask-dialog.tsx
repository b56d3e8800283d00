import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';

interface AskDialogProps {
  title: string;
  children: ReactNode;
  /** What the button that does it says. */
  action: string;
  keep: string;
  isBusy: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** Before what can't be taken back. */
export function AskDialog({ title, children, action, keep, isBusy, onDo, onClose }: AskDialogProps) {
  const wordsId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>{title}</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {children}
      </DialogContent>
      <DialogActions>
        <Button variant="text" autoFocus onClick={onClose}>
          {keep}
        </Button>
        <Button variant="contained" color="error" disabled={isBusy} onClick={onDo}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
