import type { PushNotice } from '../../contract/notifications.ts';

/** What came of handing a notice to a push service. */
export type PushOutcome =
  | 'sent'
  /** The browser is no longer there: its token is good for nothing. */
  | 'gone'
  /** This notice was refused; another may not be. */
  | 'refused'
  | { laterMs: number };

/** Who brings notices to browsers while no page is open, in our words. */
export interface PushService {
  /** Never throws, and ends within `pushMs`. `topic`: of two that wait under one the later takes the earlier's place. */
  send(token: string, notice: PushNotice, topic: string): Promise<PushOutcome>;
  close(): Promise<void>;
}

/** The longest that one notice may take. */
export const pushMs = 10_000;

/** A notice that could not be brought in this time has lost its point. */
export const pushLivesSeconds = 4 * 3600;

const shortestPauseMs = 5_000;
const longestPauseMs = 600_000;

/** Push services all answer in HTTP's words. */
export function readPushStatus(status: number, retryAfter: string | string[] | undefined): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  // Wrong keys are a wrong setting, fixed some time; the rest of 4xx is about the notice.
  if (status >= 400 && status < 500 && status !== 429 && status !== 401 && status !== 403) return 'refused';
  const seconds = Number([retryAfter].flat()[0] ?? 0);
  const askedMs = Number.isFinite(seconds) ? seconds * 1000 : 0;
  return { laterMs: Math.min(longestPauseMs, Math.max(shortestPauseMs, askedMs)) };
}

export const pushUnreachable: PushOutcome = { laterMs: shortestPauseMs };
