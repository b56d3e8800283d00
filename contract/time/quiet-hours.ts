import { isInsideCallingWindow, nextOpeningMs, type OpenHours } from './calling-window.ts';
import { dayMs, dayNames } from './wall-clock.ts';

/**
 * Hours during which a person may be called or texted, on the person's own clock: from 8:00 AM until 9:00 PM
 * (US law and carriers' rules). Where we don't know which of several zones a person lives in, all of them
 * must allow it: the strictest wins.
 */
export const recipientHours: OpenHours = {
  CallingWindowDays: dayNames,
  StartTimeOfDay: { Hour: 8, Minute: 0 },
  StopTimeOfDay: { Hour: 21, Minute: 0 },
};

export function isQuiet(zones: readonly string[], epochMs: number): boolean {
  return zones.some((zone) => !isInsideCallingWindow(recipientHours, epochMs, zone));
}

/**
 * The instant itself when every zone allows it, otherwise the next one at which every zone does. Undefined
 * for a set of zones that never share an allowed hour, and for no zone at all.
 */
export function nextAllowedMs(zones: readonly string[], epochMs: number): number | undefined {
  if (zones.length === 0) return undefined;
  let atMs = epochMs;
  // Each round moves to the latest of the zones' openings; zones that meet at all meet within two days.
  while (atMs <= epochMs + 2 * dayMs) {
    const openings = zones.map(
      (zone) => nextOpeningMs(recipientHours, atMs, zone) ?? Number.POSITIVE_INFINITY,
    );
    const latest = Math.max(...openings);
    if (latest === atMs) return atMs;
    atMs = latest;
  }
  return undefined;
}
