import { useCallback, useEffect, useState } from 'react';
import type { KeepPending } from './voice-state.ts';

/** Registers unsaved input with the step, and unregisters it on unmount. */
export function usePending(
  isPending: boolean,
  keep: KeepPending,
  onPending: (keep: KeepPending | undefined) => void,
): KeepPending {
  const [held] = useState(() => ({ keep }));
  useEffect(() => {
    held.keep = keep;
  });
  const press = useCallback(() => held.keep(), [held]);
  useEffect(() => {
    onPending(isPending ? press : undefined);
    return () => onPending(undefined);
  }, [isPending, press, onPending]);
  return press;
}
