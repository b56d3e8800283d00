import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';

interface AskDialogProps {
  title: string;
  children: ReactNode;
  /** The label of the confirming button. */
  action: string;
  keep: string;
  /** Nothing is lost, so the button isn't red. */
  isHarmless?: boolean;
  isBusy: boolean;
  onDo: () => void;
  onClose: () => void;
}

/** Confirms an action that can't be undone. */
export function AskDialog(props: AskDialogProps) {
  const { title, children, action, keep, isHarmless = false, isBusy, onDo, onClose } = props;
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
        <Button variant="contained" color={isHarmless ? 'primary' : 'error'} disabled={isBusy} onClick={onDo}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
