import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Copy, Download } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** Ten codes, shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `Muster recovery codes. Each works once.\n\n${codes.join('\n')}\n`;
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = 'muster-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const copy = async () => {
    // Over plain HTTP browsers have no clipboard.
    try {
      await navigator.clipboard.writeText(text);
      showSnackbar('Recovery codes copied.');
    } catch {
      showSnackbar('The codes couldn’t be copied. Select them and copy them yourself.');
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Notice kind="warning">
        Save these codes somewhere safe. Each lets you in once if you lose your phone or passkey. They aren’t
        shown again.
      </Notice>
      <Box
        component="ul"
        aria-label="Recovery codes"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 2,
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
          gap: 1,
          borderRadius: '10px',
          bgcolor: 'surface.sunken',
        }}
      >
        {codes.map((code) => (
          <Typography
            key={code}
            component="li"
            sx={{ fontFamily: 'ui-monospace, monospace', textAlign: 'center' }}
          >
            {code}
          </Typography>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button size="small" startIcon={<Download aria-hidden size={16} />} onClick={save}>
          Download
        </Button>
        <Button size="small" startIcon={<Copy aria-hidden size={16} />} onClick={() => void copy()}>
          Copy
        </Button>
      </Box>
    </Box>
  );
}
