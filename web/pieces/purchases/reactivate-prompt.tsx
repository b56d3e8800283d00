import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useLocation } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { mayReactivate, purchaseToGoOn } from '../../../contract/states/account-status.ts';
import { useAccount, useCan } from '../../queries/current-user.ts';
import { RouterButton } from '../../ui/router-button.tsx';

const seenKey = 'muster-reactivate-seen';

/** In the shell: once a session, whoever signs in to an account that has stopped is told how it goes on. */
export default function ReactivatePrompt() {
  const account = useAccount();
  const canReactivate = useCan('reactivateAccount');
  const isPaying = useLocation({ select: ({ pathname }) => /^\/(settings\/billing|upgrade)/.test(pathname) });
  const [isSeen, setSeen] = useState(() => sessionStorage.getItem(seenKey) !== null);
  const wordsId = useId();
  if (!account || isSeen || isPaying || !mayReactivate(account, Date.now())) return null;
  const close = () => {
    sessionStorage.setItem(seenKey, '1');
    setSeen(true);
  };
  return (
    <Dialog
      open
      onClose={close}
      maxWidth={false}
      aria-describedby={wordsId}
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>Reactivate Your Account</DialogTitle>
      <DialogContent id={wordsId} sx={{ color: 'text.secondary' }}>
        {canReactivate
          ? 'Your account isn’t active. You can look at everything, but nothing goes out until you reactivate it.'
          : 'Your account isn’t active. You can look at everything, but nothing goes out. Ask an account owner to reactivate it.'}
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={close}>
          {canReactivate ? 'Later' : 'Close'}
        </Button>
        {canReactivate && (
          <RouterButton
            variant="contained"
            color="primary"
            to="/settings/billing"
            search={{ open: purchaseToGoOn(account) }}
            onClick={close}
          >
            Reactivate
          </RouterButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
