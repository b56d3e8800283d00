import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { z } from 'zod';
import type { CallDefinition, CallInput } from '../../contract/call.ts';
import type { undone } from '../../contract/list.ts';
import { callApi, type Missing } from '../api.ts';
import { said } from '../ui/said.ts';
import { showSnackbar } from '../ui/snackbar.tsx';

interface Undoable {
  message: string;
  /** The undo call: its path ends in /undo/:UndoID. */
  undo: CallDefinition;
  /** The UndoID in the reply; null if nothing changed, and then no Undo is offered. */
  undoId: number | null;
  /** "There was an error undoing the change to your [thing]" */
  thing: string;
  /** Fetches what undoing changed. */
  onUndone: (client: QueryClient) => void;
}

/** Offers Undo for ten seconds. */
export function useUndo(): (undoable: Undoable) => void {
  const client = useQueryClient();
  return useCallback((undoable) => offer(client, undoable), [client]);
}

function offer(client: QueryClient, undoable: Undoable): void {
  const { message, undo, undoId, thing, onUndone } = undoable;
  if (undoId === null) {
    showSnackbar(message);
    return;
  }
  const takeBack = async () => {
    try {
      const input = { params: { UndoID: undoId } } as unknown as CallInput<CallDefinition>;
      const reply = (await callApi(undo, input)) as Partial<z.output<typeof undone>> | Missing;
      if (!('UndoExecuted' in reply) || !reply.UndoExecuted) throw new Error('not undone');
      onUndone(client);
      showSnackbar('Undone.');
    } catch {
      showSnackbar(`There was an error undoing the change to your ${said(thing)}`);
    }
  };
  showSnackbar({ message, action: { label: 'Undo', onPress: () => void takeBack() } });
}
