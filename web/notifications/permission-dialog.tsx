import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { closePermissionDialog, useIsAskingPermission } from '../pieces/notifications/browser-permission.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { turnOn } from './browser-notices.ts';
import { chooseNotices } from './notice-choice.ts';

/** Asks before the browser does, because the browser asks only once and remembers a no forever. */
export function PermissionDialog({ userId }: { userId: number }) {
  const isOpen = useIsAskingPermission();
  const wordsId = useId();
  const leave = () => {
    chooseNotices(userId, 'off');
    closePermissionDialog();
  };
  const allow = async () => {
    const answer = await Notification.requestPermission();
    closePermissionDialog();
    if (answer === 'granted') await turnOn(userId);
    else if (answer === 'denied')
      showSnackbar(
        'Your browser blocks notifications from this site. You can allow them next to the address bar.',
      );
  };
  return (
    <Dialog
      open={isOpen}
      onClose={leave}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>Turn on browser notifications?</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        Muster notifies you of new texts while you work in another tab or app. When your browser asks, choose
        Allow.
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={leave}>
          Not now
        </Button>
        <Button variant="contained" color="primary" autoFocus onClick={() => void allow()}>
          Turn on
        </Button>
      </DialogActions>
    </Dialog>
  );
}
