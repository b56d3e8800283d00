import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Contact } from '../../../contract/contacts.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { nameOfContact } from '../contact/contact-name.ts';
import { contactLine } from './merge-words.ts';

interface MergeChoiceProps {
  contacts: readonly Contact[];
  keptId: number;
  leftOut: ReadonlySet<number>;
  onKeep: (id: number) => void;
  onLeaveOut: (id: number, isLeftOut: boolean) => void;
}

/** Chooses the contact that stays, and excludes those who are different people. */
export function MergeChoice({ contacts, keptId, leftOut, onKeep, onLeaveOut }: MergeChoiceProps) {
  const name = useId();
  return (
    <Box
      component="fieldset"
      sx={{
        m: 0,
        p: 0,
        minWidth: 0,
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        '& > div + div': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <legend style={{ position: 'absolute', clipPath: 'inset(50%)' }}>Contacts to merge</legend>
      {contacts.map((contact) => {
        const { PersonID } = contact;
        const isKept = PersonID === keptId;
        const isIn = !leftOut.has(PersonID);
        const shown = nameOfContact(contact);
        return (
          <Box
            key={PersonID}
            sx={{
              display: 'flex',
              alignItems: 'flex-start',
              gap: 1.25,
              px: 1.75,
              py: 1.5,
              bgcolor: isKept ? 'surface.selected' : 'transparent',
              '&:first-of-type': { borderRadius: '9px 9px 0 0' },
              '&:last-of-type': { borderRadius: '0 0 9px 9px' },
            }}
          >
            <Checkbox
              checked={isIn}
              disabled={isKept}
              onChange={(_, checked) => onLeaveOut(PersonID, !checked)}
              slotProps={{ input: { 'aria-label': `Merge ${shown}` } }}
              sx={{ mt: '2px' }}
            />
            <Avatar name={fullName(contact)} size={30} isDone={!isIn} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>{shown}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                {contactLine(contact)}
              </Typography>
              <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                Added <RelativeTime at={contact.CreateTimestamp} />
              </Typography>
            </Box>
            <FormControlLabel
              control={
                <Radio
                  name={name}
                  checked={isKept}
                  onChange={() => {
                    onLeaveOut(PersonID, false);
                    onKeep(PersonID);
                  }}
                  slotProps={{ input: { 'aria-label': `Keep ${shown}` } }}
                />
              }
              label="Keep"
              sx={{ flex: 'none', mt: '2px' }}
            />
          </Box>
        );
      })}
    </Box>
  );
}
