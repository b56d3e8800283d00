import { useCallback, useRef } from 'react';
import { showSnackbar } from '../../ui/snackbar.tsx';
import type { FoundConversation, useConversationList } from '../inbox-queries.ts';

type ListedRow = Pick<FoundConversation, 'ConversationID' | 'IsDone'>;

export interface NextOpen {
  /** The row below the one that leaves the list, or the top row when that one isn't listed. */
  below: number | undefined;
  /** The row above, for when nothing is below. */
  above: number | undefined;
}

/** The open conversations next to one that leaves the list. Skips done ones and others that leave with it. */
export function findNextOpen(
  rows: readonly ListedRow[],
  conversationId: number,
  isLeaving: (conversationId: number) => boolean,
): NextOpen {
  const stays = ({ ConversationID, IsDone }: ListedRow) =>
    !IsDone && ConversationID !== conversationId && !isLeaving(ConversationID);
  const at = rows.findIndex(({ ConversationID }) => ConversationID === conversationId);
  return {
    below: rows.slice(at + 1).find(stays)?.ConversationID,
    above: rows.slice(0, Math.max(0, at)).findLast(stays)?.ConversationID,
  };
}

/** The row that j or k leads to, in the list with the focus. From the open list, j never moves into "Done today". */
export function stepInList(
  { listed, under }: { listed: readonly ListedRow[]; under: readonly ListedRow[] },
  { focusedId, openId }: { focusedId: number | undefined; openId: number | undefined },
  by: 1 | -1,
): number | undefined {
  const indexIn = (rows: readonly ListedRow[], id: number | undefined) =>
    rows.findIndex(({ ConversationID }) => ConversationID === id);
  const atUnder = indexIn(under, focusedId);
  if (atUnder >= 0) {
    const next = atUnder + by < 0 ? listed.at(-1) : under[atUnder + by];
    return (next ?? under[atUnder])?.ConversationID;
  }
  const at = indexIn(listed, focusedId ?? openId);
  const next = at < 0 ? listed[0] : (listed[at + by] ?? listed[at]);
  return next?.ConversationID;
}

interface NextOpenOptions {
  conversations: ReturnType<typeof useConversationList>;
  openId: number | undefined;
  /** undefined when no open conversation is left. */
  onOpen: (conversationId: number | undefined) => void;
}

/**
 * Opens the next open conversation. Call it before a change that removes conversations from the list, while their
 * position is still known. Call the function it returns after the change. That one does nothing if the open thread
 * stays in the list or if the user has opened another thread meanwhile.
 */
export function useNextOpen(options: NextOpenOptions) {
  const newest = useRef(options);
  newest.current = options;
  return useCallback((isLeaving: (conversationId: number) => boolean): (() => Promise<void>) => {
    const { openId, conversations } = newest.current;
    if (openId === undefined || !isLeaving(openId)) return async () => {};
    const { below, above } = findNextOpen(conversations.rows, openId, isLeaving);
    const known = new Set(conversations.rows.map(({ ConversationID }) => ConversationID));
    return async () => {
      const further = below === undefined ? await readOn(newest.current.conversations) : [];
      if (newest.current.openId !== openId) return;
      if (further === undefined && above === undefined) {
        showSnackbar('There was an error getting your next conversation.');
        return;
      }
      const fresh = (further ?? []).filter(({ ConversationID }) => !known.has(ConversationID));
      newest.current.onOpen(below ?? findNextOpen(fresh, openId, isLeaving).below ?? above);
    };
  }, []);
}

/** The rows after the loaded ones, or the first page if none are loaded; undefined if the fetch failed. */
async function readOn(list: NextOpenOptions['conversations']): Promise<readonly ListedRow[] | undefined> {
  const { query, hasMore, onLoadMore } = list;
  if (query.data === undefined) return (await query.refetch()).data?.pages.flatMap((page) => page.rows);
  return hasMore ? onLoadMore() : [];
}
