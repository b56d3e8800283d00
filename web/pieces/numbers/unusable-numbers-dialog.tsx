import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import type { TextNumber } from '../../../contract/numbers.ts';
import { useAccount, useUser } from '../../queries/current-user.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { numberState } from './number-state.ts';
import { textNumberLine } from './text-number-names.ts';

interface UnusableNumbersDialogProps {
  isOpen: boolean;
  numbers: readonly TextNumber[];
  /** Says what to do about it. */
  sentence: string;
  onClose: () => void;
}

/** Each number with the reason it can't be used, and what to do. */
export function UnusableNumbersDialog({ isOpen, numbers, sentence, onClose }: UnusableNumbersDialogProps) {
  const account = useAccount();
  const isOwner = useUser()?.IsMasterUser ?? false;
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <DialogTitle>No usable text numbers</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>{sentence}</Typography>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
          {numbers.map((number) => (
            <Box component="li" key={number.TextNumberID}>
              <Typography sx={{ fontWeight: 550 }}>{textNumberLine(number)}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {(account && numberState(number, account, Date.now()).sentence) ??
                  'This text number can’t send broadcasts.'}
              </Typography>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {isOwner && (
          <RouterButton variant="contained" color="primary" to="/text-setup">
            Set up texting
          </RouterButton>
        )}
      </DialogActions>
    </FormDialog>
  );
}
