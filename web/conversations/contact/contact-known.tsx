import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { useNavigate } from '@tanstack/react-router';
import { Plus, UserRoundPlus } from 'lucide-react';
import { type ComponentType, memo, Suspense, useCallback, useState } from 'react';
import { getContact } from '../../../contract/addresses/contacts.gen.ts';
import type { WholeContact } from '../../../contract/contacts.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { domesticDigits } from '../../../contract/phone/normalize-phone.ts';
import { consentWords } from '../../pieces/consents/consent-words.ts';
import { StatusMark } from '../../pieces/texts/status-mark.tsx';
import { useCallQuery } from '../../queries/calls.ts';
import { useThread } from '../../queries/thread.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { Section } from './pane-section.tsx';

/** The contact dialog. It belongs to contacts, so the route passes it in. */
export type ContactDialog = ComponentType<{
  open: boolean;
  onClose: () => void;
  phone?: string | undefined;
  person?: WholeContact | undefined;
}>;

/** The contact with this phone, its links, and the dialog that edits it or adds a new one. */
export function useContactCard({ PersonID, PhoneNumber }: Conversation, Dialog: ContactDialog) {
  const { data } = useCallQuery(
    getContact,
    { params: { PersonID: PersonID ?? 0 } },
    { enabled: PersonID !== null },
  );
  const person = PersonID === null ? undefined : data;
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const edit = useCallback(() => setOpen(true), []);
  const phone = person?.Phones.find((one) => domesticDigits(one.PhoneNumber) === domesticDigits(PhoneNumber));
  return {
    person,
    edit,
    evidence: phone ? consentWords({ Source: phone.PhoneSMSAuthorizationMethod, Wording: '' }) : '',
    history: PersonID !== null && (
      <RouterLink to="/contacts/contact/$personId" params={{ personId: PersonID }} variant="body2">
        History
      </RouterLink>
    ),
    add: PersonID === null && (
      <Box sx={{ px: 2.5, py: 2, borderBottom: '1px solid', borderColor: 'line.hair' }}>
        <Button size="small" fullWidth startIcon={<UserRoundPlus aria-hidden />} onClick={edit}>
          Add to contacts
        </Button>
      </Box>
    ),
    editLink: (what: string) =>
      person && (
        <Link component="button" type="button" variant="body2" aria-label={`Edit ${what}`} onClick={edit}>
          Edit
        </Link>
      ),
    dialog: wasOpen && (
      <Suspense>
        <Dialog open={isOpen} onClose={() => setOpen(false)} phone={PhoneNumber} person={person} />
      </Suspense>
    ),
  };
}

/** The contact's groups, each linked to its members. */
export const Groups = memo(function Groups({ person, onAdd }: { person: WholeContact; onAdd: () => void }) {
  const navigate = useNavigate();
  return (
    <Section title="Groups">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px' }}>
        {person.Lists.map(({ ListID, ListName }) => (
          <Chip
            key={ListID}
            label={ListName}
            onClick={() => void navigate({ to: '/contacts/group/$listId', params: { listId: ListID } })}
            sx={{ height: 24, maxWidth: '100%' }}
          />
        ))}
        <Chip
          variant="outlined"
          icon={<Plus size={13} strokeWidth={2} aria-hidden />}
          label="Add"
          aria-label="Add to a group"
          onClick={onAdd}
          sx={{ height: 24, borderStyle: 'dashed', color: 'text.primary' }}
        />
      </Box>
    </Section>
  );
});

const MOST_SENT = 3;

/** The latest broadcasts to this phone, from the loaded part of the thread, with their delivery status. */
export const RecentBroadcasts = memo(function RecentBroadcasts({
  conversationId,
}: {
  conversationId: number;
}) {
  const { messages } = useThread(conversationId);
  const sent = new Map<number, (typeof messages)[number]>();
  for (const message of messages) {
    const id = message.Broadcast?.BroadcastID;
    if (id !== undefined && !message.IsInbound && !sent.has(id)) sent.set(id, message);
  }
  if (sent.size === 0) return null;
  return (
    <Section title="Recent broadcasts">
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {[...sent].slice(0, MOST_SENT).map(([id, { Broadcast, Status, StatusTimestamp }]) => (
          <Box
            component="li"
            key={id}
            sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, py: '3px', typography: 'body2' }}
          >
            <RouterLink
              to="/broadcast-details/$broadcastId"
              params={{ broadcastId: id }}
              noWrap
              sx={{ minWidth: 0, color: 'text.primary', fontWeight: 400 }}
            >
              {Broadcast?.BroadcastName}
            </RouterLink>
            <Box sx={{ flex: 'none' }}>
              <StatusMark status={Status} at={StatusTimestamp} />
            </Box>
          </Box>
        ))}
      </Box>
    </Section>
  );
});
