import Box from '@mui/material/Box';
import Chip, { type ChipProps } from '@mui/material/Chip';
import { createLink } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { Ref } from 'react';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { personName, type ScheduledPerson } from './scheduled-words.ts';

const ChipLink = createLink(function LinkedChip(
  props: Omit<ChipProps<'a'>, 'component'> & { ref?: Ref<HTMLAnchorElement> },
) {
  return <Chip component="a" clickable {...props} />;
});

/** The recipients; once sent, each links to the conversation. Failures are listed with their reason. */
export function ScheduledRecipients({ people }: { people: readonly ScheduledPerson[] }) {
  const failed = people.filter((person) => person.Error !== '');
  return (
    <>
      <Box
        component="ul"
        aria-label="Recipients"
        sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexWrap: 'wrap', gap: '6px', minWidth: 0 }}
      >
        {people.map((person) => (
          <Box component="li" key={person.PhoneNumber} sx={{ maxWidth: '100%', display: 'flex' }}>
            <Recipient person={person} />
          </Box>
        ))}
      </Box>
      {failed.length > 0 && (
        <Box
          component="ul"
          aria-label="Not sent to"
          sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: '4px', color: 'error.main' }}
        >
          {failed.map((person) => (
            <Box
              component="li"
              key={person.PhoneNumber}
              sx={{ display: 'flex', gap: '6px', typography: 'body2', overflowWrap: 'anywhere' }}
            >
              <Box component={TriangleAlert} size={14} aria-hidden sx={{ flex: 'none', mt: '3px' }} />
              <span>
                {personName(person)}: {person.Error}
              </span>
            </Box>
          ))}
        </Box>
      )}
    </>
  );
}

function Recipient({ person }: { person: ScheduledPerson }) {
  const { ConversationID, Error: problem, PhoneNumber, TextMessage } = person;
  const shown = {
    label: `${personName(person)}${TextMessage === null ? '' : ' · custom text'}`,
    title: formatPhone(PhoneNumber),
    sx: { height: 24, maxWidth: '100%', ...(problem ? { bgcolor: 'tint.error', color: 'error.main' } : {}) },
  };
  if (ConversationID === null) return <Chip {...shown} />;
  return <ChipLink {...shown} to="/inbox/$conversationId" params={{ conversationId: ConversationID }} />;
}
