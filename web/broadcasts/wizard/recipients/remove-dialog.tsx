import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { countOf } from '../../../ui/format.ts';

interface RemoveDialogProps {
  /** Number of people to remove; without it the dialog is closed. */
  count: number | undefined;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks before many are removed: it happens in the background and can't be undone. */
export function RemoveDialog({ count, onRemove, onClose }: RemoveDialogProps) {
  return (
    <Dialog open={count !== undefined} onClose={onClose}>
      <DialogTitle>Remove {countOf(count ?? 0, 'person', 'people')}?</DialogTitle>
      <DialogContent>They stay in your contacts. You can add them again.</DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" color="error" onClick={onRemove}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  );
}
