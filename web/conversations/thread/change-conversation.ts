import { useQueryClient } from '@tanstack/react-query';
import {
  markConversationUnread,
  moveConversations,
  undoConversations,
  updateConversation,
} from '../../../contract/addresses/conversations.gen.ts';
import type { CallInput } from '../../../contract/call.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { ApiError, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenConversations, setConversation } from '../inbox-queries.ts';

type Change = CallInput<typeof updateConversation>['body'];

const failure = 'There was an error updating your conversation.';

/** The error to show. A refusal carries its own reason. */
export function refusalOf(error: unknown): string {
  const isRefusal = error instanceof ApiError && error.status === 422;
  return (isRefusal && error.body.Message) || shownMessage(error, failure);
}

/** Updates the open conversation and offers Undo. */
export function useChangeConversation({ ConversationID, PhoneNumber, TextNumberID }: Conversation) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const update = useCall(updateConversation);
  const unread = useCall(markConversationUnread);
  const move = useCall(moveConversations);

  /** Throws the refusal. */
  const changeOrThrow = async (body: Change, message: string): Promise<void> => {
    const { UndoID, ...changed } = await update.mutateAsync({ params: { ConversationID }, body });
    setConversation(client, changed);
    void freshenConversations(client, ConversationID);
    offerUndo({
      message,
      undo: undoConversations,
      undoId: UndoID,
      thing: 'conversation',
      onUndone: (fresh) => void freshenConversations(fresh, ConversationID),
    });
  };

  const change = async (body: Change, message: string): Promise<void> => {
    try {
      await changeOrThrow(body, message);
    } catch (error) {
      showSnackbar(refusalOf(error));
    }
  };

  /** Resolves to whether it is unread now. */
  const markUnread = async (): Promise<boolean> => {
    try {
      setConversation(client, await unread.mutateAsync({ params: { ConversationID } }));
      void freshenConversations(client, ConversationID);
      showSnackbar('Marked unread.');
      return true;
    } catch (error) {
      showSnackbar(refusalOf(error));
      return false;
    }
  };

  /** Resolves to the conversation that continues it. */
  const moveTo = async (textNumberId: number): Promise<number | undefined> => {
    try {
      const { ConversationID: id } = await move.mutateAsync({
        body: { TextNumberIDFrom: TextNumberID, TextNumberIDTo: textNumberId, PhoneNumber },
      });
      void freshenConversations(client);
      showSnackbar('The conversation was moved.');
      return id ?? undefined;
    } catch (error) {
      showSnackbar(refusalOf(error));
      return undefined;
    }
  };

  return { change, changeOrThrow, markUnread, moveTo, isBusy: update.isPending || move.isPending };
}
