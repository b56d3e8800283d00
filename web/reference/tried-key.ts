import { useSyncExternalStore } from 'react';

/** The key that calls are tried with. In memory only: it is gone with the tab. */
let key = '';
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setTriedKey(next: string): void {
  key = next;
  for (const listener of listeners) listener();
}

export function useTriedKey(): string {
  return useSyncExternalStore(subscribe, () => key);
}
