import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { viewConversation } from '../../../contract/addresses/conversations.gen.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { callApi } from '../../api.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { setConversation } from '../inbox-queries.ts';

/**
 * Marks the conversation read when it opens, and when a text arrives while it is open and visible. A hidden window
 * reads nothing until it comes back. A conversation marked unread while open stays unread until something new arrives.
 */
export function useViewConversation(conversation: Conversation | undefined): void {
  const client = useQueryClient();
  const read = useRef<{ id: number; lastId: number }>(undefined);
  const id = conversation?.ConversationID;
  const lastId = conversation?.LastMessage?.TextMessageID ?? 0;
  const isUnread = (conversation?.UnreadCount ?? 0) > 0;
  useEffect(() => {
    if (id === undefined) return;
    const view = async () => {
      const isRead = read.current?.id === id && (!isUnread || read.current.lastId === lastId);
      if (document.visibilityState !== 'visible' || isRead) return;
      read.current = { id, lastId };
      try {
        setConversation(
          client,
          await callApi(viewConversation, { params: { ConversationID: id } }, { missing: 'refuse' }),
        );
      } catch {
        showSnackbar('There was an error viewing your conversation.');
      }
    };
    void view();
    const onVisible = () => void view();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [id, lastId, isUnread, client]);
}
