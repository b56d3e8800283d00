import { startWall } from '../../../contract/forms/broadcast.ts';
import { formatClockTime, timeOfMinutes } from '../../../contract/time/clock-time.ts';
import { timeStepMinutes } from '../../../contract/time/time-steps.ts';
import {
  dayMs,
  formatWall,
  hourMs,
  minuteMs,
  parseWall,
  timeOfDayMs,
  wallMsAt,
} from '../../../contract/time/wall-clock.ts';

/** A start as its two fields hold it: "2026-11-15" and "5:00 PM". Either may be half typed. */
export interface StartFields {
  day: string;
  time: string;
}

/** The fields for a clock reading from the draft. */
export function startFieldsOf(wall: string | null): StartFields {
  const ms = wall === null ? undefined : parseWall(wall);
  if (ms === undefined) return { day: '', time: '' };
  return {
    day: formatWall(ms).slice(0, 10),
    time: formatClockTime(timeOfMinutes(Math.floor(timeOfDayMs(ms) / minuteMs))),
  };
}

/** The clock reading of the fields; null while they are incomplete. */
export function wallOfFields({ day, time }: StartFields): string | null {
  return startWall({ StartDate: day, startTimeText: time }) ?? null;
}

/** The default when somebody chooses to start later: an hour from now, rounded up to a quarter of an hour. */
export function suggestedWall(nowMs: number, zone: string): string {
  const step = timeStepMinutes * minuteMs;
  return formatWall(Math.ceil((wallMsAt(nowMs, zone) + hourMs) / step) * step);
}

/** "Default end is 7 days after the start." */
export function suggestedEnd(startWallText: string): string | null {
  const startMs = parseWall(startWallText);
  return startMs === undefined ? null : formatWall(startMs + 7 * dayMs);
}
