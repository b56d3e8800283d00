import { mustBe, requiredMessage } from '../fields/basic-rules.ts';
import { say } from '../say.ts';
import {
  calendarDate,
  type DayName,
  dayMs,
  dayNameOf,
  dayNames,
  dayNumber,
  dayOfCalendarDate,
  daysInMonth,
  type Moment,
  momentOf,
  parseMoment,
  timeOfDayMs,
  wallMsAt,
  weekdayNames,
} from './wall-clock.ts';

/**
 * A schedule repeats at the same wall clock time in its zone, whatever clocks do: an hour that they skip
 * moves the occurrence on by as much, an hour that they repeat counts once. Weeks begin on Sunday. A month
 * without the start's day has its last day instead, and the next month the start's day again.
 */
export const scheduleFrequencies = ['Daily', 'Weekly', 'Weekdays', 'Monthly', 'Custom'] as const;
export type ScheduleFrequency = (typeof scheduleFrequencies)[number];

export const intervalFrequencies = ['days', 'weeks', 'months'] as const;
export type IntervalFrequency = (typeof intervalFrequencies)[number];
export const intervalLabels: Readonly<Record<IntervalFrequency, string>> = {
  days: say('Days', 'unit'),
  weeks: say('Weeks', 'unit'),
  months: say('Months', 'unit'),
};

/** Max 100 by default, 52 for weeks, 12 for months. */
export const maxInterval = { days: 100, weeks: 52, months: 12 } as const;

export interface RepeatingSchedule {
  Interval: number;
  IntervalFrequency: IntervalFrequency;
  /** Read for weeks only. */
  DaysOfWeek: readonly string[];
  /** ISO, with or without an offset; without one it is in the schedule's zone. Occurrences at it still count. */
  EndDateTime?: string | null | undefined;
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  new Set(a).size === b.length && b.every((day) => a.includes(day));

/** daily, weekly, weekdays (all five Monday to Friday), monthly, custom. */
export function deriveFrequency({
  Interval,
  IntervalFrequency,
  DaysOfWeek,
}: RepeatingSchedule): ScheduleFrequency {
  if (Interval !== 1) return 'Custom';
  if (IntervalFrequency === 'days') return 'Daily';
  if (IntervalFrequency === 'months') return 'Monthly';
  return isSameSet(DaysOfWeek, weekdayNames) ? 'Weekdays' : 'Weekly';
}

/** Repeating defaults to daily, interval 1; default end is 7 days after the start, at the same wall clock time. */
export function defaultSchedule(): RepeatingSchedule {
  return { Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [] };
}

export function defaultEndMs(startWallMs: number, zone: string): number {
  return momentOf(startWallMs + 7 * dayMs, zone).epochMs;
}

/** Applies another frequency to the schedule. A custom frequency keeps its own interval. */
export function chooseFrequency(
  schedule: RepeatingSchedule,
  frequency: ScheduleFrequency,
  startWallMs: number,
): RepeatingSchedule {
  const startDay: DayName = dayNameOf(dayNumber(startWallMs));
  switch (frequency) {
    case 'Daily':
      return { ...schedule, Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [] };
    case 'Weekly':
      return { ...schedule, Interval: 1, IntervalFrequency: 'weeks', DaysOfWeek: [startDay] };
    case 'Weekdays':
      return { ...schedule, Interval: 1, IntervalFrequency: 'weeks', DaysOfWeek: weekdayNames };
    case 'Monthly':
      return { ...schedule, Interval: 1, IntervalFrequency: 'months', DaysOfWeek: [] };
    case 'Custom':
      return schedule;
  }
}

const sundayWeek = (day: number) => Math.floor((day + 4) / 7);
const monthIndex = (day: number) => {
  const { year, month } = calendarDate(day);
  return year * 12 + month - 1;
};

/** The days of the schedule from `fromDay` on, in order, without end. */
function* daysFrom(
  schedule: RepeatingSchedule,
  startDay: number,
  fromDay: number,
): Generator<number, undefined> {
  const { Interval, IntervalFrequency, DaysOfWeek } = schedule;
  if (!Number.isSafeInteger(Interval) || Interval < 1) return undefined;
  const first = Math.max(startDay, fromDay);
  if (IntervalFrequency === 'days') {
    for (let k = Math.ceil((first - startDay) / Interval); ; k++) yield startDay + k * Interval;
  }
  if (IntervalFrequency === 'weeks') {
    const offsets = dayNames.flatMap((name, index) => (DaysOfWeek.includes(name) ? [index] : []));
    if (offsets.length === 0) return undefined;
    const startWeek = sundayWeek(startDay);
    for (let k = Math.floor((sundayWeek(first) - startWeek) / Interval); ; k++) {
      const sunday = (startWeek + k * Interval) * 7 - 4;
      for (const offset of offsets) if (sunday + offset >= first) yield sunday + offset;
    }
  }
  const startMonth = monthIndex(startDay);
  const dayOfMonth = calendarDate(startDay).day;
  for (let k = Math.floor((monthIndex(first) - startMonth) / Interval); ; k++) {
    const index = startMonth + k * Interval;
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
    const day = dayOfCalendarDate({ year, month, day: Math.min(dayOfMonth, daysInMonth(year, month)) });
    if (day >= first) yield day;
  }
}

/** Nobody needs more at once; this also bounds the work. */
export const maxOccurrences = 1000;
/** The last instant that a JavaScript date can hold, less a margin for offsets. */
const lastMs = 8.64e15 - 400 * dayMs;

/**
 * The occurrences of the schedule after `afterMs` (before the first one: from the start on), at most `limit`.
 * The start itself is one when its day is in the schedule.
 */
export function nextOccurrences(
  schedule: RepeatingSchedule,
  startWallMs: number,
  zone: string,
  { afterMs = Number.NEGATIVE_INFINITY, limit = 1 }: { afterMs?: number; limit?: number } = {},
): Moment[] {
  if (afterMs >= lastMs) return [];
  const endsMs = endMs(schedule, zone);
  const startDay = dayNumber(startWallMs);
  const time = timeOfDayMs(startWallMs);
  const fromDay = afterMs > startWallMs ? dayNumber(wallMsAt(afterMs, zone)) - 1 : startDay;
  const found: Moment[] = [];
  for (const day of daysFrom(schedule, startDay, fromDay)) {
    if (found.length >= Math.min(limit, maxOccurrences) || day * dayMs > Math.min(endsMs + 2 * dayMs, lastMs))
      break;
    const moment = momentOf(day * dayMs + time, zone);
    if (moment.epochMs > endsMs) break;
    if (moment.epochMs > afterMs) found.push(moment);
  }
  return found;
}

/** The last instant at which an occurrence still counts; endless without an end. */
export function endMs({ EndDateTime }: RepeatingSchedule, zone: string): number {
  if (EndDateTime === undefined || EndDateTime === null || EndDateTime === '')
    return Number.POSITIVE_INFINITY;
  return parseMoment(EndDateTime, zone)?.epochMs ?? Number.NEGATIVE_INFINITY;
}

/** "Must be greater than or equal to 1", "Must be less than or equal to {max}": 100 by default, 52 for weeks, 12 for months. */
export function intervalProblem({
  Interval,
  IntervalFrequency,
}: Pick<RepeatingSchedule, 'Interval' | 'IntervalFrequency'>): string | undefined {
  if (!Number.isInteger(Interval) || Interval < 1) return mustBe.atLeast(1);
  const max = maxInterval[IntervalFrequency];
  return Interval > max ? mustBe.atMost(max) : undefined;
}

export const noDayOfWeek = 'Please select at least one day of the week';

/** Weekly repeats need at least one day. */
export function daysProblem({
  IntervalFrequency,
  DaysOfWeek,
}: Pick<RepeatingSchedule, 'IntervalFrequency' | 'DaysOfWeek'>): string | undefined {
  const isWithoutDay = IntervalFrequency === 'weeks' && !dayNames.some((day) => DaysOfWeek.includes(day));
  return isWithoutDay ? noDayOfWeek : undefined;
}

/**
 * Ours: no end is no problem (it repeats until it is stopped), nor is an end at the start itself, which counts once;
 * an end before the start is. The start may not be known yet.
 */
export function endProblem(
  { EndDateTime }: Pick<RepeatingSchedule, 'EndDateTime'>,
  startMs: number | undefined,
  zone: string,
): string | undefined {
  if (!EndDateTime) return undefined;
  const end = parseMoment(EndDateTime, zone);
  if (!end) return requiredMessage('End Date');
  return startMs !== undefined && end.epochMs < startMs
    ? 'End Date cannot be earlier than the start'
    : undefined;
}

/** Ours: for a schedule that passes the form but never occurs. */
export const noOccurrence = 'No broadcast falls between the start and the end date.';

/**
 * The server's messages: those of the form, and those about a schedule that passes the form but can't work.
 */
export function scheduleProblem(
  schedule: RepeatingSchedule,
  startWallMs: number,
  zone: string,
): string | undefined {
  const problem =
    intervalProblem(schedule) ??
    daysProblem(schedule) ??
    endProblem(schedule, momentOf(startWallMs, zone).epochMs, zone);
  if (problem !== undefined) return problem;
  return nextOccurrences(schedule, startWallMs, zone).length === 0 ? noOccurrence : undefined;
}
