import { useCallback, useRef } from 'react';
import { getConversation } from '../../contract/addresses/conversations.gen.ts';
import { useCallQuery } from '../queries/calls.ts';
import type { FoundConversation } from './inbox-queries.ts';

/** The conversation in the address. Its row from the list shows immediately while the rest loads. */
export function useOpened(conversationId: number | undefined, rows: readonly FoundConversation[]) {
  const query = useCallQuery(
    getConversation,
    { params: { ConversationID: conversationId ?? 0 } },
    { enabled: conversationId !== undefined },
  );
  if (conversationId === undefined) return { conversation: undefined, error: undefined, retry: () => {} };
  const conversation = query.data ?? rows.find(({ ConversationID }) => ConversationID === conversationId);
  return { conversation, error: conversation ? undefined : query.error, retry: () => void query.refetch() };
}

/** Focuses a thread's composer, now or as soon as that thread has loaded. */
export function useReplyFocus(conversationId: number | undefined) {
  const composer = useRef<HTMLTextAreaElement>(null);
  const wantedId = useRef<number>(undefined);
  const openId = useRef(conversationId);
  openId.current = conversationId;
  const composerRef = useCallback((element: HTMLTextAreaElement | null) => {
    composer.current = element;
    if (!element) return;
    if (wantedId.current === openId.current) element.focus();
    wantedId.current = undefined;
  }, []);
  const focus = (id: number) => {
    if (id === openId.current && composer.current) composer.current.focus();
    else wantedId.current = id;
  };
  return { composerRef, focus };
}
