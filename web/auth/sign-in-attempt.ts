/** What the sign-in pages tell one another. A password lives here in memory only, never in any storage. */
let expired: { UserName: string; Password: string } | undefined;

export function rememberExpired(attempt: { UserName: string; Password: string } | undefined): void {
  expired = attempt;
}

export function expiredAttempt(): { UserName: string; Password: string } | undefined {
  return expired;
}

const retryAtKey = 'muster-sign-in-retry-at';

/** When one may try again; survives loading the page anew. */
export function rememberRetryAfter(seconds: number): void {
  sessionStorage.setItem(retryAtKey, String(Date.now() + seconds * 1000));
}

export function retryAt(): number {
  const at = Number(sessionStorage.getItem(retryAtKey));
  return Number.isFinite(at) ? at : 0;
}

/** ExtendedData of tooManyAttempts; a minute when it says nothing we can read. */
export function retryAfterSeconds(extendedData: unknown): number {
  const seconds = (extendedData as { RetryAfterSeconds?: unknown } | undefined)?.RetryAfterSeconds;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 60;
}
