import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  addDraftLists,
  contactsToNewDraft,
  listDrafts,
  listsToNewDraft,
  updateDraft,
} from '../../contract/addresses/drafts.gen.ts';
import type { Added } from '../../contract/draft-recipients.ts';
import type { DraftForm } from '../../contract/drafts.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { shownMessage } from '../api.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useCall } from './calls.ts';

interface ChosenContacts {
  listId: number;
  /** The search and filter that the selection was made in. */
  query: { q: string; consent?: 'optedin' | 'optedout' | 'notasked' | 'donotcall'; problem?: boolean };
  selection: SelectionOfIds;
}

/** Starts a broadcast to people chosen elsewhere, and opens its message step. */
export function useStartBroadcast() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const ofContacts = useCall(contactsToNewDraft);
  const ofLists = useCall(listsToNewDraft);
  const addLists = useCall(addDraftLists);
  const update = useCall(updateDraft);
  const [isStarting, setStarting] = useState(false);
  // A second press can come before the button renders as disabled.
  const isUnderWay = useRef(false);

  const start = async (
    begin: () => Promise<Added>,
    form?: DraftForm | Partial<DraftForm>,
  ): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setStarting(true);
    try {
      const { DraftBroadcastID } = await begin();
      if (form) await update.mutateAsync({ params: { DraftBroadcastID }, body: form });
      void client.invalidateQueries({ queryKey: [listDrafts.path] });
      await navigate({ to: '/broadcasts/create', search: { draft: DraftBroadcastID, step: 3 } });
      return true;
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error starting your broadcast.'));
      return false;
    } finally {
      isUnderWay.current = false;
      setStarting(false);
    }
  };

  return {
    isStarting,
    /** The selected people, or everyone in a list. */
    withContacts: ({ listId, query, selection }: ChosenContacts) =>
      start(() =>
        ofContacts.mutateAsync({ params: { ListID: listId }, query, body: { Selection: selection } }),
      ),
    /** Everyone in these groups and segments. */
    withLists: (listIds: readonly number[]) => start(() => ofLists.mutateAsync({ body: inLists(listIds) })),
    /** Everyone in these groups and segments, and these people, with the text written so far. */
    withEveryone: (to: { listIds: readonly number[]; personIds: number[] }, form: Partial<DraftForm>) =>
      start(async () => {
        const Selection = { Type: 'Selected' as const, Items: to.personIds };
        if (to.personIds.length === 0) return ofLists.mutateAsync({ body: inLists(to.listIds) });
        // The people first: a large group is added in the background.
        const begun = await ofContacts.mutateAsync({ params: { ListID: 0 }, body: { Selection } });
        if (to.listIds.length === 0) return begun;
        const { DraftBroadcastID } = begun;
        return addLists.mutateAsync({ params: { DraftBroadcastID }, body: inLists(to.listIds) });
      }, form),
  };
}

function inLists(listIds: readonly number[]) {
  return { Selection: { Type: 'Selected' as const, Items: listIds.map((ListID) => ({ ListID })) } };
}
