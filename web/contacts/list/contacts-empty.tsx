import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { FolderOpen, ListFilter, SearchX, Trash2, UserCheck, Users } from 'lucide-react';
import { specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import type { ListState } from '../../queries/list-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';

interface ContactsEmptyProps {
  listId: number;
  list: List | undefined;
  state: ListState;
  isError: boolean;
  onRetry: () => void;
  onChange: (by: Partial<ListState>) => void;
  onAdd: () => void;
  onEditSegment: () => void;
}

/** Explains why there are no rows, and what to do. */
export function ContactsEmpty(props: ContactsEmptyProps) {
  if (props.isError)
    return (
      <Box sx={{ flex: 1, minHeight: 0, p: 2 }}>
        <RetryNotice onRetry={props.onRetry}>There was an error getting your contacts.</RetryNotice>
      </Box>
    );
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', display: 'grid', placeItems: 'center' }}>
      <Reason {...props} />
    </Box>
  );
}

function Reason({
  listId,
  list,
  state,
  onChange,
  onAdd,
  onEditSegment,
}: Omit<ContactsEmptyProps, 'isError' | 'onRetry'>) {
  const isEveryone = listId === specialGroups.everyone;
  if (state.q !== '') {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        action={
          isEveryone ? (
            <Button onClick={() => onChange({ q: '', filter: '' })}>Clear the search</Button>
          ) : (
            <RouterButton to="/contacts" search={{ q: state.q }}>
              Search Everyone
            </RouterButton>
          )
        }
      >
        Nobody {isEveryone ? '' : `in ${list?.ListName ?? 'this group'} `}has “{state.q}” in a name, number,
        note or custom field.
      </EmptyState>
    );
  }
  if (state.filter !== '') {
    return (
      <EmptyState
        icon={ListFilter}
        title="No matches"
        action={<Button onClick={() => onChange({ filter: '' })}>Clear the filter</Button>}
      >
        Nobody in this list matches the filter.
      </EmptyState>
    );
  }
  if (isEveryone) {
    return (
      <EmptyState
        icon={Users}
        title="No contacts yet"
        action={
          <Box sx={{ display: 'flex', gap: 1 }}>
            <RouterButton to="/contacts/import">Import a file</RouterButton>
            <Button onClick={onAdd}>Add contact</Button>
          </Box>
        }
      >
        Contacts are the people you call and text. Import them from a spreadsheet, or add them one at a time.
      </EmptyState>
    );
  }
  if (listId === specialGroups.unfiled) {
    return (
      <EmptyState icon={UserCheck} title="Everyone is in a group">
        People who aren’t in any group are listed here.
      </EmptyState>
    );
  }
  if (listId === specialGroups.deleted) {
    return (
      <EmptyState icon={Trash2} title="No deleted contacts">
        Deleted contacts are listed here. You can restore them along with their groups.
      </EmptyState>
    );
  }
  if (list?.Segment) {
    return (
      <EmptyState
        icon={ListFilter}
        title="Nobody matches this segment"
        action={<Button onClick={onEditSegment}>Edit segment</Button>}
      >
        People who match its conditions are added automatically.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={FolderOpen}
      title={`Nobody is in ${list?.ListName ?? 'this group'} yet`}
      action={
        <Box sx={{ display: 'flex', gap: 1 }}>
          <RouterButton to="/contacts" search={{}}>
            Choose from Everyone
          </RouterButton>
          <Button onClick={onAdd}>Add contact</Button>
        </Box>
      }
    >
      Select people in Everyone and add them to this group, or add someone new.
    </EmptyState>
  );
}
