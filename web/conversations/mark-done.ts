import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  type Conversation,
  undoConversations,
  updateConversation,
  updateConversations,
} from '../../contract/conversations.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { useCall } from '../queries/calls.ts';
import { useUndo } from '../queries/undo.ts';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import type { InboxSearch } from './inbox-address.ts';
import { freshenConversations, setConversation } from './inbox-queries.ts';
import { listQueryOf } from './inbox-view.ts';
import { nameOf } from './names.ts';

const failure = (isDone: boolean) =>
  isDone ? 'There was an error closing your conversation.' : 'There was an error updating your conversation.';

/** Marks one conversation done or puts it back, and offers to take that back. */
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

/** The same for what is ticked in the list that `search` describes. */
export function useMarkSelectionDone(search: InboxSearch) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const { mutateAsync, isPending } = useCall(updateConversations);
  const markSelection = async (Selection: SelectionOfIds, isDone: boolean): Promise<boolean> => {
    try {
      const { Size, UndoID } = await mutateAsync({
        query: listQueryOf(search),
        body: { Selection, Update: { IsDone: isDone } },
      });
      void freshenConversations(client);
      offerUndo({
        message: `${countOf(Size, 'conversation is', 'conversations are')} ${isDone ? 'done' : 'open again'}.`,
        undo: undoConversations,
        undoId: UndoID,
        thing: 'conversations',
        onUndone: (fresh) => void freshenConversations(fresh),
      });
      return true;
    } catch {
      showSnackbar(failure(isDone));
      return false;
    }
  };
  return { markSelection, isPending };
}
