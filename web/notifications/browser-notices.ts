import { useCallback, useSyncExternalStore } from 'react';
import { askForPermission, useBrowserPermission } from '../pieces/notifications/browser-permission.ts';
import { useUser } from '../queries/current-user.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { chooseNotices, useNoticeChoice } from './notice-choice.ts';
import { subscribe, unsubscribe } from './push-subscription.ts';

/** True if notifications work while no page is open; undefined until tried. */
let isPushed: boolean | undefined;
const listeners = new Set<() => void>();

function setPushed(next: boolean | undefined): void {
  isPushed = next;
  for (const listener of listeners) listener();
}

/** On in this browser: the browser allows them and the user wants them. */
export async function turnOn(userId: number): Promise<void> {
  chooseNotices(userId, 'on');
  setPushed(await subscribe(userId).catch(() => false));
}

async function turnOff(userId: number): Promise<void> {
  chooseNotices(userId, 'off');
  setPushed(undefined);
  await unsubscribe().catch(() =>
    showSnackbar('Muster couldn’t turn off notifications for this browser. Turn them on and off again.'),
  );
}

export interface BrowserNotices {
  permission: ReturnType<typeof useBrowserPermission>;
  isOn: boolean;
  isPushed: boolean | undefined;
  set: (isOn: boolean) => void;
}

/** Notifications in this browser, for the signed-in user. */
export function useBrowserNotices(): BrowserNotices {
  const userId = useUser()?.UserID ?? 0;
  const permission = useBrowserPermission();
  const choice = useNoticeChoice(userId);
  const pushed = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isPushed,
  );
  const set = useCallback(
    (isOn: boolean) => {
      if (!isOn) void turnOff(userId);
      else if (permission === 'granted') void turnOn(userId);
      else askForPermission();
    },
    [userId, permission],
  );
  return { permission, isOn: permission === 'granted' && choice === 'on', isPushed: pushed, set };
}
