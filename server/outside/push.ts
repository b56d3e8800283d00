import type { PushNotice } from '../../contract/notifications.ts';

/** The result of sending a notification to a push service. */
export type PushOutcome =
  | 'sent'
  /** The browser no longer exists: its token is useless. */
  | 'gone'
  /** This notification was refused; another may not be. */
  | 'refused'
  | { laterMs: number };

/** A service that sends notifications to browsers while no page is open, in our terms. */
export interface PushService {
  /**
   * Never throws, and ends within `pushMs`. `topic`: if two with the same one are waiting, the later replaces
   * the earlier.
   */
  send(token: string, notice: PushNotice, topic: string): Promise<PushOutcome>;
  close(): Promise<void>;
}

/** The time-out of one notification. */
export const pushMs = 10_000;

/** A notification that could not be sent in this time is obsolete. */
export const pushLivesSeconds = 4 * 3600;

const shortestPauseMs = 5_000;
const longestPauseMs = 600_000;

/** All push services respond with HTTP status codes. */
export function readPushStatus(status: number, retryAfter: string | string[] | undefined): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  // Wrong keys are a wrong setting that will be fixed; the rest of 4xx is about the notification.
  if (status >= 400 && status < 500 && status !== 429 && status !== 401 && status !== 403) return 'refused';
  const seconds = Number([retryAfter].flat()[0] ?? 0);
  const askedMs = Number.isFinite(seconds) ? seconds * 1000 : 0;
  return { laterMs: Math.min(longestPauseMs, Math.max(shortestPauseMs, askedMs)) };
}

export const pushUnreachable: PushOutcome = { laterMs: shortestPauseMs };
