import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  replaceEqualDeep,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { listNotes, listTextMessages } from '../../contract/addresses/conversations.gen.ts';
import type { Reply } from '../../contract/call.ts';
import type { TextMessage } from '../../contract/conversations.ts';
import { callApi } from '../api.ts';
import { callKey, useCallPages } from './calls.ts';
import { keepItems } from './same-items.ts';

type ThreadPage = Reply<typeof listTextMessages>;
/** A page's position: at the latest text, or around, before or after one. */
type From = { around?: number; next?: string; previous?: string };

/** The texts of a conversation, newest first. `around` starts at an older text, with pages in both directions. */
export function threadPages(conversationId: number, around?: number) {
  const params = { ConversationID: conversationId };
  return infiniteQueryOptions({
    queryKey: [...callKey(listTextMessages, { params, query: around ? { around } : {} }), 'pages'] as const,
    initialPageParam: (around ? { around } : {}) as From,
    queryFn: ({ signal, pageParam }) =>
      callApi(listTextMessages, { params, query: pageParam }, { signal, missing: 'refuse' }),
    getNextPageParam: ({ Next }: ThreadPage): From | undefined => (Next ? { next: Next } : undefined),
    getPreviousPageParam: ({ Previous }: ThreadPage): From | undefined =>
      Previous ? { previous: Previous } : undefined,
    structuralSharing: (before, after) => sameTexts(before as Pages | undefined, after as Pages),
  });
}

type Pages = InfiniteData<ThreadPage, From>;

/** By default the query compares by position, and a new text shifts all the others. */
export function sameTexts(before: Pages | undefined, after: Pages): Pages {
  if (!before) return after;
  const keep = keepItems(
    before.pages.flatMap(({ Items }) => Items),
    ({ TextMessageID }) => TextMessageID,
  );
  const pages = after.pages.map((page, index) => {
    const Items = keep(page.Items);
    const old = before.pages[index];
    const isSame =
      old?.Next === page.Next &&
      old.Previous === page.Previous &&
      old.Items.length === Items.length &&
      Items.every((text, at) => text === old.Items[at]);
    return isSame ? old : { ...page, Items };
  });
  const isSame =
    before.pages.length === pages.length && pages.every((page, index) => page === before.pages[index]);
  const pageParams = replaceEqualDeep(before.pageParams, after.pageParams);
  return isSame && pageParams === before.pageParams ? before : { pages, pageParams };
}

/** The texts of a conversation, newest first. Older pages load on request; so do newer ones around an old text. */
export function useThread(conversationId: number, around?: number) {
  const thread = useInfiniteQuery(threadPages(conversationId, around));
  const pages = thread.data?.pages;
  const messages = useMemo(() => {
    const byId = new Map<number, TextMessage>();
    for (const page of pages ?? [])
      for (const message of page.Items) byId.set(message.TextMessageID, message);
    return [...byId.values()];
  }, [pages]);
  return { thread, messages };
}

/** Adds a text that was just sent to its thread, before anything is fetched again. */
export function addToThread(client: QueryClient, conversationId: number, message: TextMessage): void {
  client.setQueryData(threadPages(conversationId).queryKey, (data) => {
    const [first, ...older] = data?.pages ?? [];
    if (!data || !first || first.Items.some(({ TextMessageID }) => TextMessageID === message.TextMessageID))
      return data;
    return { ...data, pages: [{ ...first, Items: [message, ...first.Items] }, ...older] };
  });
}

/** The notes of a conversation, newest first, back to `since`: those among the loaded texts. */
export function useNotes(conversationId: number, since: string | undefined) {
  const list = useCallPages(listNotes, { params: { ConversationID: conversationId } });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const notes = useMemo(() => (data?.pages ?? []).flatMap(({ Items }) => Items), [data]);
  const oldest = notes.at(-1)?.CreateTimestamp;
  const isShort = oldest !== undefined && (since === undefined || oldest > since);
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, isError, fetchNextPage]);
  return notes;
}
