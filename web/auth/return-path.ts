import { returnPathKey } from '../api.ts';

const neverBackTo = [
  ...['/login', '/logout', '/setup', '/expired-password', '/unsupported-browser', '/second-factor', '/sso'],
  ...['/signup', '/verify-email', '/forgot-password', '/reset-password', '/onboarding', '/invitation'],
];

/** Someone signed in in this browser and didn't sign out. Only then can a session have ended. */
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

/** Only a path on this site: an address such as //elsewhere.example or /\elsewhere would leave it. */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /\p{Cc}/u.test(path)) return '/home';
  const isBack = neverBackTo.some(
    (never) => path === never || path.startsWith(`${never}/`) || path.startsWith(`${never}?`),
  );
  return isBack ? '/home' : path;
}

/** Opens the app after sign-in with a fresh page, so that nothing of another user stays in memory. */
export function enter(): void {
  enterOr('/home');
}

/** The same, with another address for those who asked for no page. */
export function enterOr(otherwise: string): void {
  const asked = sessionStorage.getItem(returnPathKey);
  const path = safeReturnPath(asked);
  sessionStorage.removeItem(returnPathKey);
  globalThis.location.replace(asked && path !== '/home' ? path : otherwise);
}
