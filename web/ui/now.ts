import { useSyncExternalStore } from 'react';

const everyMs = 15_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The current time, updated every 15 seconds. All relative times of a page share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    // The timer pauses while the page is hidden.
    if (timer === undefined) now = Date.now();
    return now;
  });
}
