import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addList,
  copyContacts,
  exportContacts,
  removeContacts,
  undoContacts,
  updateContacts,
} from '../../../contract/addresses/contacts.gen.ts';
import { type exportFormats, specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenContacts } from './contacts-queries.ts';
import type { selectionQueryOf } from './contacts-view.ts';

export type ExportFormat = (typeof exportFormats)[number];

/** An existing group, or the name of a new one. */
export type Target = Pick<List, 'ListID' | 'ListName'> | { newName: string };

export interface BulkUpdate {
  Notes?: string;
  CustomData?: Record<string, string>;
}

interface Scope {
  listId: number;
  /** The search and filter that the selection was made in. */
  query: ReturnType<typeof selectionQueryOf>;
  onDone: () => void;
}

interface Changed {
  Size: number;
  UndoID: number | null;
  WorkID: number | null;
}

const were = (count: number) => countOf(count, 'person was', 'people were');

/** The actions on the ticked people. Each resolves to whether it succeeded. */
export function useContactActions({ listId, query, onDone }: Scope) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const copy = useCall(copyContacts);
  const remove = useCall(removeContacts);
  const update = useCall(updateContacts);
  const create = useCall(addList);
  const [isBusy, setBusy] = useState(false);

  /** Makes the change, clears the ticks, confirms the change and offers Undo. */
  const make = async (
    change: () => Promise<Changed>,
    words: { done: (count: number) => string; failed: string },
  ): Promise<boolean> => {
    setBusy(true);
    try {
      const { Size, UndoID, WorkID } = await change();
      onDone();
      freshenContacts(client);
      // Work in the background shows its own progress, and offers Undo when it has ended.
      if (WorkID === null)
        offerUndo({
          message: words.done(Size),
          undo: undoContacts,
          undoId: UndoID,
          thing: 'contacts',
          onUndone: freshenContacts,
        });
      return true;
    } catch (error) {
      showSnackbar(shownMessage(error, words.failed));
      return false;
    } finally {
      setBusy(false);
    }
  };

  const idOf = async (target: Target): Promise<{ id: number; name: string }> => {
    if (!('newName' in target)) return { id: target.ListID, name: target.ListName };
    const made = await create.mutateAsync({ body: { ListName: target.newName } });
    return { id: made.ListID, name: made.ListName };
  };
  const failed = 'There was an error updating your contacts.';
  const deleteFailed = 'There was an error deleting your contacts.';

  const putInto = (Selection: SelectionOfIds, target: Target, Move: boolean) => {
    let name = '';
    return make(
      async () => {
        const group = await idOf(target);
        name = group.name;
        const params = { ListID: listId, TargetID: group.id };
        return copy.mutateAsync({ params, query, body: { Selection, Move } });
      },
      {
        done: (count) => (Move ? `${were(count)} moved to ${name}.` : `${were(count)} added to ${name}.`),
        failed,
      },
    );
  };

  return {
    isBusy,
    addTo: (Selection: SelectionOfIds, target: Target) => putInto(Selection, target, false),
    moveTo: (Selection: SelectionOfIds, target: Target) => putInto(Selection, target, true),
    removeFromGroup: (Selection: SelectionOfIds, name: string) =>
      make(() => remove.mutateAsync({ params: { ListID: listId }, query, body: { Selection } }), {
        done: (count) => `${were(count)} removed from ${name}.`,
        failed,
      }),
    delete: (Selection: SelectionOfIds) =>
      make(
        () =>
          remove.mutateAsync({
            params: { ListID: listId },
            query: { ...query, removefromeveryone: true },
            body: { Selection },
          }),
        { done: (people) => `${were(people)} deleted.`, failed: deleteFailed },
      ),
    /** Only in Deleted: what is there is removed for good. */
    deleteForGood: (Selection: SelectionOfIds) =>
      make(
        () => remove.mutateAsync({ params: { ListID: specialGroups.deleted }, query, body: { Selection } }),
        {
          done: (count) => `${were(count)} permanently deleted.`,
          failed: deleteFailed,
        },
      ),
    restore: (Selection: SelectionOfIds) =>
      make(
        () =>
          copy.mutateAsync({
            params: { ListID: specialGroups.deleted, TargetID: specialGroups.everyone },
            query,
            body: { Selection },
          }),
        { done: (count) => `${were(count)} restored.`, failed },
      ),
    edit: (Selection: SelectionOfIds, Update: BulkUpdate) =>
      make(() => update.mutateAsync({ params: { ListID: listId }, query, body: { Selection, Update } }), {
        done: (count) => `${were(count)} changed.`,
        failed,
      }),
  };
}

/** Prepares the file and lets the browser fetch it. */
export function useExportContacts({ listId, query }: Pick<Scope, 'listId' | 'query'>) {
  const prepare = useCall(exportContacts);
  const exportAs = async (Selection: SelectionOfIds, Format: ExportFormat): Promise<void> => {
    try {
      const { Uri } = await prepare.mutateAsync({
        params: { ListID: listId },
        query,
        body: { Selection, Format },
      });
      const link = document.createElement('a');
      link.href = Uri;
      // A download, so that a refusal never replaces the page.
      link.download = '';
      link.click();
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error exporting your contacts.'));
    }
  };
  return { exportAs, isExporting: prepare.isPending };
}
