import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { Example } from '../../reference/example.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The new key, this once. A click beside the dialog doesn't lose it. */
export function ShownKeyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const curl = `curl ${globalThis.location.origin}/api/v1/user \\\n  -H "Authorization: Bearer ${text}"`;
  return (
    <FormDialog isOpen onClose={onClose} width={560} isKeptOnClickBeside>
      <DialogTitle>Copy your key now</DialogTitle>
      <DialogContent
        sx={{ display: 'grid', gap: 2, alignContent: 'start', '.MuiDialogTitle-root + &&': { pt: 1.5 } }}
      >
        <Notice kind="warning">
          This is the only time Muster shows it. Keep it where your program keeps its secrets, and nowhere
          public.
        </Notice>
        <Example label="Key" text={text} isWrapped />
        <Example label="Try it" text={curl} isWrapped />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          I’ve copied it
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
