import { useSyncExternalStore } from 'react';

/** Browsers that can install a page as an app say so by this event. Others, as on an iPhone, have their own menu. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

function become(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

window.addEventListener('beforeinstallprompt', (event) => {
  // Without this, a phone would put a banner over the page.
  event.preventDefault();
  become(event as InstallOffer);
});
window.addEventListener('appinstalled', () => become(undefined));

function install(): void {
  void offer?.prompt();
  // The browser takes each offer once.
  become(undefined);
}

/** Asks the browser to install Muster; undefined where it can't be installed, or is already. */
export function useInstall(): (() => void) | undefined {
  const isOffered = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offer !== undefined,
  );
  return isOffered ? install : undefined;
}
