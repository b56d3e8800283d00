import Box from '@mui/material/Box';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { getContact, type WholeContact } from '../../contract/contacts.ts';
import { isNotFound } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { PagePending } from '../shell/page-pending.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { ContactDetails } from './contact-details.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { ContactGroups } from './contact-groups.tsx';
import { ContactHead } from './contact-head.tsx';
import { ContactHistory } from './contact-history.tsx';
import { nameOfContact } from './contact-name.ts';
import { ContactPhones } from './contact-phones.tsx';

/** One person: their phones and what they allowed, where they belong, and all that happened with them. */
export function ContactPage({ personId }: { personId: number }) {
  const { data: person, error } = useCallQuery(getContact, { params: { PersonID: personId } });
  usePageTitle(person ? nameOfContact(person) : 'Contact');
  if (person) return <Person person={person} />;
  if (!error) return <PagePending />;
  if (!isNotFound(error)) throw error;
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <EmptyState
        icon={UserX}
        titleComponent="h1"
        title="This contact is no longer here"
        action={
          <RouterButton to="/contacts" variant="contained" color="primary">
            Go to Contacts
          </RouterButton>
        }
      >
        It was removed for good, or belongs to a colleague.
      </EmptyState>
    </Box>
  );
}

function Person({ person }: { person: WholeContact }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <ContactHead person={person} onEdit={() => setEditing(true)} />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pb: 4,
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: '372px minmax(0, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
          <ContactPhones person={person} onEdit={() => setEditing(true)} />
          <ContactGroups person={person} />
          <ContactDetails person={person} onEdit={() => setEditing(true)} />
        </Box>
        <ContactHistory person={person} />
      </Box>
      <ContactDialog open={isEditing} person={person} onClose={() => setEditing(false)} />
    </>
  );
}
