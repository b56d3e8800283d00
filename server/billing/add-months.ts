import { momentOf, wallMsAt } from '../../contract/time/wall-clock.ts';

/** The day of the month of an instant, on the calendar of a zone. */
export function dayOfMonth(at: Date, zone: string): number {
  return new Date(wallMsAt(at.getTime(), zone)).getUTCDate();
}

/**
 * The same day some months later, at the same time of day. A period that began on the 31st falls on the last
 * day of shorter months and on the 31st again after them: the anchor day counts, not that of the month
 * before.
 */
export function addMonths(at: Date, months: number, anchorDay: number, zone: string): Date {
  const wall = new Date(wallMsAt(at.getTime(), zone));
  const first = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const timeOfDayMs = wall.getTime() % 86_400_000;
  const dayMs = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(anchorDay, lastDay));
  return new Date(momentOf(dayMs + timeOfDayMs, zone).epochMs);
}
