import Button from '@mui/material/Button';
import { CheckCheck, CloudAlert, Inbox, ListFilter, SearchX } from 'lucide-react';
import type { TextNumber } from '../../../contract/numbers.ts';
import { useCreditAdvice } from '../../pieces/numbers/texting-advice.tsx';
import { useCan } from '../../queries/current-user.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { InboxSearch } from '../inbox-address.ts';
import { filtersOf, type InboxView, viewNames, viewOf } from '../inbox-view.ts';

interface EmptyListProps {
  search: InboxSearch;
  isError: boolean;
  onRetry: () => void;
  onView: (view: InboxView) => void;
  /** Undefined once the search has covered everything. */
  onSearchFurther: (() => void) | undefined;
  onShowAll: () => void;
  onCompose: () => void;
  /** The numbers the user can text from. */
  numbers: readonly TextNumber[];
}

const quiet: Record<Exclude<InboxView, 'open'>, { title: string; words: string }> = {
  unread: { title: 'No unread conversations', words: 'New texts show up here as soon as they arrive.' },
  done: {
    title: 'No done conversations',
    words: 'Conversations move here when you mark them done.',
  },
  autooptout: {
    title: 'Nobody has opted out',
    words: 'People who text STOP move here and get no more texts.',
  },
  waiting: { title: 'Nobody is waiting', words: 'Everyone who texted you has a reply.' },
  noanswer: {
    title: 'Nothing to close',
    words: 'Conversations that end with thanks, an ok or a thumbs up are listed here.',
  },
  snoozed: {
    title: 'No snoozed conversations',
    words: 'Snoozed conversations stay here until the time you chose or until the person texts you.',
  },
};

/** Explains why the list is empty and offers a next step. */
export function EmptyList(props: EmptyListProps) {
  const { search, isError, onRetry, onShowAll, onCompose, numbers } = props;
  const view = viewOf(search);
  const creditAdvice = useCreditAdvice(numbers.find(({ IsDefault }) => IsDefault) ?? numbers[0]);
  const canCompose = useCan('createConversation');
  if (isError) {
    return (
      <EmptyState
        icon={CloudAlert}
        title="There was an error getting your conversations."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    );
  }
  if (search.q) return <NothingFound {...props} />;
  const { viewing, ...filters } = filtersOf(search);
  if (Object.keys(filters).length > 0 || viewing === 'mine' || viewing === 'unassigned') {
    return (
      <EmptyState
        icon={ListFilter}
        title="No conversations match these filters"
        action={<Button onClick={onShowAll}>Clear filters</Button>}
      >
        Clear them to see everything in {viewNames[view]}.
      </EmptyState>
    );
  }
  if (view !== 'open') {
    const { title, words } = quiet[view];
    return (
      <EmptyState icon={CheckCheck} title={title}>
        {words}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title="No open conversations"
      action={
        canCompose && (
          <Button variant="contained" color="primary" onClick={onCompose}>
            New conversation
          </Button>
        )
      }
    >
      {creditAdvice ?? 'Start a conversation. New texts and replies arrive here.'}
    </EmptyState>
  );
}

function NothingFound({ search, onView, onSearchFurther }: EmptyListProps) {
  const view = viewOf(search);
  const other: InboxView = view === 'done' ? 'open' : 'done';
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      action={
        onSearchFurther ? (
          <Button onClick={onSearchFurther}>Search further back</Button>
        ) : (
          <Button onClick={() => onView(other)}>Search in {viewNames[other]}</Button>
        )
      }
    >
      No conversation{onSearchFurther ? ' from the last 2 weeks' : ''} in {viewNames[view]} contains “
      {search.q}”.
    </EmptyState>
  );
}
