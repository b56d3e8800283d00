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
  /** Undefined where the search has looked at everything. */
  onSearchFurther: (() => void) | undefined;
  onShowAll: () => void;
  onCompose: () => void;
  /** The numbers that are written from. */
  numbers: readonly TextNumber[];
}

const quiet: Record<Exclude<InboxView, 'open'>, { title: string; words: string }> = {
  unread: { title: 'Everything is read', words: 'New texts show here the moment they arrive.' },
  done: {
    title: 'Nothing is done yet',
    words: 'Conversations that need no answer any more stand here once you mark them done.',
  },
  autooptout: {
    title: 'Nobody has opted out',
    words: 'Those who write STOP are moved here and get no more texts.',
  },
  waiting: { title: 'Nobody is waiting', words: 'Everybody who wrote has got an answer.' },
  snoozed: {
    title: 'Nothing is snoozed',
    words: 'Conversations that you put off stand here until their time comes, or until they write.',
  },
};

/** Why the list has no rows, and what to do. */
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
        title="Nothing fits these filters"
        action={<Button onClick={onShowAll}>Take them off</Button>}
      >
        No conversation in {viewNames[view]} is like that.
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
      {creditAdvice ?? 'Write to somebody, or wait for them to write to you: answers arrive here.'}
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
          <Button onClick={() => onView(other)}>Look in {viewNames[other]}</Button>
        )
      }
    >
      No conversation{onSearchFurther ? ' of the last 2 weeks' : ''} in {viewNames[view]} has “{search.q}” in
      it.
    </EmptyState>
  );
}
