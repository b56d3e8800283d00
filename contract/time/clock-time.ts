import type { TimeOfDay } from './wall-clock.ts';

/** "5:00 PM": the specification's format h:mm A. An hour may carry a leading zero ("08:00 AM"); Spanish writes "p. m." */
const clockTime = /^(\d{1,2}):(\d{2})[ \u00a0\u202f]?([AaPp])\.?[ \u00a0\u202f]?[Mm]\.?$/;

export function parseClockTime(text: string): TimeOfDay | undefined {
  // Nothing that long is a time; also keeps trim() from walking a megabyte.
  if (text.length > 20) return undefined;
  const match = clockTime.exec(text.trim());
  if (!match) return undefined;
  const hour = Number(match[1]);
  const minute = Number(match[2]);
  if (hour < 1 || hour > 12 || minute > 59) return undefined;
  const isPm = match[3] === 'P' || match[3] === 'p';
  return { Hour: (hour % 12) + (isPm ? 12 : 0), Minute: minute };
}

export function formatClockTime({ Hour, Minute }: TimeOfDay): string {
  return `${Hour % 12 === 0 ? 12 : Hour % 12}:${String(Minute).padStart(2, '0')} ${Hour < 12 ? 'AM' : 'PM'}`;
}

export function minutesOf({ Hour, Minute }: TimeOfDay): number {
  return Hour * 60 + Minute;
}

export function timeOfMinutes(minutes: number): TimeOfDay {
  const inDay = ((minutes % 1440) + 1440) % 1440;
  return { Hour: Math.floor(inDay / 60), Minute: inDay % 60 };
}

export function sameTime(a: TimeOfDay, b: TimeOfDay): boolean {
  return a.Hour === b.Hour && a.Minute === b.Minute;
}
