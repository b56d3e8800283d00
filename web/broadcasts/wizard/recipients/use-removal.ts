import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { removeDraftContacts, undoDraftContacts } from '../../../../contract/addresses/drafts.gen.ts';
import type { CallInput } from '../../../../contract/call.ts';
import { draftLimits } from '../../../../contract/draft-recipients.ts';
import type { SelectionOfIds } from '../../../../contract/selection.ts';
import { ApiError, shownMessage } from '../../../api.ts';
import { useCall } from '../../../queries/calls.ts';
import { freshenDraft } from '../../../queries/draft-recipients.ts';
import { useUndo } from '../../../queries/undo.ts';
import { countOf } from '../../../ui/format.ts';
import { showSnackbar } from '../../../ui/snackbar.tsx';

/** The selected people of a list. */
interface Removed {
  scope: NonNullable<CallInput<typeof removeDraftContacts>['query']>;
  selection: SelectionOfIds;
}

/**
 * Removes people: at once and with Undo, or after a confirmation if there are so many that they can't be
 * restored.
 */
export function useRemoval(draftId: number, onRemoved: () => void = () => undefined) {
  const client = useQueryClient();
  const call = useCall(removeDraftContacts);
  const offerUndo = useUndo();
  const [asked, setAsked] = useState<Removed & { count: number }>();
  const remove = async ({ scope, selection }: Removed) => {
    try {
      const { RemovedCount, UndoID } = await call.mutateAsync({
        params: { DraftBroadcastID: draftId },
        query: scope,
        body: { Selection: selection },
      });
      onRemoved();
      offerUndo({
        message: `${countOf(RemovedCount, 'person was', 'people were')} removed.`,
        undo: undoDraftContacts,
        undoId: UndoID,
        thing: 'recipients',
        onUndone: (fresh) => void freshenDraft(fresh, draftId),
      });
    } catch (error) {
      const said = error instanceof ApiError && error.status === 409 ? error.body.Message : undefined;
      showSnackbar(said ?? shownMessage(error, 'There was an error deleting your recipients.'));
    } finally {
      await freshenDraft(client, draftId);
    }
  };
  return {
    isBusy: call.isPending,
    ask: (removed: Removed, count: number) => {
      if (count <= draftLimits.rowsAtOnce) void remove(removed);
      else setAsked({ ...removed, count });
    },
    askedCount: asked?.count,
    confirm: () => {
      if (asked) void remove(asked);
      setAsked(undefined);
    },
    forget: () => setAsked(undefined),
  };
}
