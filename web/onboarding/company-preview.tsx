import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Phone, PhoneOff } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';

/** Preview of a call and a text on a phone, with the name as it is typed. */
export function CompanyPreview({ name, phone }: { name: string; phone: string }) {
  const shown = name.trim() || 'Your organization';
  const number = phone.trim() || '(555) 010-0199';
  return (
    <Box component="aside" aria-label="How people will see you">
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        How people will see you
      </Typography>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          p: 2.25,
          borderRadius: '16px',
          color: '#F1F5F4',
          background: 'linear-gradient(160deg, #14544C, #082522 60%, #061A18)',
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="body2" sx={{ color: '#A9BFBA' }}>
            Incoming call
          </Typography>
          <Typography noWrap sx={{ fontSize: 16, fontWeight: 600 }}>
            {shown}
          </Typography>
          <Typography variant="body2" sx={{ color: '#A9BFBA' }}>
            {number}
          </Typography>
        </Box>
        {[
          { icon: PhoneOff, color: '#C2362B' },
          { icon: Phone, color: '#1E8E4E' },
        ].map(({ icon: Icon, color }) => (
          <Box
            key={color}
            aria-hidden
            sx={{
              width: 36,
              height: 36,
              flex: 'none',
              borderRadius: '50%',
              display: 'grid',
              placeItems: 'center',
              color: '#FFFFFF',
              bgcolor: color,
            }}
          >
            <Icon size={17} />
          </Box>
        ))}
      </Box>
      <Box
        sx={{
          mt: 1.75,
          p: 2,
          borderRadius: '16px',
          border: '1px solid',
          borderColor: 'line.hair',
          bgcolor: 'background.paper',
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, mb: 1.5 }}>
          <Avatar name={shown} size={32} />
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body2" sx={{ fontWeight: 600 }}>
              {number}
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              Text message, now
            </Typography>
          </Box>
        </Box>
        <Typography sx={{ p: 1.5, borderRadius: '14px 14px 14px 2px', bgcolor: 'surface.sunken' }}>
          <strong>{shown}:</strong> we close at 1:30 PM today, ice is forecast. Please plan ahead.
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.5 }}>
        A short name leaves more room for the message. It counts toward the 160 characters.
      </Typography>
    </Box>
  );
}
