import { useSyncExternalStore } from 'react';

/**
 * A user's choice of browser notifications in this browser: on, off, or not asked yet. Stored in the browser, because
 * a user may want them at work and not at home. Stored by user, because people share computers.
 */
export type NoticeChoice = 'on' | 'off' | undefined;

/** Stores the server's ID of this browser. Removed on sign-out. */
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
  // Changes from other tabs.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
