import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Reply } from '../../../contract/call.ts';
import type { mergeContacts } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { nameOfContact } from '../contact/contact-name.ts';

interface MergePreviewProps {
  preview: Reply<typeof mergeContacts> | undefined;
  /** Number of contacts that are merged. */
  count: number;
}

/** The contact that would result. */
export function MergePreview({ preview, count }: MergePreviewProps) {
  return (
    <Box component="section" aria-label="After merging" aria-live="polite">
      <Typography variant="h3" component="h3" sx={{ mb: 1.5 }}>
        After merging
      </Typography>
      {count < 2 ? (
        <Typography sx={{ color: 'text.secondary' }}>Select at least two contacts.</Typography>
      ) : preview ? (
        <Merged preview={preview} />
      ) : (
        <Box sx={{ display: 'grid', gap: 1.25 }}>
          <Skeleton variant="rounded" height={30} width="70%" />
          <Skeleton variant="rounded" height={14} />
          <Skeleton variant="rounded" height={14} width="80%" />
        </Box>
      )}
    </Box>
  );
}

function Merged({ preview: { Contact: contact, DroppedPhones } }: { preview: Reply<typeof mergeContacts> }) {
  const phones = [contact.PrimaryPhone, contact.SecondaryPhone, contact.TertiaryPhone].filter(
    (phone) => phone !== '',
  );
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
        <Avatar name={fullName(contact)} size={36} />
        <Typography sx={{ fontWeight: 600, minWidth: 0, overflowWrap: 'anywhere' }}>
          {nameOfContact(contact)}
        </Typography>
      </Box>
      <Box component="dl" sx={{ display: 'grid', gap: 1.25, m: 0, typography: 'body2' }}>
        <Line name={say('Phones')}>
          {phones.map((phone) => (
            <div key={phone}>{formatPhone(phone)}</div>
          ))}
        </Line>
        {contact.Lists.length > 0 && (
          <Line name={say('Groups')}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mt: 0.5 }}>
              {contact.Lists.map(({ ListID, ListName, Color }) => (
                <Chip
                  key={ListID}
                  icon={<ColorMark of="group" color={Color} />}
                  label={ListName}
                  sx={{ bgcolor: 'surface.raised', '& .MuiChip-icon': { mr: '-2px' } }}
                />
              ))}
            </Box>
          </Line>
        )}
        {contact.Notes !== '' && <Line name={say('Notes')}>{contact.Notes}</Line>}
        {Object.entries(contact.CustomData).map(([name, value]) => (
          <Line key={name} name={name}>
            {value}
          </Line>
        ))}
      </Box>
      {DroppedPhones.length > 0 && (
        <Notice kind="warning">
          A contact can have up to three phones, so {DroppedPhones.map(formatPhone).join(', ')} won’t be kept.
        </Notice>
      )}
    </Box>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box component="dt" sx={{ color: 'text.secondary', typography: 'caption', overflowWrap: 'anywhere' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  );
}
