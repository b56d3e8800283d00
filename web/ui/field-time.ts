import { momentOf, wallMsAt } from '../../contract/time/wall-clock.ts';

/** "2026-03-10T08:00", as a date and time field holds it, in the given time zone. */
export function fieldTime(at: number, zone: string): string {
  return new Date(wallMsAt(at, zone)).toISOString().slice(0, 16);
}

/** The instant of such a value in the time zone; undefined while it is incomplete. */
export function instantOfField(text: string, zone: string): number | undefined {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(`${text.slice(0, 16)}:00Z`) : Number.NaN;
  return Number.isNaN(wall) ? undefined : momentOf(wall, zone).epochMs;
}
