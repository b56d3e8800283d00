import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { tollFreeCaps } from '../../contract/money/toll-free-caps.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';
import { formatCount } from '../ui/format.ts';

/** Amount that a toll-free number may send, now and once it is registered. */
export function TollFreeLimits({ number }: { number: TextNumber }) {
  const [isOpen, setOpen] = useState(false);
  if (!isTollFree(number.TextPhoneNumber)) return null;
  const isRegistered = number.RegistrationStatus === 'Registered';
  const rows = [
    ...(isRegistered ? [] : [{ label: 'Not registered, as now', status: 'Not Registered' }]),
    { label: isRegistered ? 'Registered, as now' : 'Registered', status: 'Registered' },
  ];
  return (
    <>
      <Button
        size="small"
        variant="text"
        aria-label={`Limits of ${textNumberName(number)}`}
        onClick={() => setOpen(true)}
      >
        Limits
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} slotProps={{ paper: { sx: { width: 440 } } }}>
        <DialogTitle>Toll-free limits</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography sx={{ color: 'text.secondary' }}>
            Carriers limit how many credits a toll-free number may spend on texts.
          </Typography>
          {rows.map(({ label, status }) => {
            const caps = tollFreeCaps({ ...number, RegistrationStatus: status }, Date.now());
            return (
              <Box key={label}>
                <Typography sx={{ fontWeight: 550 }}>{label}</Typography>
                <Typography>
                  {formatCount(caps.DailyCredits)} a day, {formatCount(caps.WeeklyCredits)} a week,{' '}
                  {formatCount(caps.MonthlyCredits)} a month
                </Typography>
              </Box>
            );
          })}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
