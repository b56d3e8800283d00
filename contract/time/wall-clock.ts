import { offsetMsAt } from './zone-offset.ts';

/**
 * From instants to wall clocks and back. A wall clock reading is kept as `wallMs`: the milliseconds that UTC
 * would show for the same date and time. Days and times are then plain arithmetic, and the zone comes in
 * only when the reading becomes an instant.
 */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const dayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;
export type DayName = (typeof dayNames)[number];
export const weekdayNames: readonly DayName[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

export interface TimeOfDay {
  Hour: number;
  Minute: number;
}

/** Local date and time in the zone at an instant. */
export function wallMsAt(epochMs: number, zone: string): number {
  return epochMs + offsetMsAt(epochMs, zone);
}

type ClockReading = 'once' | 'skipped' | 'repeated';

export interface Moment {
  epochMs: number;
  /**
   * `skipped`: clocks jump over the reading, so the instant is as much later as they jump. `repeated`: clocks
   * show it twice, and the first time is used.
   */
  reading: ClockReading;
}

/** The instant at which the zone's clocks show `wallMs`. */
export function momentOf(wallMs: number, zone: string): Moment {
  // The offsets a day before and after cover any change near the reading: clocks never change twice in two days.
  const before = offsetMsAt(wallMs - dayMs, zone);
  const after = offsetMsAt(wallMs + dayMs, zone);
  const first = wallMs - before;
  if (before === after) return { epochMs: first, reading: 'once' };
  const second = wallMs - after;
  const firstHolds = offsetMsAt(first, zone) === before;
  const secondHolds = offsetMsAt(second, zone) === after;
  if (firstHolds && secondHolds) return { epochMs: Math.min(first, second), reading: 'repeated' };
  if (firstHolds) return { epochMs: first, reading: 'once' };
  if (secondHolds) return { epochMs: second, reading: 'once' };
  return { epochMs: first, reading: 'skipped' };
}

/** The instant at which the zone's clocks show the time of day on a day; see `dayNumber`. */
export function momentOnDay(day: number, timeOfDayMs: number, zone: string): Moment {
  return momentOf(day * dayMs + timeOfDayMs, zone);
}

/** Days since 1970-01-01 of a wall clock reading. */
export function dayNumber(wallMs: number): number {
  return Math.floor(wallMs / dayMs);
}

export function timeOfDayMs(wallMs: number): number {
  return wallMs - dayNumber(wallMs) * dayMs;
}

/** 0 for Sunday. 1970-01-01 was a Thursday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function dayNameOf(day: number): DayName {
  return dayNames[weekday(day)] ?? 'Sunday';
}

export interface CalendarDate {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

export function calendarDate(day: number): CalendarDate {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function dayOfCalendarDate({ year, month, day }: CalendarDate): number {
  return Math.floor(Date.UTC(year, month - 1, day) / dayMs);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function msOfTimeOfDay({ Hour, Minute }: TimeOfDay): number {
  return (Hour * 60 + Minute) * minuteMs;
}

const isoWall = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?$/;

/** Reads "2026-11-14" or "2026-11-14T08:30[:00]" without a zone. Undefined when there is no such date or time. */
export function parseWall(text: string): number | undefined {
  const match = text.length <= 30 ? isoWall.exec(text) : null;
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** "2026-11-14T08:30:00", the form that `parseWall` reads. */
export function formatWall(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19);
}

const hasOffset = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/**
 * The instant that an ISO text names: with a zone designator as it is, without one as a wall clock reading in
 * `zone`.
 */
export function parseMoment(text: string, zone: string): Moment | undefined {
  if (text.length > 40) return undefined;
  const wallMs = parseWall(text);
  if (wallMs !== undefined) return momentOf(wallMs, zone);
  if (!hasOffset.test(text)) return undefined;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : { epochMs, reading: 'once' };
}
