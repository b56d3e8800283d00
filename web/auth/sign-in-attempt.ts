import { pageCodes } from '../../contract/page-codes.ts';
import type { FactorAsked } from '../../contract/second-factors.ts';
import { ApiError } from '../api.ts';

/** State that the sign-in pages share. A password stays in memory, never in storage. */
let expired: { UserName: string; Password: string } | undefined;

export function rememberExpired(attempt: { UserName: string; Password: string } | undefined): void {
  expired = attempt;
}

export function expiredAttempt(): { UserName: string; Password: string } | undefined {
  return expired;
}

let asked: FactorAsked | undefined;

/** The password was right, and a second factor is asked for. */
export function rememberAsked(factor: FactorAsked | undefined): void {
  asked = factor;
}

export function askedFactor(): FactorAsked | undefined {
  return asked;
}

/** The second factor that a refused sign-in asks for; undefined where it was refused for another reason. */
export function readAsked(error: unknown): FactorAsked | undefined {
  if (!(error instanceof ApiError) || error.body.ErrorCode !== pageCodes.secondFactorNeeded) return undefined;
  return error.body.ExtendedData as FactorAsked;
}

const retryAtKey = 'muster-sign-in-retry-at';

/** Saves the time when sign-in is possible again; survives a reload. */
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
