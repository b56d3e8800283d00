import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Archive, CalendarClock, FilePen, Megaphone, Repeat2, SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { listBroadcasts, listRepeating } from '../../../contract/addresses/broadcasts.gen.ts';
import { listDrafts } from '../../../contract/addresses/drafts.gen.ts';
import type { Broadcast } from '../../../contract/broadcasts.ts';
import type { CallDefinition, CallInput, Reply } from '../../../contract/call.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeptRows } from '../../ui/kept-rows.tsx';
import { UncountedPager } from '../../ui/pager.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useBroadcastActions } from '../broadcast-actions.ts';
import type { BroadcastsSearch, BroadcastTab } from '../broadcast-address.ts';
import { useBroadcastDialogs } from '../broadcast-dialogs.tsx';
import { BroadcastRow } from './broadcast-row.tsx';
import type { ChangeSearch } from './broadcasts-page.tsx';
import { DraftRows } from './draft-rows.tsx';
import { RepeatingRows } from './repeating-rows.tsx';

const PAGE_SIZE = 25;

interface ListProps {
  search: BroadcastsSearch;
  onChange: ChangeSearch;
}

/** The rows of the tab that is chosen. */
export function BroadcastsList(props: ListProps) {
  switch (props.search.tab) {
    case 'drafts':
      return <Drafts {...props} />;
    case 'repeating':
      return <Repeating {...props} />;
    default:
      return <Broadcasts {...props} />;
  }
}

const categories = {
  broadcasting: 'Broadcasting',
  scheduled: 'Scheduled',
  completed: 'Completed',
} as const;

function Broadcasts({ search, onChange }: ListProps) {
  const { tab, q, label } = search;
  const actions = useBroadcastActions();
  const { open, dialogs } = useBroadcastDialogs(actions);
  const list = usePage(listBroadcasts, search, (page) => ({
    query: {
      ...page,
      ...(q ? { q } : {}),
      ...(label ? { labelId: label } : {}),
      ...(tab === 'archived' ? { archived: true } : {}),
      ...(tab !== undefined && tab in categories
        ? { category: categories[tab as keyof typeof categories] }
        : {}),
      // The next one to go out comes first, as in the list of repeating broadcasts.
      ...(tab === 'scheduled' ? { sortby: 'startdate' as const } : {}),
    },
  }));
  return (
    <Rows list={list} search={search} onChange={onChange} label="Broadcasts">
      {list.items.map((broadcast: Broadcast) => (
        <BroadcastRow key={broadcast.BroadcastID} broadcast={broadcast} actions={actions} onDialog={open} />
      ))}
      {dialogs}
    </Rows>
  );
}

function Drafts({ search, onChange }: ListProps) {
  const list = usePage(listDrafts, search, (page) => ({
    query: { ...page, ...(search.q ? { q: search.q } : {}) },
  }));
  return (
    <Rows list={list} search={search} onChange={onChange} label="Drafts">
      <DraftRows drafts={list.items} />
    </Rows>
  );
}

function Repeating({ search, onChange }: ListProps) {
  const list = usePage(listRepeating, search, (page) => ({
    query: { ...page, ...(search.q ? { q: search.q } : {}) },
  }));
  return (
    <Rows list={list} search={search} onChange={onChange} label="Repeating broadcasts">
      <RepeatingRows repeating={list.items} />
    </Rows>
  );
}

type Listing = CallDefinition & (typeof listBroadcasts | typeof listDrafts | typeof listRepeating);
interface Page {
  page: number;
  pagesize: number;
  next?: string;
}

/**
 * A page of a list. If the page before it was loaded, its Next value leads here; a page from an address is
 * found by its number.
 */
function usePage<C extends Listing>(
  call: C,
  search: BroadcastsSearch,
  toInput: (page: Page) => CallInput<C>,
) {
  const [nexts] = useState(() => new Map<string, string>());
  const { page = 1, ...asked } = search;
  const place = (number: number) => JSON.stringify([asked, number]);
  const next = nexts.get(place(page));
  const input = toInput({ page, pagesize: PAGE_SIZE, ...(next === undefined ? {} : { next }) });
  const query = useCallQuery(call, input, { keepPrevious: true });
  const { data, isPlaceholderData } = query as { data: Reply<C> | undefined; isPlaceholderData: boolean };
  if (data?.Next && !isPlaceholderData) nexts.set(place(page + 1), data.Next);
  return {
    items: (data?.Items ?? []) as Reply<C>['Items'],
    hasNext: data?.Next !== null && data?.Next !== undefined,
    isPending: data === undefined && query.isPending,
    isOld: isPlaceholderData,
    error: data === undefined ? query.error : null,
    refetch: () => void query.refetch(),
  };
}

interface RowsProps extends ListProps {
  list: {
    items: readonly unknown[];
    hasNext: boolean;
    isPending: boolean;
    isOld: boolean;
    error: Error | null;
    refetch: () => void;
  };
  label: string;
  children: ReactNode;
}

function Rows({ list, search, onChange, label, children }: RowsProps) {
  const { page = 1 } = search;
  // The last page became empty, or the address has a page number beyond the last page.
  const isBeyond =
    !list.isPending && !list.isOld && list.error === null && list.items.length === 0 && page > 1;
  useEffect(() => {
    if (isBeyond) onChange({ page: page > 2 ? page - 1 : undefined }, { replace: true });
  }, [isBeyond, page, onChange]);
  return (
    <KeptRows id="broadcast-rows" role="tabpanel" aria-label={label} isOld={list.isOld}>
      {list.isPending && (
        <SkeletonRows rows={6} rowHeight={72} isTwoLine label={`Loading ${label.toLowerCase()}`} />
      )}
      {list.error && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={list.refetch}>
            {shownMessage(list.error, errorCatalog.getBroadcasts)}
          </RetryNotice>
        </Box>
      )}
      {!list.isPending && !list.error && list.items.length === 0 && (
        <Nothing search={search} onChange={onChange} />
      )}
      {list.items.length > 0 && (
        <Box component="ul" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {children}
        </Box>
      )}
      {(page > 1 || list.hasNext) && (
        <UncountedPager
          page={page}
          pageSize={PAGE_SIZE}
          rows={list.items.length}
          hasNext={list.hasNext && !list.isOld}
          onPage={(to) => onChange({ page: to > 1 ? to : undefined })}
        />
      )}
    </KeptRows>
  );
}

const nothing: Record<BroadcastTab, { icon: typeof Megaphone; title: string; words: string }> = {
  all: {
    icon: Megaphone,
    title: 'Reach everyone at once',
    words: 'A broadcast is one text to many people, personalized for each. Results show up here.',
  },
  broadcasting: {
    icon: Megaphone,
    title: 'Nothing is sending right now',
    words: 'While a broadcast is sending, you can follow, pause or cancel it here.',
  },
  scheduled: {
    icon: CalendarClock,
    title: 'Nothing is scheduled',
    words: 'Scheduled broadcasts are listed here. You can change them until they start.',
  },
  completed: {
    icon: Megaphone,
    title: 'No completed broadcasts',
    words: 'Completed broadcasts are listed here with their results.',
  },
  drafts: {
    icon: FilePen,
    title: 'No drafts',
    words: 'Broadcasts that you start but don’t send are saved here. You can continue on any device.',
  },
  repeating: {
    icon: Repeat2,
    title: 'No repeating broadcasts',
    words: 'Choose “Repeating” when you create a broadcast to send it on a schedule.',
  },
  archived: {
    icon: Archive,
    title: 'The archive is empty',
    words: 'Archived broadcasts are hidden from the list but keep their results.',
  },
};

function Nothing({ search, onChange }: ListProps) {
  const mayCreate = useCan('createBroadcast');
  const { icon, title, words } = nothing[search.tab ?? 'all'];
  if (search.q || search.label)
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        action={<Button onClick={() => onChange({ q: undefined, label: undefined })}>Show all</Button>}
      >
        No broadcast here matches {search.q ? `“${search.q}”` : 'this label'}.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        mayCreate &&
        search.tab !== 'archived' && (
          <RouterButton to="/broadcasts/create" search={{}}>
            New broadcast
          </RouterButton>
        )
      }
    >
      {words}
    </EmptyState>
  );
}
