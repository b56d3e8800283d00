import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallInput } from '../../contract/call.ts';
import { removeDraftContacts } from '../../contract/draft-recipients.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { ApiError, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { freshenDraft } from '../queries/draft-recipients.ts';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';

/** Those who are selected of what a list shows. */
interface Removed {
  scope: NonNullable<CallInput<typeof removeDraftContacts>['query']>;
  selection: SelectionOfIds;
}

/** Taking people out: few at once, many after a word. */
export function useRemoval(draftId: number, onRemoved: () => void = () => undefined) {
  const client = useQueryClient();
  const call = useCall(removeDraftContacts);
  const [asked, setAsked] = useState<Removed & { count: number }>();
  const remove = async ({ scope, selection }: Removed) => {
    try {
      const { RemovedCount } = await call.mutateAsync({
        params: { DraftBroadcastID: draftId },
        query: scope,
        body: { Selection: selection },
      });
      onRemoved();
      showSnackbar(`${countOf(RemovedCount, 'person was', 'people were')} taken out.`);
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
      if (count <= pageSizes.recipientsTable) void remove(removed);
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
