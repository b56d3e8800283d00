import { lazy, Suspense, useCallback, useState } from 'react';
import type { Broadcast } from '../../contract/broadcasts.ts';
import type { BroadcastActions } from './broadcast-actions.ts';
import { CancelDialog } from './cancel-dialog.tsx';

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }));
const LabelsDialog = lazy(async () => ({ default: (await import('./list/labels-dialog.tsx')).LabelsDialog }));

type Kind = 'edit' | 'cancel' | 'labels';
export type OpenBroadcastDialog = (kind: Kind, broadcast: Broadcast) => void;

/** The dialogs of one broadcast, outside the list: a row that moves meanwhile doesn't unmount its dialog. */
export function useBroadcastDialogs(actions: BroadcastActions) {
  const [opened, setOpened] = useState<{ kind: Kind; broadcast: Broadcast }>();
  const open: OpenBroadcastDialog = useCallback((kind, broadcast) => setOpened({ kind, broadcast }), []);
  const close = useCallback(() => setOpened(undefined), []);
  const dialogs = opened && (
    <Suspense>
      {opened.kind === 'edit' && <EditDialog broadcast={opened.broadcast} onClose={close} />}
      {opened.kind === 'labels' && (
        <LabelsDialog broadcast={opened.broadcast} actions={actions} onClose={close} />
      )}
      {opened.kind === 'cancel' && (
        <CancelDialog broadcast={opened.broadcast} actions={actions} onClose={close} />
      )}
    </Suspense>
  );
  return { open, dialogs };
}
