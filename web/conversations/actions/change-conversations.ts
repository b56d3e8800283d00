import { useQueryClient } from '@tanstack/react-query';
import {
  moveConversations,
  undoConversations,
  updateConversations,
} from '../../../contract/addresses/conversations.gen.ts';
import type { CallInput } from '../../../contract/call.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import type { InboxSearch } from '../inbox-address.ts';
import { freshenConversations } from '../inbox-queries.ts';
import { rangeOf } from '../inbox-view.ts';

export type ConversationChange = CallInput<typeof updateConversations>['body']['Update'];

interface Wanted {
  selection: SelectionOfIds;
  update: ConversationChange;
  /** Completes "The conversation is …": "done", "assigned to Joanne Pruitt". */
  became: string;
  /** Rows that have left the list since stay as they are. */
  isOfList?: boolean | undefined;
  /** The contact's name, when one conversation changes. */
  name?: string | undefined;
}

const closing = 'There was an error closing your conversation.';
const updating = 'There was an error updating your conversation.';

/** Updates the selected conversations of the list that `search` describes, and offers Undo. */
export function useChangeConversations(search: InboxSearch) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const update = useCall(updateConversations);
  const move = useCall(moveConversations);

  const change = async ({ selection, isOfList, update: Update, became, name }: Wanted): Promise<boolean> => {
    try {
      const { Size, UndoID, WorkID } = await update.mutateAsync({
        query: rangeOf(selection, search, { isOfList }),
        body: { Selection: selection, Update },
      });
      void freshenConversations(client);
      if (Size === 0) {
        showSnackbar('Nothing to change.');
        return true;
      }
      const who =
        Size === 1 && name ? say(`${name} is`) : countOf(Size, 'conversation is', 'conversations are');
      const sentence =
        WorkID === undefined
          ? `${who} ${became}.`
          : `${countOf(Size, 'conversation is', 'conversations are')} being updated. The list will catch up.`;
      offerUndo({
        message: sentence,
        undo: undoConversations,
        undoId: UndoID,
        thing: Size === 1 ? 'conversation' : 'conversations',
        onUndone: (fresh) => void freshenConversations(fresh),
      });
      return true;
    } catch (error) {
      showSnackbar(shownMessage(error, Update.IsDone === true ? closing : updating));
      return false;
    }
  };

  /** Returns the reply, which names the new conversation when one was moved. */
  const moveTo = async (selection: SelectionOfIds, textNumberId: number) => {
    try {
      const reply = await move.mutateAsync({
        query: rangeOf(selection, search),
        body: { Selection: selection, TextNumberIDTo: textNumberId },
      });
      void freshenConversations(client);
      showSnackbar(`${countOf(reply.Size, 'conversation was', 'conversations were')} moved.`);
      return reply;
    } catch (error) {
      showSnackbar(shownMessage(error, updating));
      return undefined;
    }
  };

  return { change, moveTo, isBusy: update.isPending || move.isPending };
}
