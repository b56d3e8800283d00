import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteBroadcast,
  deleteBroadcastDetails,
  detailsToDraft,
  detailsToList,
  getBroadcast,
  repliesToDraft,
  undoBroadcasts,
  updateBroadcast,
} from '../../contract/addresses/broadcasts.gen.ts';
import type { Broadcast } from '../../contract/broadcasts.ts';
import type { CallInput } from '../../contract/call.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { ApiError, shownMessage } from '../api.ts';
import { callKey, useCall } from '../queries/calls.ts';
import { useUndo } from '../queries/undo.ts';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { type DetailsFilter, freshenBroadcasts } from './broadcast-queries.ts';

type Named = Pick<Broadcast, 'BroadcastID' | 'BroadcastName'>;
type Change = CallInput<typeof updateBroadcast>['body'];

const everybody: SelectionOfIds = { Type: 'SelectedAll', Items: [] };

/** The server's message for people where something else happened meanwhile, otherwise the generic message. */
export function refusalWords(error: unknown, generic: string): string {
  const isMeanwhile = error instanceof ApiError && error.status === 409;
  return (isMeanwhile && error.body.Message) || shownMessage(error, generic);
}

/** The actions on a broadcast. Each returns whether it succeeded. */
export function useBroadcastActions() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const offerUndo = useUndo();
  const update = useCall(updateBroadcast);
  const remove = useCall(deleteBroadcast);
  const toDraft = useCall(detailsToDraft);
  const fromReplies = useCall(repliesToDraft);
  const toList = useCall(detailsToList);
  const takeOut = useCall(deleteBroadcastDetails);
  const [isBusy, setBusy] = useState(false);

  const attempt = async (act: () => Promise<void>, failed: string): Promise<boolean> => {
    setBusy(true);
    try {
      await act();
      return true;
    } catch (error) {
      showSnackbar(refusalWords(error, failed));
      return false;
    } finally {
      setBusy(false);
      freshenBroadcasts(client);
    }
  };

  const change = ({ BroadcastID }: Named, body: Change, done: string) =>
    attempt(async () => {
      const changed = await update.mutateAsync({ params: { BroadcastID }, body });
      client.setQueryData(callKey(getBroadcast, { params: { BroadcastID } }), changed);
      showSnackbar(done);
    }, 'There was an error updating your broadcast.');

  const openDraft = (DraftBroadcastID: number, step: 2 | 3) =>
    navigate({ to: '/broadcasts/create', search: { draft: DraftBroadcastID, step } });

  return {
    isBusy,
    pause: (one: Named) =>
      change(
        one,
        { BroadcastStatus: 'Paused' },
        `${one.BroadcastName} is paused. Nobody is texted or called until you resume it.`,
      ),
    resume: (one: Named) =>
      change(one, { BroadcastStatus: 'Broadcasting' }, `${one.BroadcastName} is sending again.`),
    cancel: (one: Named) =>
      change(one, { BroadcastStatus: 'Canceled' }, `${one.BroadcastName} was canceled.`),
    archive: (one: Named, IsArchived: boolean) =>
      change(
        one,
        { IsArchived },
        IsArchived ? `${one.BroadcastName} was archived.` : `${one.BroadcastName} was unarchived.`,
      ),
    setLabels: (one: Named, Labels: { LabelID: number }[]) =>
      change(one, { Labels }, `The labels of ${one.BroadcastName} are saved.`),
    delete: ({ BroadcastID, BroadcastName }: Named) =>
      attempt(async () => {
        const { UndoID } = await remove.mutateAsync({ params: { BroadcastID } });
        offerUndo({
          message: `${BroadcastName} was deleted.`,
          undo: undoBroadcasts,
          undoId: UndoID,
          thing: 'broadcast',
          onUndone: freshenBroadcasts,
        });
      }, 'There was an error deleting your broadcast.'),

    /** Starts a broadcast with the same words to the selected people, or to everybody in a tab. */
    sendAgain: ({ BroadcastID }: Named, filter: DetailsFilter, Selection: SelectionOfIds = everybody) =>
      attempt(async () => {
        const { DraftBroadcastID } = await toDraft.mutateAsync({
          params: { BroadcastID },
          query: filter,
          body: { Selection, WithMessage: true },
        });
        await openDraft(DraftBroadcastID, 3);
      }, errorCatalog.startDraft),
    /** To those who answered and may still be texted. */
    writeToThoseWhoReplied: ({ BroadcastID }: Named) =>
      attempt(async () => {
        const { DraftBroadcastID } = await fromReplies.mutateAsync({
          params: { BroadcastID },
          query: { textresultcategory: 'NotOptedOut' },
        });
        await openDraft(DraftBroadcastID, 3);
      }, errorCatalog.startDraft),
    putIntoGroup: (
      { BroadcastID }: Named,
      filter: DetailsFilter,
      Selection: SelectionOfIds,
      ListName: string,
    ) =>
      attempt(async () => {
        const { AddedCount, ListID } = await toList.mutateAsync({
          params: { BroadcastID },
          query: filter,
          body: { Selection, Update: { ListName } },
        });
        showSnackbar({
          message: `${countOf(AddedCount, 'person was', 'people were')} added to ${ListName}.`,
          action: {
            label: 'Show',
            onPress: () =>
              void navigate({ to: '/contacts/group/$listId', params: { listId: ListID }, search: {} }),
          },
        });
      }, 'There was an error adding your group.'),
    takeOut: ({ BroadcastID }: Named, filter: DetailsFilter, Selection: SelectionOfIds) =>
      attempt(async () => {
        const { RemovedCount } = await takeOut.mutateAsync({
          params: { BroadcastID },
          query: filter,
          body: { Selection },
        });
        showSnackbar(
          RemovedCount === 0
            ? 'It was already sent to them.'
            : `${countOf(RemovedCount, 'person was', 'people were')} removed and won’t get it.`,
        );
      }, 'There was an error updating your broadcast.'),
  };
}

export type BroadcastActions = ReturnType<typeof useBroadcastActions>;
