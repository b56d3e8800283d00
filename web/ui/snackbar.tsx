import { lazy, Suspense, useSyncExternalStore } from 'react';
import { untilOnline } from './until-online.ts';

export interface SnackbarMessage {
  message: string;
  action?: { label: string; onPress: () => void };
}

export interface ShownSnackbar extends SnackbarMessage {
  id: number;
  open: boolean;
}

let shown: ShownSnackbar | undefined;
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: ShownSnackbar | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message at the bottom left for ten seconds. A new message replaces the old one. */
export function showSnackbar(content: SnackbarMessage | string): void {
  lastId += 1;
  publish({ ...(typeof content === 'string' ? { message: content } : content), id: lastId, open: true });
}

function hideSnackbar(): void {
  if (shown?.open) publish({ ...shown, open: false });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A chunk of its own, because the sign-in page rarely needs it.
const LazySnackbar = lazy(untilOnline(() => import('./snackbar-view.tsx')));

/** Rendered once, in the root route. */
export function SnackbarHost() {
  const current = useSyncExternalStore(subscribe, () => shown);
  if (!current) return null;
  return (
    <Suspense fallback={null}>
      <LazySnackbar current={current} onHide={hideSnackbar} />
    </Suspense>
  );
}
