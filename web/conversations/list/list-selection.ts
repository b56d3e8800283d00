import { useCallback, useRef } from 'react';
import { useSelection } from '../../queries/selection.ts';
import type { InboxSearch } from '../inbox-address.ts';
import type { FoundConversation } from '../inbox-queries.ts';
import { listQueryOf } from '../inbox-view.ts';

/** A selection belongs to one view, number, filter and search. */
export function useListSelection(
  search: InboxSearch,
  total: number | undefined,
  rows: readonly FoundConversation[],
) {
  const selection = useSelection<number>(total ?? rows.length, JSON.stringify(listQueryOf(search)));
  const newest = useRef({ selection, rows });
  newest.current = { selection, rows };
  const lastId = useRef<number>(undefined);
  /** Keeps its identity, so that rows don't render again. */
  const toggle = useCallback((id: number, isRange: boolean) => {
    const { selection: now, rows: shown } = newest.current;
    const indexOf = (wanted: number | undefined) =>
      shown.findIndex(({ ConversationID }) => ConversationID === wanted);
    const from = isRange ? indexOf(lastId.current) : -1;
    const to = indexOf(id);
    lastId.current = id;
    if (from < 0 || to < 0) now.toggle(id);
    else {
      const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      now.add(range.map(({ ConversationID }) => ConversationID));
    }
  }, []);
  return { selection, toggle };
}
