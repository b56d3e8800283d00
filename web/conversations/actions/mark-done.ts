import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { undoConversations, updateConversation } from '../../../contract/addresses/conversations.gen.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenConversations, setConversation } from '../inbox-queries.ts';
import { nameOf } from '../names.ts';

const failure = (isDone: boolean) =>
  isDone ? 'There was an error closing your conversation.' : 'There was an error updating your conversation.';

/** Marks one conversation done or reopens it, and offers Undo. */
export function useMarkDone() {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const { mutateAsync } = useCall(updateConversation);
  return useCallback(
    async (conversation: Conversation, isDone: boolean): Promise<boolean> => {
      const { ConversationID } = conversation;
      try {
        const { UndoID, ...changed } = await mutateAsync({
          params: { ConversationID },
          body: { IsDone: isDone },
        });
        setConversation(client, changed);
        void freshenConversations(client, ConversationID);
        offerUndo({
          message: isDone ? `${nameOf(conversation)} is done.` : `${nameOf(conversation)} is open again.`,
          undo: undoConversations,
          undoId: UndoID,
          thing: 'conversation',
          onUndone: (fresh) => void freshenConversations(fresh, ConversationID),
        });
        return true;
      } catch {
        showSnackbar(failure(isDone));
        return false;
      }
    },
    [client, mutateAsync, offerUndo],
  );
}
