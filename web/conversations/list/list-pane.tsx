import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { lazy, memo, type RefObject, Suspense, useCallback } from 'react';
import type { TextNumber } from '../../../contract/numbers.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import type { NewConversation } from '../../queries/new-conversation.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { formatDate } from '../../ui/format.ts';
import { KeyStrip } from '../../ui/keys.tsx';
import { useNow } from '../../ui/now.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { TabWords } from '../../ui/tab-words.tsx';
import { untilOnline } from '../../ui/until-online.ts';
import type { ActionKind } from '../actions/conversation-actions.tsx';
import type { InboxSearch } from '../inbox-address.ts';
import { inboxHints } from '../inbox-keys.ts';
import { countOf, type useConversationList, type useDoneToday } from '../inbox-queries.ts';
import { filtersOf, type InboxView, searchOfView, tabViews, viewNames, viewOf } from '../inbox-view.ts';
import { Beginnings } from './beginnings.tsx';
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx';
import { DoneToday } from './done-today.tsx';
import { EmptyList } from './empty-list.tsx';
import { FilterChips } from './filter-chips.tsx';
import { ListHead } from './list-head.tsx';
import { NoAnswerBand } from './no-answer-band.tsx';
import { ROW_HEIGHT } from './row-styles.ts';
import { SelectionBar } from './selection-bar.tsx';

const SearchIn = lazy(untilOnline(async () => ({ default: (await import('./search-in.tsx')).SearchIn })));

const searchPlace = { px: 2, pb: 1 };

export type ChangeSearch = (
  change: (before: InboxSearch) => InboxSearch,
  how?: { replace?: boolean },
) => void;

interface ListPaneProps {
  search: InboxSearch;
  numbers: readonly TextNumber[];
  conversations: ReturnType<typeof useConversationList>;
  doneToday: ReturnType<typeof useDoneToday>;
  openId: number | undefined;
  selection: SelectionState<number>;
  isBusy: boolean;
  listRef: RefObject<ConversationListHandle | null>;
  searchRef: RefObject<HTMLInputElement | null>;
  filterRef: RefObject<HTMLButtonElement | null>;
  onSearch: ChangeSearch;
  onToggle: (conversationId: number, isRange: boolean) => void;
  onAct: (kind: ActionKind, anchor: HTMLElement) => void;
  /** Marks everything in the list done. */
  onMarkAllDone: (anchor: HTMLElement) => void;
  onManageTags: () => void;
  onCompose: () => void;
  isComposing: boolean;
  /** Changes a text to somebody new that wasn't sent. */
  onEdit: (written: NewConversation) => void;
  onShowKeys: () => void;
}

export function ListPane(props: ListPaneProps) {
  const { search, numbers, conversations, selection, searchRef, filterRef, onSearch } = props;
  const view = viewOf(search);
  const isTab = tabViews.some((name) => name === view);
  const change = useCallback(
    (by: Partial<InboxSearch>) => onSearch((before) => ({ ...before, ...by })),
    [onSearch],
  );
  // "Search further back" applies to one query; the next one starts with two weeks again.
  const onQuery = useCallback(
    (q: string) =>
      onSearch((before) => ({ ...before, q: q || undefined, further: undefined }), { replace: true }),
    [onSearch],
  );
  return (
    <>
      <ListHead
        search={search}
        numbers={numbers}
        counts={conversations.counts}
        broadcastName={conversations.broadcastName}
        filterRef={filterRef}
        onChange={change}
        onManageTags={props.onManageTags}
        onCompose={props.onCompose}
      />
      <Box sx={{ position: 'relative', flex: 'none' }}>
        {/* The bar covers these. During a search, the field stays visible above it. */}
        <Box inert={selection.isAny && !search.q}>
          <SearchField
            q={search.q ?? ''}
            placeholder={searchWords(search)}
            inputRef={searchRef}
            onSearch={onQuery}
            sx={searchPlace}
          />
        </Box>
        <Box inert={selection.isAny}>
          {search.q && (
            <Suspense>
              <SearchIn search={search} onChange={change} />
            </Suspense>
          )}
          <ViewTabs search={search} counts={conversations.counts} view={view} onSearch={onSearch} />
        </Box>
        {selection.isAny && (
          <SelectionBar
            selection={selection}
            total={conversations.total}
            isBusy={props.isBusy}
            isDoneView={view === 'done'}
            canMove={numbers.length > 1}
            onAct={props.onAct}
          />
        )}
      </Box>
      <FilterChips search={search} broadcastName={conversations.broadcastName} onChange={change} />
      <Box
        id="inbox-list"
        role="tabpanel"
        {...(isTab ? { 'aria-labelledby': `inbox-tab-${view}` } : { 'aria-label': viewNames[view] })}
        sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        <Rows {...props} />
      </Box>
      <Beginnings isComposing={props.isComposing} onEdit={props.onEdit} />
      {/* Below the rows: it comes and goes with texts, and must not move a row from under somebody's finger. */}
      <NoAnswerBand
        search={search}
        count={conversations.counts?.NoAnswerCount ?? 0}
        isBusy={props.isBusy || conversations.rows.length === 0}
        onShow={() => onSearch((before) => searchOfView('noanswer', before))}
        onMarkAllDone={props.onMarkAllDone}
      />
      <KeyStrip hints={inboxHints} height={36} onShowAll={props.onShowKeys} />
    </>
  );
}

function Rows(props: ListPaneProps) {
  const { search, conversations, doneToday, openId, selection, listRef, onSearch, onToggle, onCompose } =
    props;
  const { query, rows, searchedFrom } = conversations;
  const done = doneToday && doneToday.Size > 0 && (
    <DoneToday done={doneToday} search={search} openId={openId} />
  );
  // Searching further back is a search by date.
  const canSearchFurther = useCan('searchConversationsByDate');
  const isShort = rows.length < limits.smallSearchResult;
  const isFurther = search.further || search['date-from'] || search['date-to'];
  const searchFurther =
    canSearchFurther && search.q && isShort && !isFurther && !query.isPlaceholderData
      ? () => onSearch((before) => ({ ...before, further: true }), { replace: true })
      : undefined;
  if (query.isPending) {
    return <SkeletonRows rows={8} rowHeight={ROW_HEIGHT} face={36} isTwoLine label="Loading conversations" />;
  }
  if (rows.length === 0) {
    return (
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
        <EmptyList
          search={search}
          isError={query.isError}
          onRetry={() => void query.refetch()}
          onView={(next) => onSearch((before) => searchOfView(next, before))}
          onSearchFurther={searchFurther}
          onShowAll={() => onSearch(withoutFilters)}
          onCompose={onCompose}
          numbers={props.numbers}
        />
        {done}
      </Box>
    );
  }
  return (
    <ConversationList
      ref={listRef}
      conversations={conversations}
      search={search}
      openId={openId}
      selection={selection}
      onToggle={onToggle}
      foot={searchFurther && <SearchFurther from={searchedFrom} onSearch={searchFurther} />}
      after={done}
    />
  );
}

function withoutFilters(search: InboxSearch): InboxSearch {
  const off = Object.keys(filtersOf(search)).map((name) => [name, undefined]);
  return { ...search, ...Object.fromEntries(off) };
}

function searchWords(search: InboxSearch): string {
  if (search['date-from'] || search['date-to']) return 'Search between these dates';
  return search.further ? 'Search everything' : 'Search the last 2 weeks';
}

/** Offers to search further back when the last two weeks have few hits. */
function SearchFurther({ from, onSearch }: { from: string | undefined; onSearch: () => void }) {
  const now = useNow();
  const zone = useTimeZone();
  return (
    <Box sx={{ p: 2, display: 'grid', justifyItems: 'center', gap: 1, typography: 'body2' }}>
      <Box sx={{ color: 'text.secondary' }}>
        Searched {from ? `since ${formatDate(from, now, zone)}` : 'the last 2 weeks'}.
      </Box>
      <Button size="small" onClick={onSearch}>
        Search further back
      </Button>
    </Box>
  );
}

interface ViewTabsProps {
  search: InboxSearch;
  counts: ListPaneProps['conversations']['counts'];
  view: InboxView;
  onSearch: ChangeSearch;
}

/** The totals of done and opted-out conversations aren't work to do, so they show no count. */
const counted: readonly InboxView[] = ['open', 'unread'];

const ViewTabs = memo(function ViewTabs({ search, counts, view, onSearch }: ViewTabsProps) {
  const isTab = tabViews.some((name) => name === view);
  return (
    <Tabs
      // Waiting and snoozed conversations are a subset of the open ones.
      value={isTab ? view : false}
      onChange={(_, next: InboxView) => onSearch((before) => searchOfView(next, before))}
      aria-label="Conversations"
      sx={{
        px: '6px',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        flex: 'none',
        // Fits four tabs into 320 px.
        '@media (min-width: 640px) and (max-width: 959.95px)': {
          '& .MuiTabs-list': { gap: 0 },
          '& .MuiTab-root': { px: 1 },
        },
      }}
    >
      {tabViews.map((name, index) => (
        <Tab
          key={name}
          value={name}
          id={`inbox-tab-${name}`}
          aria-controls="inbox-list"
          // With no tab selected, the Tab key enters at the first one.
          {...(!isTab && index === 0 ? { tabIndex: 0 } : {})}
          label={
            <TabWords
              fontSize={13}
              name={viewNames[name]}
              count={counted.includes(name) ? countOf(searchOfView(name, search), counts) : undefined}
            />
          }
        />
      ))}
    </Tabs>
  );
});
