import { dayMs, dayNumber, formatWall, momentOf, wallMsAt } from './wall-clock.ts';

/**
 * The days of a zone, from the runtime's own zone data. Never computed in SQL: PostgreSQL has zone files of
 * its own, which are older (Alberta, Manitoba and the Northwest Territories were an hour off in winter).
 */

/** "2026-11-14": the day on the zone's calendar. */
export function localDay(at: Date | number, zone: string): string {
  return formatWall(wallMsAt(Number(at), zone)).slice(0, 10);
}

/** The first instant of a day ("2026-11-14") and of the day after it. */
export function dayBounds(day: string, zone: string): { begins: Date; ends: Date } {
  // Not Date.UTC, which reads the year 26 as 1926.
  const midnight = dayNumber(Date.parse(`${day}T00:00:00Z`)) * dayMs;
  return {
    begins: new Date(momentOf(midnight, zone).epochMs),
    ends: new Date(momentOf(midnight + dayMs, zone).epochMs),
  };
}

/** "2026-11-14" and so many days later. */
export function addDays(day: string, days: number): string {
  return formatWall((dayNumber(Date.parse(`${day}T00:00:00Z`)) + days) * dayMs).slice(0, 10);
}

/** Days from the first to the second; below zero when the second is earlier. */
export function daysBetween(first: string, second: string): number {
  return dayNumber(Date.parse(`${second}T00:00:00Z`)) - dayNumber(Date.parse(`${first}T00:00:00Z`));
}
