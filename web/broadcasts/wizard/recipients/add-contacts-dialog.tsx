import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Link from '@mui/material/Link';
import { UserRoundSearch } from 'lucide-react';
import { useState } from 'react';
import { listContacts } from '../../../../contract/addresses/contacts.gen.ts';
import { contactsToDraft } from '../../../../contract/addresses/drafts.gen.ts';
import { type Contact, specialGroups } from '../../../../contract/contacts.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { contactAddPageSize } from '../../../../contract/reference/paging.ts';
import { callApi, genericMessage, shownMessage } from '../../../api.ts';
import { useCallPages } from '../../../queries/calls.ts';
import { fullName } from '../../../queries/current-user.ts';
import { useSelection } from '../../../queries/selection.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { DialogBody, DialogFoot, DialogHead } from '../../../ui/dialog-parts.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { useAdd } from './use-add.ts';

interface AddContactsDialogProps {
  draftId: number;
  /** Number of people in the broadcast already; this decides the page size. */
  count: number;
  isOpen: boolean;
  onClose: () => void;
}

export function AddContactsDialog({ isOpen, ...rest }: AddContactsDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={rest.onClose} width={600} isFullOnPhone isKeptOnClickBeside>
      <AddContacts {...rest} />
    </FormDialog>
  );
}

/** Contacts found by name or number, ticked one by one or all at once. */
function AddContacts({ draftId, count, onClose }: Omit<AddContactsDialogProps, 'isOpen'>) {
  const [q, setQ] = useState('');
  // Not while somebody ticks rows: the list must not jump.
  const [pagesize] = useState(() => contactAddPageSize(count));
  const list = useCallPages(listContacts, {
    params: { ListID: specialGroups.everyone },
    query: { q, pagesize },
  });
  const [first] = list.data?.pages ?? [];
  const total = first?.Size ?? 0;
  const rows = list.data?.pages.flatMap(({ Items }) => Items);
  const selection = useSelection<number>(total, q);
  const { add, isBusy, problem } = useAdd(draftId, onClose);
  const submit = () =>
    add((idempotencyKey) =>
      callApi(
        contactsToDraft,
        {
          params: { ListID: specialGroups.everyone, DraftBroadcastID: draftId },
          query: { q },
          body: { Selection: selection.selection },
        },
        { idempotencyKey, missing: 'refuse' },
      ),
    );
  return (
    <>
      <DialogHead title="Add contacts" onClose={onClose} />
      <DialogBody gap={1.5} problem={problem}>
        <SearchField q={q} onSearch={setQ} placeholder="Search contacts" />
        <Box
          role="status"
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            minHeight: 24,
            typography: 'body2',
            color: 'text.secondary',
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          {formatCount(selection.count)} selected
          {selection.isAll ? (
            <Link component="button" variant="body2" onClick={selection.clear}>
              Select none
            </Link>
          ) : (
            total > 0 &&
            !first?.IsSimilar && (
              <Link component="button" variant="body2" onClick={selection.selectAll}>
                Select all {formatCount(total)}
                {first?.IsMore && '+'}
              </Link>
            )
          )}
        </Box>
        {list.error ? (
          <RetryNotice onRetry={() => void list.refetch()}>
            {shownMessage(list.error, genericMessage('getting', { one: 'contact', many: 'contacts' }))}
          </RetryNotice>
        ) : !rows ? (
          <SkeletonRows rows={8} face={26} />
        ) : rows.length === 0 ? (
          <EmptyState icon={UserRoundSearch} title="Nobody found" titleComponent="h3">
            {q === '' ? 'You don’t have any contacts yet.' : 'Try part of a name or number.'}
          </EmptyState>
        ) : (
          <Box component="ul" aria-label="Contacts" sx={{ listStyle: 'none', p: 0, mx: -1 }}>
            {rows.map((contact) => (
              <ContactRow
                key={contact.PersonID}
                contact={contact}
                isTicked={selection.isSelected(contact.PersonID)}
                onToggle={() => selection.toggle(contact.PersonID)}
              />
            ))}
          </Box>
        )}
        {list.hasNextPage && (
          <Button
            size="small"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
            sx={{ justifySelf: 'center' }}
          >
            Show more
          </Button>
        )}
      </DialogBody>
      <DialogFoot
        action={selection.isAny ? `Add ${countOf(selection.count, 'person', 'people')}` : 'Add people'}
        isDisabled={!selection.isAny || isBusy}
        onAction={() => void submit()}
        onClose={onClose}
      />
    </>
  );
}

interface ContactRowProps {
  contact: Contact;
  isTicked: boolean;
  onToggle: () => void;
}

function ContactRow({ contact, isTicked, onToggle }: ContactRowProps) {
  const phone = contact.PrimaryPhone ? formatPhone(contact.PrimaryPhone) : 'No phone';
  return (
    <Box component="li" sx={{ borderRadius: '8px', bgcolor: isTicked ? 'surface.selected' : 'transparent' }}>
      <Box
        component="label"
        sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minHeight: 44, px: 1, cursor: 'pointer' }}
      >
        <Checkbox checked={isTicked} onChange={onToggle} />
        <Avatar name={fullName(contact)} size={26} />
        <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
          <Box component="span" sx={{ display: 'block', fontWeight: 520, overflowWrap: 'anywhere' }}>
            {fullName(contact) || phone}
          </Box>
          {contact.PrimaryPhoneError && (
            <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'warning.main' }}>
              {contact.PrimaryPhoneError}
            </Box>
          )}
        </Box>
        <Box component="span" sx={{ typography: 'body2', color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {fullName(contact) && phone}
        </Box>
      </Box>
    </Box>
  );
}
