import { useSyncExternalStore } from 'react';

/**
 * Permission of this browser to show notifications. It is requested only after the user did something that needs it:
 * a browser that is asked out of the blue says no for ever.
 */
export type BrowserPermission = NotificationPermission | 'unsupported';

export function browserPermission(): BrowserPermission {
  // Plain http has no notifications, and neither have some browsers on phones.
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

let isAsking = false;
const listeners = new Set<() => void>();

function publish(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the dialog that asks, unless the browser has been answered already. */
export function askForPermission(): void {
  if (browserPermission() !== 'default') return;
  isAsking = true;
  publish();
}

export function closePermissionDialog(): void {
  isAsking = false;
  publish();
}

export function useIsAskingPermission(): boolean {
  return useSyncExternalStore(subscribe, () => isAsking);
}

/** The browser's answer; new as soon as our dialog has been answered. */
export function useBrowserPermission(): BrowserPermission {
  return useSyncExternalStore(subscribe, browserPermission);
}
