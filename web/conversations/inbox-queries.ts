import type { QueryClient } from '@tanstack/react-query';
import {
  getConversation,
  getConversationsSummary,
  listConversations,
  listDoneToday,
  listTextMessages,
} from '../../contract/addresses/conversations.gen.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import type { Reply } from '../../contract/call.ts';
import type { Conversation } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { callApi } from '../api.ts';
import { callKey, callQuery, useCallQuery } from '../queries/calls.ts';
import type { LongSource } from '../queries/long-list.ts';
import { longListQuery, useLongList } from '../queries/use-long-list.ts';
import type { InboxSearch } from './inbox-address.ts';
import { filtersOf, type InboxView, type ListQuery, listQueryOf, viewOf } from './inbox-view.ts';

/** An organization has only a few, so the largest page holds them all. */
const everyNumber = { query: { pagesize: 1000 } } as const;
const numbersStaleMs = 300_000;

export function useTextNumbers(): { numbers: readonly TextNumber[]; isLoaded: boolean; isError: boolean } {
  const { data, isError } = useCallQuery(listTextNumbers, everyNumber, { staleTime: numbersStaleMs });
  return { numbers: data?.Items ?? noNumbers, isLoaded: data !== undefined, isError };
}
const noNumbers: readonly TextNumber[] = [];

function useInboxCounts(textNumberId: number | undefined) {
  const query = textNumberId ? { textNumberId } : {};
  return useCallQuery(getConversationsSummary, { query }, { keepPrevious: true }).data;
}

/** "Done today", below the whole open list; undefined elsewhere. */
export function useDoneToday(search: InboxSearch, isEnabled: boolean) {
  const isShown = showsDoneToday(search);
  const { data } = useCallQuery(
    listDoneToday,
    { query: ofNumber(search) },
    { enabled: isEnabled && isShown },
  );
  return isShown ? data : undefined;
}

function showsDoneToday(search: InboxSearch): boolean {
  return viewOf(search) === 'open' && !search.q && Object.keys(filtersOf(search)).length === 0;
}

function ofNumber({ textNumberId }: InboxSearch): { textNumberId?: number } {
  return textNumberId ? { textNumberId } : {};
}

export type FoundConversation = Reply<typeof listConversations>['Items'][number];

interface ListExtra {
  size: number | undefined;
  searchedFrom: string | undefined;
  broadcastName: string | undefined;
}

/** The list's fetch: rows move up when a text arrives. */
const sourceOf =
  (query: ListQuery) =>
  (signal?: AbortSignal): LongSource<FoundConversation, ListExtra> => ({
    idOf: ({ ConversationID }) => ConversationID,
    placeOf: ({ LastMessage }) => LastMessage?.TextMessageID,
    fetch: async (next, pagesize) => {
      const asked = { ...query, pagesize, ...(next === undefined ? {} : { next }) };
      const reply = await callApi(
        listConversations,
        { query: asked },
        { missing: 'refuse', ...(signal ? { signal } : {}) },
      );
      const extra = {
        size: reply.Size,
        searchedFrom: reply.SearchedFrom ?? undefined,
        broadcastName: reply.BroadcastName,
      };
      return { rows: reply.Items, next: reply.Next, extra };
    },
  });

function keyOf(query: ListQuery) {
  return [...callKey(listConversations, { query }), 'rows'] as const;
}

/** For the route's loader: all queries of the page at once. */
export function beginInbox(client: QueryClient, search: InboxSearch): void {
  const query = listQueryOf(search);
  void client.prefetchQuery(longListQuery(client, keyOf(query), sourceOf(query)));
  void client.prefetchQuery({ ...callQuery(listTextNumbers, everyNumber), staleTime: numbersStaleMs });
  void client.prefetchQuery(callQuery(getConversationsSummary, { query: ofNumber(search) }));
  if (showsDoneToday(search))
    void client.prefetchQuery(callQuery(listDoneToday, { query: ofNumber(search) }));
}

/** The rows of a view. The previous rows stay while another search loads. */
export function useConversationList(search: InboxSearch, isEnabled: boolean) {
  const counts = useInboxCounts(search.textNumberId);
  const query = listQueryOf(search);
  const list = useLongList(keyOf(query), sourceOf(query), isEnabled);
  const { rows, extra, hasMore } = list;
  const known = extra?.size ?? countOf(search, counts) ?? (hasMore ? undefined : rows.length);
  return {
    ...list,
    counts,
    /** The total; undefined when unknown. */
    total: known === undefined ? undefined : Math.max(known, rows.length),
    searchedFrom: extra?.searchedFrom,
    /** The broadcast whose replies are listed. */
    broadcastName: extra?.broadcastName,
  };
}

/** The summary counts whole views only, so a narrower list has no total. */
export function countOf(search: InboxSearch, counts: Reply<typeof getConversationsSummary> | undefined) {
  const { viewing, ...filters } = filtersOf(search);
  if (!counts || search.q || Object.keys(filters).length > 0) return undefined;
  const view = viewOf(search);
  if (viewing === 'mine') {
    return view === 'open' ? counts.MineCount : view === 'unread' ? counts.MineUnreadCount : undefined;
  }
  if (viewing === 'unassigned') return view === 'open' ? counts.UnassignedCount : undefined;
  const ofView: Partial<Record<InboxView, number>> = {
    open: counts.OpenCount,
    unread: counts.UnreadCount,
    done: counts.DoneCount,
    autooptout: counts.AutoOptOutCount,
    snoozed: counts.SnoozedCount,
    noanswer: counts.NoAnswerCount,
  };
  return ofView[view];
}

/** After a change of ours: refreshes every list, count and page that may show it. */
export async function freshenConversations(client: QueryClient, conversationId?: number): Promise<void> {
  const calls = [listConversations, getConversationsSummary, listDoneToday];
  // Only Home's path, because importing its calls would make the inbox larger.
  const keys: unknown[][] = [...calls.map((call) => [call.path]), ['/home']];
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
