import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { BadgeCheck, WandSparkles } from 'lucide-react';
import type { EinLookupEntry } from '../../contract/forms/registration/registration-changes.ts';
import { countOf } from '../ui/format.ts';
import { say } from '../ui/say.ts';

/** Marks a field that was filled from the register of EINs. */
export function FilledMark() {
  return (
    <Box
      component={WandSparkles}
      size={16}
      role="img"
      aria-label="Filled in for you"
      sx={{ flex: 'none', alignSelf: 'center', color: 'primary.main' }}
    />
  );
}

interface FoundOrganizationProps {
  ein: string;
  entry: EinLookupEntry;
  /** Number of fields below that are filled with what was found. */
  filledCount?: number;
  onOther?: () => void;
}

/** Shows the EIN register's entry, and says that the fields were filled with it. */
export function FoundOrganization({ ein, entry, filledCount = 0, onOther }: FoundOrganizationProps) {
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
        <Box
          aria-hidden
          sx={{
            flex: 'none',
            p: 1,
            borderRadius: '8px',
            display: 'flex',
            bgcolor: 'tint.success',
            color: 'success.main',
          }}
        >
          <BadgeCheck size={20} />
        </Box>
        <Box sx={{ flex: '1 1 220px' }}>
          <Typography variant="h2" component="p">
            We found you
          </Typography>
          <Typography sx={{ color: 'text.secondary' }}>
            EIN <strong>{ein}</strong> belongs to the organization below. We filled in its details for you.
          </Typography>
          {filledCount > 0 && (
            <Typography sx={{ display: 'flex', gap: 0.75, alignItems: 'center', color: 'text.secondary' }}>
              <FilledMark /> {countOf(filledCount, 'field has this mark', 'fields have this mark')}
            </Typography>
          )}
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
