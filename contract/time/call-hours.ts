import { afterClosing, type CallingWindow, findOpening, type OpenHours } from './calling-window.ts';
import { nextAllowed } from './quiet-hours.ts';

/** Hours for calls: in the sender's window and in the recipient's hours. */
export interface CallHours {
  window: CallingWindow;
  /** The sender's clock. */
  senderZone: string;
  /** Hours on the recipient's clock; undefined when the account keeps none. */
  hours: OpenHours | undefined;
  accountZone: string;
}

export type NextCall = { atMs: number; closesMs: number } | 'expired';

/** Number of windows that are searched for one that overlaps the recipient's hours. */
const mostWindows = 10;

/**
 * The first moment from `atMs` on at which somebody in these zones may be called, and when that ends. Expired: the
 * sender's window closes before it, and calling doesn't go on the next day.
 */
export function nextCall(
  zone: string,
  atMs: number,
  { window, senderZone, hours, accountZone }: CallHours,
): NextCall {
  const zones = zone === '' ? [accountZone] : zone.split(',');
  let fromMs = atMs;
  for (let index = 0; index < mostWindows; index++) {
    const opening = findOpening(window, fromMs, senderZone);
    if (opening === undefined) return 'expired';
    const startMs = Math.max(fromMs, opening.opensMs);
    const theirs = hours === undefined ? undefined : nextAllowed(zones, startMs, hours);
    // Zones that never share an allowed hour are called in the sender's window; otherwise nobody would be.
    const opensMs = theirs === undefined ? startMs : Math.max(startMs, theirs.opensMs);
    const closesMs = Math.min(opening.closesMs, theirs?.closesMs ?? Number.POSITIVE_INFINITY);
    if (opensMs < closesMs) return { atMs: opensMs, closesMs };
    const after = afterClosing(window, opening, senderZone);
    if (!after.continues) return 'expired';
    fromMs = after.atMs;
  }
  return 'expired';
}
