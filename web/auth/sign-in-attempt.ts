/** State that the sign-in pages share. A password stays in memory, never in storage. */
let expired: { UserName: string; Password: string } | undefined;

export function rememberExpired(attempt: { UserName: string; Password: string } | undefined): void {
  expired = attempt;
}

export function expiredAttempt(): { UserName: string; Password: string } | undefined {
  return expired;
}

const retryAtKey = 'muster-sign-in-retry-at';

/** When sign-in is possible again; survives a reload. */
export function rememberRetryAfter(seconds: number): void {
  sessionStorage.setItem(retryAtKey, String(Date.now() + seconds * 1000));
}

export function retryAt(): number {
  const at = Number(sessionStorage.getItem(retryAtKey));
  return Number.isFinite(at) ? at : 0;
}

/** The wait from tooManyAttempts' ExtendedData; a minute if it can't be read. */
export function retryAfterSeconds(extendedData: unknown): number {
  const seconds = (extendedData as { RetryAfterSeconds?: unknown } | undefined)?.RetryAfterSeconds;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 60;
}
