import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Copy } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** The address to keep on a phone's home screen. */
export function PhoneCard() {
  const address = `${window.location.origin}/emergency`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showSnackbar('Link copied.');
    } catch {
      showSnackbar('The link couldn’t be copied. Select it and copy it yourself.');
    }
  };
  return (
    <Card title="On your phone">
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 1.5 }}>
        <Typography>
          Open this link on your phone, sign in, and choose “Add to Home Screen” in the browser’s menu. The
          emergency screen is then one tap away.
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <Typography component="code" sx={{ overflowWrap: 'anywhere', fontFamily: 'monospace' }}>
            {address}
          </Typography>
          <Button size="small" startIcon={<Copy aria-hidden />} onClick={() => void copy()}>
            Copy link
          </Button>
        </Box>
      </Box>
    </Card>
  );
}
