import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { type RefObject, useCallback } from 'react';
import type { Conversation } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { useSelection } from '../queries/selection.ts';
import { formatCount } from '../ui/format.ts';
import { KeyStrip } from '../ui/keys.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx';
import { ROW_HEIGHT } from './conversation-row.tsx';
import { EmptyList } from './empty-list.tsx';
import type { InboxSearch } from './inbox-address.ts';
import { inboxHints } from './inbox-keys.ts';
import type { useConversationList } from './inbox-queries.ts';
import { type InboxView, searchOfView, viewNames, viewOf } from './inbox-view.ts';
import { ListHead } from './list-head.tsx';
import { useMarkSelectionDone } from './mark-done.ts';
import { SelectionBar } from './selection-bar.tsx';

interface ListPaneProps {
  search: InboxSearch;
  numbers: readonly TextNumber[];
  conversations: ReturnType<typeof useConversationList>;
  openId: number | undefined;
  selection: ReturnType<typeof useSelection<number>>;
  listRef: RefObject<ConversationListHandle | null>;
  searchRef: RefObject<HTMLInputElement | null>;
  onSearch: (change: (before: InboxSearch) => InboxSearch, how?: { replace?: boolean }) => void;
  onCompose: () => void;
  onShowKeys: () => void;
}

export function ListPane(props: ListPaneProps) {
  const {
    search,
    numbers,
    conversations,
    openId,
    selection,
    listRef,
    searchRef,
    onSearch,
    onCompose,
    onShowKeys,
  } = props;
  const { list, rows, counts, total } = conversations;
  const { fetchNextPage } = list;
  const onLoadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const view = viewOf(search);
  const { markSelection, isPending } = useMarkSelectionDone(search);
  const change = (by: Partial<InboxSearch>) => onSearch((before) => ({ ...before, ...by }));
  const onQuery = useCallback(
    (q: string) => onSearch((before) => ({ ...before, q: q || undefined }), { replace: true }),
    [onSearch],
  );
  const tabCounts: Partial<Record<InboxView, number | undefined>> = {
    open: counts?.OpenCount,
    unread: counts?.UnreadCount,
  };
  return (
    <>
      <ListHead search={search} numbers={numbers} onChange={change} onCompose={onCompose} />
      <SearchField
        q={search.q ?? ''}
        placeholder="Search the last 2 weeks"
        inputRef={searchRef}
        onSearch={onQuery}
        sx={{ px: 2, pb: 1 }}
      />
      <Tabs
        value={view}
        onChange={(_, next: InboxView) => onSearch((before) => searchOfView(next, before))}
        aria-label="Conversations"
        sx={{
          px: '6px',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
          flex: 'none',
          // Four tabs in 320 px.
          '@media (min-width: 640px) and (max-width: 959.95px)': {
            '& .MuiTabs-list': { gap: 0 },
            '& .MuiTab-root': { px: 1 },
          },
        }}
      >
        {(Object.keys(viewNames) as InboxView[]).map((name) => (
          <Tab
            key={name}
            value={name}
            id={`inbox-tab-${name}`}
            aria-controls="inbox-list"
            label={<TabLabel name={viewNames[name]} count={tabCounts[name]} />}
          />
        ))}
      </Tabs>
      {selection.isAny && (
        <SelectionBar
          count={selection.count}
          total={total}
          isAll={selection.selection.Type === 'SelectedAll' || (total !== undefined && selection.isAll)}
          excluded={selection.selection.Type === 'SelectedAllExcept' ? selection.selection.Items.length : 0}
          isBusy={isPending}
          isDoneView={view === 'done'}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
          onMark={async (isDone) => {
            if (await markSelection(selection.selection, isDone)) selection.clear();
          }}
        />
      )}
      <Box
        id="inbox-list"
        role="tabpanel"
        aria-labelledby={`inbox-tab-${view}`}
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        {list.isPending ? (
          <SkeletonRows rows={8} rowHeight={ROW_HEIGHT} face={36} isTwoLine label="Loading conversations" />
        ) : rows.length === 0 ? (
          <EmptyList
            search={search}
            isError={list.isError}
            onRetry={() => void list.refetch()}
            onView={(next) => onSearch((before) => searchOfView(next, before))}
            onCompose={onCompose}
          />
        ) : (
          <ConversationList
            ref={listRef}
            rows={rows}
            search={search}
            openId={openId}
            selection={selection}
            hasMore={list.hasNextPage}
            isLoadingMore={list.isFetchingNextPage}
            moreFailed={list.isFetchNextPageError}
            onLoadMore={onLoadMore}
          />
        )}
      </Box>
      <KeyStrip hints={inboxHints} height={36} onShowAll={onShowKeys} />
    </>
  );
}

function TabLabel({ name, count }: { name: string; count: number | undefined }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'baseline', gap: '6px', fontSize: 13 }}>
      {name}
      {count !== undefined && count > 0 && (
        <Box
          component="span"
          sx={{
            typography: 'caption',
            fontWeight: 500,
            fontVariantNumeric: 'tabular-nums',
            color: 'ink.three',
            '.Mui-selected &': { color: 'primary.main' },
          }}
        >
          {formatCount(count)}
        </Box>
      )}
    </Box>
  );
}

/** Ticks belong to one tab, number and search. */
export function useListSelection(
  search: InboxSearch,
  total: number | undefined,
  rows: readonly Conversation[],
) {
  return useSelection<number>(total ?? rows.length, JSON.stringify({ ...search, compose: undefined }));
}
