import { returnPathKey } from '../api.ts';

const neverBackTo = ['/login', '/logout', '/setup', '/expired-password', '/unsupported-browser'];

/** Somebody has been signed in in this browser and has not signed out: a session can have ended only then. */
const signedInKey = 'muster-signed-in';

export function rememberSignedIn(): void {
  localStorage.setItem(signedInKey, 'yes');
}

export function forgetSignedIn(): void {
  localStorage.removeItem(signedInKey);
}

export function wasSignedIn(): boolean {
  return localStorage.getItem(signedInKey) !== null;
}

/** Only a path on this very site: an address such as //elsewhere.example or /\elsewhere would leave it. */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /\p{Cc}/u.test(path)) return '/home';
  const isBack = neverBackTo.some(
    (never) => path === never || path.startsWith(`${never}/`) || path.startsWith(`${never}?`),
  );
  return isBack ? '/home' : path;
}

/** Into the product after sign-in, with a fresh page: nothing of another user stays in memory. */
export function enter(): void {
  const path = safeReturnPath(sessionStorage.getItem(returnPathKey));
  sessionStorage.removeItem(returnPathKey);
  globalThis.location.replace(path);
}
