import { refuseField } from '../../contract/errors.ts';
import { mostReportDays } from '../../contract/reports.ts';
import { addDays, dayBounds, daysBetween } from '../../contract/time/local-day.ts';
import { momentOf, wallMsAt } from '../../contract/time/wall-clock.ts';

export interface Range {
  since: string;
  until: string;
}

export interface Asked {
  'date-from'?: string | undefined;
  'date-to'?: string | undefined;
}

/** ISO 8601 has a year 0, PostgreSQL hasn't. */
function refuseYearZero(name: string, day: string): string {
  if (day.startsWith('0000')) throw refuseField(name, 'Enter a date');
  return day;
}

/** The days of a report, inclusive; without dates its default number of days, up to today. */
export function readRange(asked: Asked, today: string, days: number): Range {
  for (const name of ['date-from', 'date-to'] as const) refuseYearZero(name, asked[name] ?? '');
  const until = asked['date-to'] ?? today;
  const since = asked['date-from'] ?? addDays(until, 1 - days);
  const length = daysBetween(since, until) + 1;
  if (length < 1) throw refuseField('date-to', 'The last day can’t be before the first.');
  if (length > mostReportDays) throw refuseField('date-from', 'Choose at most a year.');
  return { since, until };
}

/** The same number of days right before them. */
export function rangeBefore({ since, until }: Range): Range {
  const length = daysBetween(since, until) + 1;
  return { since: addDays(since, -length), until: addDays(since, -1) };
}

/** A range as its whole months, by their first days, and the days before and after them. */
export function wholeMonths({ since, until }: Range): {
  months: { first: string; last: string } | undefined;
  days: Range[];
} {
  const first = since.endsWith('-01') ? since : nextMonth(since);
  const monthOfEnd = `${until.slice(0, 7)}-01`;
  // The month of `until` is complete if that is its last day.
  const end = addDays(until, 1).endsWith('-01') ? addDays(until, 1) : monthOfEnd;
  if (first >= end) return { months: undefined, days: [{ since, until }] };
  return {
    months: { first, last: `${addDays(end, -1).slice(0, 7)}-01` },
    days: [
      { since, until: addDays(first, -1) },
      { since: end, until },
    ].filter((days) => days.since <= days.until),
  };
}

/** The first day of the month after that of a day. */
function nextMonth(day: string): string {
  return `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
}

/** The times at which the days begin and end in a time zone. */
export function momentsOf({ since, until }: Range, zone: string): { begins: Date; ends: Date } {
  return { begins: dayBounds(since, zone).begins, ends: dayBounds(until, zone).ends };
}

/** The same, but either day may be missing: then there is no such limit. */
export function askedMoments(asked: Asked, zone: string): { begins: Date | null; ends: Date | null } {
  const { 'date-from': since, 'date-to': until } = asked;
  if (since !== undefined && until !== undefined) readRange(asked, until, 1);
  return {
    begins: since === undefined ? null : dayBounds(refuseYearZero('date-from', since), zone).begins,
    ends: until === undefined ? null : dayBounds(refuseYearZero('date-to', until), zone).ends,
  };
}

/** Every day of a range, in order. */
export function daysOf({ since, until }: Range): string[] {
  return Array.from({ length: daysBetween(since, until) + 1 }, (_, index) => addDays(since, index));
}

const daysAtOnce = 31;

/** A range in parts of a month: a file is written part by part, so that it never waits in memory. */
export function partsOf({ since, until }: Range): Range[] {
  const parts: Range[] = [];
  for (let first = since; first <= until; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    parts.push({ since: first, until: last < until ? last : until });
  }
  return parts;
}

/** Every month that a range touches, with its start time: "2026-03". */
export function monthsOf(range: Range, zone: string): { month: string; begins: Date }[] {
  const months = [...new Set(daysOf(range).map((day) => day.slice(0, 7)))];
  return months.map((month) => ({ month, begins: dayBounds(`${month}-01`, zone).begins }));
}

/** The hour of the user's morning at which reports are mailed. */
const mailHour = 7;

/**
 * The local time, in milliseconds, of the last Monday or first of a month at that hour, at or before this
 * one.
 */
function lastMailWallMs(schedule: 'weekly' | 'monthly', wallMs: number): number {
  const wall = new Date(wallMs - mailHour * 3_600_000);
  const day = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate());
  const back = schedule === 'weekly' ? (wall.getUTCDay() + 6) % 7 : wall.getUTCDate() - 1;
  return day - back * 86_400_000 + mailHour * 3_600_000;
}

/** Time when a report is mailed next: on Mondays, or on the first of a month, at seven in the morning. */
export function nextMailAt(schedule: 'weekly' | 'monthly', zone: string, after: Date): Date {
  const last = new Date(lastMailWallMs(schedule, wallMsAt(after.getTime(), zone)));
  const next =
    schedule === 'weekly'
      ? last.getTime() + 7 * 86_400_000
      : Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1, mailHour);
  return new Date(momentOf(next, zone).epochMs);
}

/** The period of a mail at this time: the week from Monday to Sunday, or the month, that ended last. */
export function mailedRange(schedule: 'weekly' | 'monthly', zone: string, at: Date): Range {
  const last = new Date(lastMailWallMs(schedule, wallMsAt(at.getTime(), zone))).toISOString().slice(0, 10);
  const until = addDays(last, -1);
  return { since: schedule === 'weekly' ? addDays(last, -7) : `${until.slice(0, 7)}-01`, until };
}
