import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { getContact } from '../../../contract/addresses/contacts.gen.ts';
import type { WholeContact } from '../../../contract/contacts.ts';
import { isNotFound } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { ContactDetails } from './contact-details.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { ContactGroups } from './contact-groups.tsx';
import { ContactHead } from './contact-head.tsx';
import { ContactHistory } from './contact-history.tsx';
import { nameOfContact } from './contact-name.ts';
import { ContactPhones } from './contact-phones.tsx';

/** One person: phones with consent, groups, and the whole history. */
export function ContactPage({ personId }: { personId: number }) {
  const { data: person, error, refetch } = useCallQuery(getContact, { params: { PersonID: personId } });
  usePageTitle(person ? nameOfContact(person) : say('Contact'));
  if (person) return <Person person={person} />;
  if (!error) return <ContactSkeleton />;
  if (!isNotFound(error))
    return (
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, py: 3 }}>
        <RetryNotice onRetry={() => void refetch()}>There was an error getting your contact.</RetryNotice>
      </Box>
    );
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <EmptyState
        icon={UserX}
        titleComponent="h1"
        title="Contact not found"
        action={
          <RouterButton to="/contacts" variant="contained" color="primary">
            Go to Contacts
          </RouterButton>
        }
      >
        It was permanently deleted, or you don’t have permission to see it.
      </EmptyState>
    </Box>
  );
}

const loadingCards = [
  ['Phones and consent', 3],
  [say('Groups'), 1],
  [say('Details'), 3],
] as const;

/** Avatar and name, three cards at the left, the history beside them. */
function ContactSkeleton() {
  return (
    <Box aria-busy>
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pt: 3, pb: 2.5 }}>
        <Skeleton variant="rounded" width={56} height={12} sx={{ mb: 1.5 }} />
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
          <Skeleton variant="circular" width={36} height={36} />
          <Skeleton variant="rounded" width={200} height={20} />
        </Box>
      </Box>
      <Box sx={columns}>
        <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
          {loadingCards.map(([title, rows]) => (
            <Card key={title} title={title}>
              <SkeletonRows rows={rows} label={`Loading: ${title}`} />
            </Card>
          ))}
        </Box>
        <Card title="History">
          <SkeletonRows rows={6} rowHeight={64} face={30} isTwoLine label="Loading history" />
        </Card>
      </Box>
    </Box>
  );
}

const columns = {
  px: { xs: 2, sm: 3, laptop: 4 },
  pb: 4,
  display: 'grid',
  gap: 2.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: '372px minmax(0, 1fr)' },
} as const;

function Person({ person }: { person: WholeContact }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <ContactHead person={person} onEdit={() => setEditing(true)} />
      <Box sx={columns}>
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
