import { sameTime } from './clock-time.ts';
import {
  dayMs,
  dayNameOf,
  dayNames,
  dayNumber,
  momentOnDay,
  msOfTimeOfDay,
  type TimeOfDay,
  wallMsAt,
} from './wall-clock.ts';
import { findClockChange } from './zone-offset.ts';

/**
 * Hours for calls, on the clocks of `zone`. The start belongs to the window, the stop does not: at 9:00 PM sharp nobody
 * is called any more. A window whose stop lies before its start runs past midnight and belongs to the day it opens on.
 * Where start and stop are equal (and not 0:00) it never opens.
 */
export interface CallingWindow {
  CallingWindowDays: readonly string[];
  StartTimeOfDay: TimeOfDay;
  StopTimeOfDay: TimeOfDay;
  ContinueOnNextDay: boolean;
}

/** The part of it that says when it is open. */
export type OpenHours = Omit<CallingWindow, 'ContinueOnNextDay'>;

export const defaultCallingWindow: CallingWindow = {
  CallingWindowDays: dayNames,
  StartTimeOfDay: { Hour: 9, Minute: 0 },
  StopTimeOfDay: { Hour: 21, Minute: 0 },
  ContinueOnNextDay: false,
};

const allDayStart: TimeOfDay = { Hour: 0, Minute: 0 };
const allDayStop: TimeOfDay = { Hour: 23, Minute: 59 };

type Hours = Pick<CallingWindow, 'StartTimeOfDay' | 'StopTimeOfDay'>;

/** A calling window is all-day when start and stop are 0:00-23:59, or both 0:00. */
export function isAllDay({ StartTimeOfDay, StopTimeOfDay }: Hours): boolean {
  return (
    sameTime(StartTimeOfDay, allDayStart) &&
    (sameTime(StopTimeOfDay, allDayStop) || sameTime(StopTimeOfDay, allDayStart))
  );
}

/** Switching all-day off resets to 9:00 AM-9:00 PM with ContinueOnNextDay off. */
export function switchAllDay(window: CallingWindow, isOn: boolean): CallingWindow {
  if (isOn) return { ...window, StartTimeOfDay: allDayStart, StopTimeOfDay: allDayStop };
  const { StartTimeOfDay, StopTimeOfDay, ContinueOnNextDay } = defaultCallingWindow;
  return { ...window, StartTimeOfDay, StopTimeOfDay, ContinueOnNextDay };
}

/** A stretch of time during which a window is open: from `opensMs` to just before `closesMs`. */
export interface Opening {
  opensMs: number;
  closesMs: number;
}

/** Start and stop as milliseconds of the day; the stop of a night window is past 24 hours. */
function hoursOf(window: Hours): { start: number; stop: number } {
  if (isAllDay(window)) return { start: 0, stop: dayMs };
  const start = msOfTimeOfDay(window.StartTimeOfDay);
  const stop = msOfTimeOfDay(window.StopTimeOfDay);
  return { start, stop: stop < start ? stop + dayMs : stop };
}

/** The instant at which clocks reach the time of day; where they jump over it, the jump. */
function boundaryMs(day: number, timeOfDayMs: number, zone: string): number {
  const { epochMs, reading } = momentOnDay(day, timeOfDayMs, zone);
  return (reading === 'skipped' && findClockChange(epochMs - dayMs / 2, epochMs, zone)?.atMs) || epochMs;
}

function openingOn(day: number, hours: { start: number; stop: number }, zone: string): Opening {
  return { opensMs: boundaryMs(day, hours.start, zone), closesMs: boundaryMs(day, hours.stop, zone) };
}

/**
 * The opening that holds the instant, otherwise the next one. Adjoining openings (all-day windows) stay
 * separate. Undefined when the window never opens: no day, or no time between start and stop.
 */
export function findOpening(window: OpenHours, epochMs: number, zone: string): Opening | undefined {
  const hours = hoursOf(window);
  const today = dayNumber(wallMsAt(epochMs, zone));
  // Yesterday's window may run past midnight; within nine days every weekday comes round, and once more for a
  // day on which a change of clocks leaves nothing of a short window.
  for (let day = today - 1; day <= today + 8; day++) {
    if (!window.CallingWindowDays.includes(dayNameOf(day))) continue;
    const opening = openingOn(day, hours, zone);
    if (opening.closesMs > epochMs && opening.closesMs > opening.opensMs) return opening;
  }
  return undefined;
}

export function isInsideCallingWindow(window: OpenHours, epochMs: number, zone: string): boolean {
  const opening = findOpening(window, epochMs, zone);
  return opening !== undefined && opening.opensMs <= epochMs;
}

/** The instant itself when the window is open, otherwise when it opens next. */
export function nextOpeningMs(window: OpenHours, epochMs: number, zone: string): number | undefined {
  const opening = findOpening(window, epochMs, zone);
  return opening && Math.max(opening.opensMs, epochMs);
}

/**
 * Decides about the calls that are left when the window closes: with ContinueOnNextDay they continue when it opens
 * again; without it the broadcast ends there and they expire.
 */
export function afterClosing(
  window: CallingWindow,
  opening: Opening,
  zone: string,
): { continues: true; atMs: number } | { continues: false } {
  // All-day windows on adjoining days never close, so they go on whatever the setting.
  const next = findOpening(window, opening.closesMs, zone);
  if (next && next.opensMs <= opening.closesMs) return { continues: true, atMs: opening.closesMs };
  if (!window.ContinueOnNextDay || !next) return { continues: false };
  return { continues: true, atMs: next.opensMs };
}

/**
 * Time when calls that begin at `startMs` end for good, even if people are left; undefined where they continue until
 * everybody was called. All-day windows on adjoining days are one stretch.
 */
export function callingEndsMs(window: CallingWindow, startMs: number, zone: string): number | undefined {
  let opening = findOpening(window, startMs, zone);
  // A week: somebody who calls all day on every day never has to stop.
  for (let day = 0; opening !== undefined && day <= dayNames.length; day++) {
    const after = afterClosing(window, opening, zone);
    if (!after.continues) return opening.closesMs;
    if (window.ContinueOnNextDay) return undefined;
    opening = findOpening(window, after.atMs, zone);
  }
  return undefined;
}

/** "Choose a [field] within your Calling Window". */
export function outsideCallingWindowMessage(field: string): string {
  return `Choose a ${field} within your Calling Window`;
}

export interface Finish {
  /** Time when the last call of the work is placed. */
  endsMs: number;
  /** False when the window closes for good before the work is done. */
  isComplete: boolean;
  openings: Opening[];
}

/** A year of daily windows; work that needs more is refused as too long rather than computed. */
const maxOpenings = 400;

/** End of work that takes `durationMs` of open time and begins at `startMs`. For the pre-flight plan. */
export function finishWithinWindow(
  window: CallingWindow,
  startMs: number,
  durationMs: number,
  zone: string,
): Finish | undefined {
  const openings: Opening[] = [];
  let left = durationMs;
  let opening = findOpening(window, startMs, zone);
  let atMs = opening ? Math.max(opening.opensMs, startMs) : startMs;
  while (opening && openings.length < maxOpenings) {
    const available = opening.closesMs - atMs;
    const endsMs = atMs + Math.min(left, available);
    openings.push({ opensMs: atMs, closesMs: endsMs });
    if (left <= available) return { endsMs, isComplete: true, openings };
    left -= available;
    const after = afterClosing(window, opening, zone);
    if (!after.continues) return { endsMs, isComplete: false, openings };
    atMs = after.atMs;
    opening = findOpening(window, atMs, zone);
  }
  return undefined;
}
