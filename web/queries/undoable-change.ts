import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallDefinition } from '../../contract/call.ts';
import { shownMessage } from '../api.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useUndo } from './undo.ts';

interface Options {
  /** The undo call: its path ends in /undo/:UndoID. */
  undo: CallDefinition;
  /** "There was an error undoing the change to your [thing]" */
  thing: string;
  /** Fetches what a change changed. */
  freshen: (client: QueryClient) => void;
  onDone: () => void;
}

interface Words {
  done: (count: number) => string;
  failed: string;
}

/** Changes a selection, says how many changed, and offers Undo. */
export function useUndoableChange({ undo, thing, freshen, onDone }: Options) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const [isBusy, setBusy] = useState(false);
  const change = async (
    make: () => Promise<{ Size: number; UndoID: number | null }>,
    words: Words,
  ): Promise<void> => {
    setBusy(true);
    try {
      const { Size, UndoID } = await make();
      onDone();
      offerUndo({
        message: Size === 0 ? 'Nothing was changed.' : words.done(Size),
        undo,
        undoId: UndoID,
        thing,
        onUndone: freshen,
      });
    } catch (error) {
      showSnackbar(shownMessage(error, words.failed));
    } finally {
      freshen(client);
      setBusy(false);
    }
  };
  return { isBusy, change };
}
