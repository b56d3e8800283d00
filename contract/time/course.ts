import type { OpenHours } from './calling-window.ts';
import { parseClockTime } from './clock-time.ts';
import { addDays, localDay } from './local-day.ts';
import { nextAllowedMs } from './quiet-hours.ts';
import { dayNumber, minuteMs, momentOnDay, msOfTimeOfDay, wallMsAt, weekday } from './wall-clock.ts';

/** Times at which the steps of a drip campaign go to a person who goes through it on their own schedule. */

export interface CourseStep {
  /** False: as soon as they join. Only a first step may be so. */
  hasWait: boolean;
  /** This many days after the day on which they joined. */
  afterDays: number | null;
  /** "9:00 AM" on the campaign's clocks. */
  time: string;
}

export interface CourseRules {
  zone: string;
  skipsWeekends: boolean;
  /** Hours in which texts may go out; undefined where they always may. */
  hours: OpenHours | undefined;
}

/** Between two steps to the same person, also when one of them was late. */
export const betweenStepsMs = 5 * minuteMs;

/**
 * The opening time where nobody has set hours, so that a text that waits for Monday doesn't go out at
 * midnight.
 */
const morningMs = 9 * 60 * minuteMs;

interface Joined {
  /** Time when they joined, and the day of it on the campaign's calendar. */
  joinedMs: number;
  joinedDay: string;
  /** Now, or a moment after the step before: a step that is late goes at its time on the next day. */
  notBeforeMs: number;
}

/** Time when a step goes out; undefined for one that says neither a day nor a time. */
export function courseStepMs(step: CourseStep, joined: Joined, rules: CourseRules): number | undefined {
  if (!step.hasWait) return settle(Math.max(joined.joinedMs, joined.notBeforeMs), undefined, rules);
  const clock = parseClockTime(step.time);
  if (clock === undefined || step.afterDays === null) return undefined;
  const timeMs = msOfTimeOfDay(clock);
  const dueDay = dayNumber(Date.parse(`${addDays(joined.joinedDay, step.afterDays)}T00:00:00Z`));
  const today = dayNumber(wallMsAt(joined.notBeforeMs, rules.zone));
  const first = Math.max(dueDay, today);
  const onFirst = momentOnDay(first, timeMs, rules.zone).epochMs;
  const atMs = onFirst >= joined.notBeforeMs ? onFirst : momentOnDay(first + 1, timeMs, rules.zone).epochMs;
  return settle(atMs, timeMs, rules);
}

/** Moves a moment out of weekends and quiet hours. */
function settle(
  atMs: number,
  timeMs: number | undefined,
  { zone, skipsWeekends, hours }: CourseRules,
): number {
  let moved = atMs;
  let time = timeMs ?? openingMs(hours);
  // Out of the weekend into hours that are closed, and from there into the next day: three rounds are enough.
  for (let round = 0; round < 3; round++) {
    const before = moved;
    if (skipsWeekends) moved = afterWeekend(moved, time, zone);
    const openMs = hours === undefined ? moved : (nextAllowedMs([zone], moved, hours) ?? moved);
    // Texts that were held until the morning go out in the morning, on Monday too.
    if (openMs !== moved) time = openingMs(hours);
    moved = openMs;
    if (moved === before) break;
  }
  return moved;
}

function openingMs(hours: OpenHours | undefined): number {
  return hours === undefined ? morningMs : msOfTimeOfDay(hours.StartTimeOfDay);
}

function afterWeekend(atMs: number, timeMs: number, zone: string): number {
  const day = dayNumber(wallMsAt(atMs, zone));
  const name = weekday(day);
  if (name !== 0 && name !== 6) return atMs;
  return momentOnDay(day + (name === 6 ? 2 : 1), timeMs, zone).epochMs;
}

/** The whole course of somebody who joins at a moment, step by step; undefined where a step has no time yet. */
export function wholeCourse(
  steps: readonly CourseStep[],
  joinedMs: number,
  rules: CourseRules,
): (number | undefined)[] {
  const joinedDay = localDay(joinedMs, rules.zone);
  let notBeforeMs = joinedMs;
  return steps.map((step) => {
    const atMs = courseStepMs(step, { joinedMs, joinedDay, notBeforeMs }, rules);
    if (atMs !== undefined) notBeforeMs = atMs + betweenStepsMs;
    return atMs;
  });
}
