import { findOpening, isInsideCallingWindow, type OpenHours, type Opening } from './calling-window.ts';
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

/** Different hours where the account has its own. */
export function isQuiet(
  zones: readonly string[],
  epochMs: number,
  hours: OpenHours = recipientHours,
): boolean {
  return zones.some((zone) => !isInsideCallingWindow(hours, epochMs, zone));
}

/**
 * The instant itself when every zone allows it, otherwise the next one at which every zone does. Undefined
 * for a set of zones that never share an allowed hour, and for no zone at all.
 */
export function nextAllowedMs(
  zones: readonly string[],
  epochMs: number,
  hours: OpenHours = recipientHours,
): number | undefined {
  return nextAllowed(zones, epochMs, hours)?.opensMs;
}

/** The same with its end: the stretch from then on during which every zone allows it. */
export function nextAllowed(
  zones: readonly string[],
  epochMs: number,
  hours: OpenHours = recipientHours,
): Opening | undefined {
  if (zones.length === 0) return undefined;
  let atMs = epochMs;
  // Each round moves to the latest of the zones' openings; zones that meet at all meet within two days, not
  // counting a weekend without hours.
  while (atMs <= epochMs + 4 * dayMs) {
    const fromMs = atMs;
    const openings = zones.map((zone) => findOpening(hours, fromMs, zone));
    if (openings.some((opening) => opening === undefined)) return undefined;
    const closesMs = Math.min(...openings.map((opening) => opening?.closesMs ?? 0));
    atMs = Math.max(fromMs, ...openings.map((opening) => opening?.opensMs ?? 0));
    if (atMs === fromMs) return { opensMs: atMs, closesMs };
  }
  return undefined;
}
