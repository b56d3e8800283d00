import { lazy, Suspense, useEffect, useState } from 'react';
import { onConfirmationNeeded } from '../../api.ts';

const ConfirmDialog = lazy(() =>
  import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })),
);

/** Waits in the frame for a call that needs a confirmation, and shows the dialog for it. */
export function Confirmation() {
  const [waiting, setWaiting] = useState<((isConfirmed: boolean) => void)[]>([]);
  useEffect(() => {
    onConfirmationNeeded(
      () => new Promise<boolean>((resolve) => setWaiting((before) => [...before, resolve])),
    );
    return () => onConfirmationNeeded(undefined);
  }, []);
  if (waiting.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        onEnd={(isConfirmed) => {
          // Calls that came together are confirmed together.
          for (const end of waiting) end(isConfirmed);
          setWaiting([]);
        }}
      />
    </Suspense>
  );
}
