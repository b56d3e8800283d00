import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Merge, Users } from 'lucide-react';
import { useState } from 'react';
import { listDuplicates } from '../../../contract/addresses/contacts.gen.ts';
import type { Contact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { shownMessage } from '../../api.ts';
import { useCallPages } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { nameOfContact } from '../contact/contact-name.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { contactLine } from './merge-words.ts';

/** Phones that belong to several contacts: the same person twice, or a family with one telephone. */
export function DuplicatesPage() {
  const pages = useCallPages(listDuplicates, {});
  const [merging, setMerging] = useState<readonly Contact[]>();
  const items = pages.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <>
      <PageHead
        title="Duplicates"
        crumb={
          <RouterLink to="/contacts" color="inherit">
            Contacts
          </RouterLink>
        }
        sentence="These contacts share a phone. Merge the ones that are the same person."
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2, maxWidth: 880 }}>
        {pages.isPending && (
          <Card>
            <SkeletonRows rows={6} rowHeight={56} face={30} isTwoLine label="Loading duplicates" />
          </Card>
        )}
        {pages.isError && !pages.data && (
          <RetryNotice onRetry={() => void pages.refetch()}>
            {shownMessage(pages.error, 'There was an error getting your contacts.')}
          </RetryNotice>
        )}
        {pages.data && items.length === 0 && (
          <Card>
            <EmptyState
              icon={Users}
              title="No duplicates"
              action={<RouterButton to="/contacts">Back to Contacts</RouterButton>}
            >
              When contacts share a phone, you can merge them here.
            </EmptyState>
          </Card>
        )}
        {items.map(({ PhoneNumber, Contacts }) => (
          <Card
            key={PhoneNumber}
            title={formatPhone(PhoneNumber)}
            count={countOf(Contacts.length, 'contact', 'contacts')}
            action={
              <Button size="small" startIcon={<Merge aria-hidden />} onClick={() => setMerging(Contacts)}>
                Merge
                <span style={visuallyHidden}> contacts with {formatPhone(PhoneNumber)}</span>
              </Button>
            }
          >
            <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
              {Contacts.map((contact) => (
                <ContactRow key={contact.PersonID} contact={contact} />
              ))}
            </Box>
          </Card>
        ))}
        {pages.hasNextPage && (
          <Box sx={{ display: 'grid', placeItems: 'center' }}>
            <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {pages.isFetchingNextPage ? 'Loading' : 'Show more'}
            </Button>
          </Box>
        )}
      </Box>
      {merging && (
        <MergeDialog
          open
          contacts={merging}
          onClose={() => setMerging(undefined)}
          onMerged={() => setMerging(undefined)}
        />
      )}
    </>
  );
}

function ContactRow({ contact }: { contact: Contact }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2.5,
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Avatar name={fullName(contact)} size={30} />
      <Box sx={{ minWidth: 0 }}>
        <RouterLink
          to="/contacts/contact/$personId"
          params={{ personId: contact.PersonID }}
          color="text.primary"
          sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}
        >
          {nameOfContact(contact)}
        </RouterLink>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {contactLine(contact)}
        </Typography>
      </Box>
    </Box>
  );
}
