import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

/** The user's password, on their profile. */
export function PasswordCard() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Password">
      <Box sx={{ px: 2.5, py: 2, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography sx={{ flex: '1 1 220px', color: 'text.secondary' }}>
          A new password signs you out everywhere else.
        </Typography>
        <Button onClick={() => setOpen(true)}>Change password</Button>
      </Box>
      <ChangePasswordDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Card>
  );
}
