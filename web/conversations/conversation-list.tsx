import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Conversation } from '../../contract/conversations.ts';
import type { SelectionState } from '../queries/selection.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { ConversationRow, ROW_HEIGHT } from './conversation-row.tsx';
import type { InboxSearch } from './inbox-address.ts';
import { useDrafts } from './stores.ts';

export interface ConversationListHandle {
  /** Puts the focus on a row, wherever it is in the list. */
  focusRow: (conversationId: number) => void;
  /** The row that has the focus. */
  focusedId: () => number | undefined;
}

interface ConversationListProps {
  ref: Ref<ConversationListHandle>;
  rows: readonly Conversation[];
  search: InboxSearch;
  openId: number | undefined;
  selection: SelectionState<number>;
  hasMore: boolean;
  isLoadingMore: boolean;
  moreFailed: boolean;
  onLoadMore: () => void;
}

/** Rows beyond the last one shown at which the next page is fetched. */
const ROWS_AHEAD = 8;

/** The rows that are in sight and a few around them; the next page is fetched before one gets there. */
export function ConversationList(props: ConversationListProps) {
  const { ref, rows, search, openId, selection, hasMore, isLoadingMore, moreFailed, onLoadMore } = props;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const drafts = useDrafts();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    getItemKey: (index) => rows[index]?.ConversationID ?? index,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (hasMore && !isLoadingMore && !moreFailed && lastShown >= rows.length - ROWS_AHEAD) onLoadMore();
  }, [hasMore, isLoadingMore, moreFailed, lastShown, rows.length, onLoadMore]);

  useImperativeHandle(ref, () => ({
    focusRow: (id) => {
      const index = rows.findIndex(({ ConversationID }) => ConversationID === id);
      if (index < 0) return;
      virtual.scrollToIndex(index);
      const focus = () =>
        scrollerRef.current?.querySelector<HTMLElement>(`[data-conversation="${id}"]`)?.focus();
      focus();
      // A row out of sight is drawn after the scroll.
      requestAnimationFrame(focus);
    },
    focusedId: () => {
      const row = document.activeElement?.closest('li')?.querySelector('[data-conversation]');
      const id = Number(row?.getAttribute('data-conversation'));
      return scrollerRef.current?.contains(document.activeElement) && id > 0 ? id : undefined;
    },
  }));

  return (
    <Box ref={scrollerRef} sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain' }}>
      <Box
        component="ul"
        aria-label="Conversations"
        sx={{ position: 'relative', m: 0, p: 0, height: virtual.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const conversation = rows[index];
          if (!conversation) return null;
          const { ConversationID } = conversation;
          return (
            <Box
              key={key}
              component="li"
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
              sx={{ position: 'absolute', inset: '0 0 auto 0', listStyle: 'none' }}
            >
              <ConversationRow
                conversation={conversation}
                search={search}
                draft={drafts[ConversationID]?.text.trim() || undefined}
                isOpen={ConversationID === openId}
                isTicked={selection.isSelected(ConversationID)}
                isTicking={selection.isAny}
                onToggle={selection.toggle}
              />
            </Box>
          );
        })}
      </Box>
      {isLoadingMore && (
        <SkeletonRows
          rows={2}
          rowHeight={ROW_HEIGHT}
          face={36}
          isTwoLine
          label="Loading more conversations"
        />
      )}
      {moreFailed && !isLoadingMore && (
        <Box sx={{ p: 2, textAlign: 'center' }}>
          <Button variant="text" size="small" onClick={onLoadMore}>
            More conversations could not be loaded. Try again
          </Button>
        </Box>
      )}
    </Box>
  );
}
