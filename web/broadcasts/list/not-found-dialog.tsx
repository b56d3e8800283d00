import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { usePageTitle } from '../../ui/page-title.ts';

/** The address of a broadcast that no longer exists, or that this user could never see. */
export function NotFoundDialog() {
  const navigate = useNavigate();
  const wordsId = useId();
  usePageTitle('Broadcast not found');
  const leave = () => void navigate({ to: '/broadcasts', search: {}, replace: true });
  return (
    <Dialog
      open
      onClose={leave}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>Broadcast not found</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        It may have been deleted, or you don’t have permission to see it.
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" autoFocus onClick={leave}>
          Go to broadcasts
        </Button>
      </DialogActions>
    </Dialog>
  );
}
