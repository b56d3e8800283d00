import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Conversation, viewConversation } from '../../contract/conversations.ts';
import { callApi } from '../api.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { setConversation } from './inbox-queries.ts';

/**
 * Says that the user looks at the conversation: when it is opened, and when a text arrives while it is
 * open and in sight. A window behind others reads nothing; it says so when it comes back.
 */
export function useViewConversation(conversation: Conversation | undefined): void {
  const client = useQueryClient();
  const openedId = useRef<number>(undefined);
  const id = conversation?.ConversationID;
  const unread = conversation?.UnreadCount ?? 0;
  useEffect(() => {
    if (id === undefined) return;
    const view = async () => {
      if (document.visibilityState !== 'visible' || (openedId.current === id && unread === 0)) return;
      openedId.current = id;
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
  }, [id, unread, client]);
}
