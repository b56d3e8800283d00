import { useCallback, useRef } from 'react';
import { showSnackbar } from '../../ui/snackbar.tsx';
import type { FoundConversation, useConversationList } from '../inbox-queries.ts';

type ListedRow = Pick<FoundConversation, 'ConversationID' | 'IsDone'>;

export interface NextOpen {
  /** Below the one that leaves the list, or at the top when that one is not listed. */
  below: number | undefined;
  /** For the end of the list, when nothing is below. */
  above: number | undefined;
}

/** The open conversations around one that leaves the list. Done ones and others that leave with it are skipped. */
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

/** Where j and k lead: within the list that has the focus. From the open ones j never leads into "Done today". */
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
  /** undefined: no open conversation is left. */
  onOpen: (conversationId: number | undefined) => void;
}

/**
 * Goes on to the next open conversation. Called before a change that takes conversations out of the list, because
 * afterwards their place in it is gone. What it returns is called once the change was made, and does nothing if the
 * thread that was open stays in the list or another one was opened meanwhile.
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

/** The rows after those that are loaded, or the first ones where none are; undefined when they could not be fetched. */
async function readOn(list: NextOpenOptions['conversations']): Promise<readonly ListedRow[] | undefined> {
  const { query, hasMore, onLoadMore } = list;
  if (query.data === undefined) return (await query.refetch()).data?.pages.flatMap((page) => page.rows);
  return hasMore ? onLoadMore() : [];
}
