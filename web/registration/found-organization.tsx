import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { BadgeCheck } from 'lucide-react';
import type { EinLookupEntry } from '../../contract/forms/registration/registration-changes.ts';
import { say } from '../ui/say.ts';

interface FoundOrganizationProps {
  ein: string;
  entry: EinLookupEntry;
  onOther?: () => void;
}

/** What the register of EINs knows, and that the fields were filled with it. */
export function FoundOrganization({ ein, entry, onOther }: FoundOrganizationProps) {
  const facts = [
    ['Company name', entry.companyName],
    [say('Address'), entry.address1],
    [
      'City, state, zip',
      [entry.city, entry.state]
        .filter(Boolean)
        .join(', ')
        .concat(` ${entry.zipCode ?? ''}`)
        .trim(),
    ],
    [say('Website'), entry.website?.replace(/^https?:\/\/(www\.)?/, '')],
  ].filter(([, value]) => value);
  return (
    <Box
      role="status"
      sx={{
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        overflow: 'hidden',
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, p: 2, alignItems: 'flex-start' }}>
        <Box component={BadgeCheck} aria-hidden size={22} sx={{ color: 'success.main', flex: 'none' }} />
        <Box sx={{ flex: '1 1 220px' }}>
          <Typography variant="h2" component="p">
            We found you
          </Typography>
          <Typography sx={{ color: 'text.secondary' }}>
            EIN <strong>{ein}</strong> belongs to the organization below. We filled in its details for you.
          </Typography>
        </Box>
        {onOther && (
          <Button variant="text" size="small" onClick={onOther}>
            Use another EIN
          </Button>
        )}
      </Box>
      <Box
        component="dl"
        sx={{
          m: 0,
          p: 2,
          bgcolor: 'background.default',
          borderTop: '1px solid',
          borderColor: 'line.hair',
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: 'repeat(auto-fit, minmax(180px, 1fr))',
        }}
      >
        {facts.map(([label, value]) => (
          <div key={label}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {label}
            </Typography>
            <Typography component="dd" sx={{ m: 0, fontWeight: 550 }}>
              {value}
            </Typography>
          </div>
        ))}
      </Box>
    </Box>
  );
}
