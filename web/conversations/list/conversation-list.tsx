import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { useDrafts } from '../../queries/drafts.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import type { InboxSearch } from '../inbox-address.ts';
import type { FoundConversation, useConversationList } from '../inbox-queries.ts';
import { useUnsent } from '../thread/stores.ts';
import { ConversationRow } from './conversation-row.tsx';
import { BAND_HEIGHT } from './done-today.tsx';
import { useRowLinks } from './row-link.ts';
import { ROW_HEIGHT, RowList } from './row-styles.ts';
import { useRowsInSight } from './rows-in-sight.ts';

export interface ConversationListHandle {
  /** Focuses a row, wherever it is in the list. */
  focusRow: (conversationId: number) => void;
  /** The row with the focus. */
  focusedId: () => number | undefined;
  /** A rendered row, to anchor a menu to. */
  rowElement: (conversationId: number) => HTMLElement | null;
}

interface ConversationListProps {
  ref: Ref<ConversationListHandle>;
  conversations: ReturnType<typeof useConversationList>;
  search: InboxSearch;
  openId: number | undefined;
  selection: SelectionState<number>;
  onToggle: (conversationId: number, isRange: boolean) => void;
  /** Shown after the last row, once all rows are loaded. */
  foot?: ReactNode;
  /** Another list below this one, whose header sticks to the bottom. */
  after?: ReactNode;
}

/** Fetches the next page when this many rows are left. */
const ROWS_AHEAD = 30;

/** Renders the visible rows and a few around them, and fetches the next page ahead of time. */
export function ConversationList(props: ConversationListProps) {
  const { ref, conversations, search, openId, selection, onToggle, foot, after } = props;
  const { rows, hasMore, isLoadingMore, hasMoreFailed, onLoadMore, onSight } = conversations;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const drafts = useDrafts();
  const unsent = useUnsent();
  const { first, last, scrollTo } = useRowsInSight(scrollerRef, rows.length, ROW_HEIGHT);
  const { hrefOf, handlers } = useRowLinks(search);
  useSteadyRows(scrollerRef, rows);

  useEffect(() => {
    if (hasMore && !isLoadingMore && !hasMoreFailed && last >= rows.length - ROWS_AHEAD) void onLoadMore();
  }, [hasMore, isLoadingMore, hasMoreFailed, last, rows.length, onLoadMore]);
  useEffect(() => {
    // Once scrolling stops, because nobody reads rows that fly past.
    const timer = setTimeout(() => onSight({ first, last }), 100);
    return () => clearTimeout(timer);
  }, [first, last, onSight]);

  useImperativeHandle(ref, () => {
    const rowElement = (id: number) =>
      scrollerRef.current?.querySelector<HTMLElement>(`[data-conversation="${id}"]`) ?? null;
    return {
      focusRow: (id) => {
        const index = rows.findIndex(({ ConversationID }) => ConversationID === id);
        // Rows of the list below are always rendered.
        if (index >= 0) scrollTo(index);
        rowElement(id)?.focus();
        if (index < 0) return;
        // A row out of view renders only after the scroll.
        requestAnimationFrame(() => rowElement(id)?.focus());
      },
      focusedId: () => {
        const row = document.activeElement?.closest('li')?.querySelector('[data-conversation]');
        const id = Number(row?.getAttribute('data-conversation'));
        return scrollerRef.current?.contains(document.activeElement) && id > 0 ? id : undefined;
      },
      rowElement,
    };
  });

  return (
    <Box
      ref={scrollerRef}
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: 'auto',
        overscrollBehavior: 'contain',
        scrollPaddingBottom: after ? BAND_HEIGHT : 0,
      }}
    >
      <RowList
        aria-label="Conversations"
        {...(selection.isAny ? { className: 'is-ticking' } : {})}
        style={{ height: rows.length * ROW_HEIGHT }}
      >
        {rows.slice(first, last + 1).map((conversation, offset) => {
          const { ConversationID } = conversation;
          const index = first + offset;
          return (
            <li
              key={ConversationID}
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
            >
              <ConversationRow
                conversation={conversation}
                href={hrefOf(conversation)}
                q={search.q}
                draft={drafts[ConversationID]?.text.trim() || undefined}
                unsent={unsent.get(ConversationID)}
                isOpen={ConversationID === openId}
                isTicked={selection.isSelected(ConversationID)}
                handlers={handlers}
                onToggle={onToggle}
              />
            </li>
          );
        })}
      </RowList>
      {isLoadingMore && (
        <SkeletonRows
          rows={2}
          rowHeight={ROW_HEIGHT}
          face={36}
          isTwoLine
          label="Loading more conversations"
        />
      )}
      {hasMoreFailed && !isLoadingMore && (
        <Box sx={{ p: 2, textAlign: 'center' }}>
          <Button variant="text" size="small" onClick={() => void onLoadMore()}>
            Couldn’t load more conversations. Try again
          </Button>
        </Box>
      )}
      {!hasMore && foot}
      {after}
    </Box>
  );
}

/**
 * Number of rows around its old position among which a row is searched for. A row that moved further went to the top
 * with a new text.
 */
const ROWS_LOOKED_AT = 200;

/** Keeps the rows in view still when rows come or go above them. At the very top, new rows push in. */
function useSteadyRows(scroller: RefObject<HTMLDivElement | null>, rows: readonly FoundConversation[]): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const element = scroller.current;
    if (!element || old === rows || element.scrollTop < ROW_HEIGHT) return;
    const at = Math.floor(element.scrollTop / ROW_HEIGHT);
    const id = old[at]?.ConversationID;
    if (id === undefined || rows[at]?.ConversationID === id) return;
    const from = Math.max(0, at - ROWS_LOOKED_AT);
    const index = rows.slice(from, at + ROWS_LOOKED_AT).findIndex((row) => row.ConversationID === id);
    if (index >= 0) element.scrollTop += (from + index - at) * ROW_HEIGHT;
  }, [rows, scroller]);
}
