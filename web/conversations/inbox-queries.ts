import { keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type Conversation,
  getConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
  type TextMessage,
} from '../../contract/conversations.ts';
import { getHome } from '../../contract/home.ts';
import { listTextNumbers, type TextNumber } from '../../contract/numbers.ts';
import { callKey, callPages, useCallQuery } from '../queries/calls.ts';
import type { InboxSearch } from './inbox-address.ts';
import { listQueryOf, viewOf } from './inbox-view.ts';

/** An organisation has a handful; a page of the most allowed holds them all. */
const everyNumber = { query: { pagesize: 1000 } } as const;

export function useTextNumbers(): { numbers: readonly TextNumber[]; isLoaded: boolean; isError: boolean } {
  const { data, isError } = useCallQuery(listTextNumbers, everyNumber, { staleTime: 300_000 });
  return { numbers: data?.Items ?? noNumbers, isLoaded: data !== undefined, isError };
}
const noNumbers: readonly TextNumber[] = [];

function useInboxCounts(textNumberId: number | undefined) {
  const query = textNumberId ? { textNumberId } : {};
  return useCallQuery(getConversationsSummary, { query }, { keepPrevious: true }).data;
}

export function conversationPages(search: InboxSearch) {
  return callPages(listConversations, { query: listQueryOf(search) });
}

/** The rows of a tab. What was shown before stays while another search loads. */
export function useConversationList(search: InboxSearch, isEnabled: boolean) {
  const counts = useInboxCounts(search.textNumberId);
  const list = useInfiniteQuery({
    ...conversationPages(search),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const pages = list.data?.pages;
  const rows = useMemo(() => {
    // A conversation that moved up between two pages stands in both: the first one is the newer.
    const byId = new Map<number, Conversation>();
    for (const page of pages ?? []) {
      for (const row of page.Items) if (!byId.has(row.ConversationID)) byId.set(row.ConversationID, row);
    }
    return [...byId.values()];
  }, [pages]);
  const view = viewOf(search);
  const kept = search.q
    ? undefined
    : view === 'open'
      ? counts?.OpenCount
      : view === 'unread'
        ? counts?.UnreadCount
        : undefined;
  const known = pages?.[0]?.Size ?? kept ?? (list.hasNextPage ? undefined : rows.length);
  return {
    list,
    rows,
    counts,
    /** How many there are in all; undefined where nobody has counted them. */
    total: known === undefined ? undefined : Math.max(known, rows.length),
  };
}

export function threadPages(conversationId: number) {
  return callPages(listTextMessages, { params: { ConversationID: conversationId } });
}

/** The texts of a conversation, newest first; older pages are fetched when asked for. */
export function useThread(conversationId: number) {
  const thread = useInfiniteQuery(threadPages(conversationId));
  const pages = thread.data?.pages;
  const messages = useMemo(() => {
    const byId = new Map<number, TextMessage>();
    for (const page of pages ?? [])
      for (const message of page.Items) byId.set(message.TextMessageID, message);
    return [...byId.values()];
  }, [pages]);
  return { thread, messages };
}

/** Puts a text that was just sent into its thread, so that it is there before anything is fetched again. */
export function addToThread(client: QueryClient, conversationId: number, message: TextMessage): void {
  client.setQueryData(threadPages(conversationId).queryKey, (data) => {
    const [first, ...older] = data?.pages ?? [];
    if (!data || !first || first.Items.some(({ TextMessageID }) => TextMessageID === message.TextMessageID))
      return data;
    return { ...data, pages: [{ ...first, Items: [message, ...first.Items] }, ...older] };
  });
}

/** After a change of ours: what any list, count or page may show of it. */
export async function freshenConversations(client: QueryClient, conversationId?: number): Promise<void> {
  const calls = [listConversations, getConversationsSummary, getHome];
  const keys: unknown[][] = calls.map((call) => [call.path]);
  if (conversationId === undefined) keys.push([getConversation.path]);
  else {
    const params = { ConversationID: conversationId };
    keys.push([getConversation.path, params], [listTextMessages.path, params]);
  }
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

export function setConversation(client: QueryClient, conversation: Conversation): void {
  client.setQueryData(
    callKey(getConversation, { params: { ConversationID: conversation.ConversationID } }),
    conversation,
  );
}
