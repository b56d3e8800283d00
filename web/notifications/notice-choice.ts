import { useSyncExternalStore } from 'react';

/**
 * Whether a user wants browser notifications in this browser: on, off, or not asked yet. Kept in the browser, since the
 * same user may want them at the desk and not at home; by user, since a desk may have several.
 */
export type NoticeChoice = 'on' | 'off' | undefined;

/** What the server knows this browser by stands under it; gone after signing out. */
export const pushKey = 'muster-push';

const keyOf = (userId: number) => `muster-browser-notices-${userId}`;
const listeners = new Set<() => void>();

export function noticeChoice(userId: number): NoticeChoice {
  const kept = localStorage.getItem(keyOf(userId));
  return kept === 'on' || kept === 'off' ? kept : undefined;
}

export function chooseNotices(userId: number, choice: 'on' | 'off'): void {
  localStorage.setItem(keyOf(userId), choice);
  for (const listener of listeners) listener();
}

export function useNoticeChoice(userId: number): NoticeChoice {
  return useSyncExternalStore(subscribe, () => noticeChoice(userId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Other tabs of the same browser.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
