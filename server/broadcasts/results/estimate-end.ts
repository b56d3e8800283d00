import { minuteMs } from '../../../contract/time/wall-clock.ts';
import type { SentStatus } from '../rules.ts';

/** The speed is measured over this many minutes. */
export const speedMinutes = 2;

interface Started {
  status: SentStatus;
  startedAt: Date | null;
  HeldReason: string;
}

/** The input of the speed. */
interface Moving extends Started {
  /** People who are texted. */
  goingCount: number;
  unfed: number;
  waiting: number;
  PerMinute: number | null;
  /** The oldest sample of the last minutes. */
  sampledAt: Date | null;
  sampledSent: number | null;
}

/** Its current speed, and its end at that speed. Paused, waiting or finished ones have no speed. */
export function speedOf(row: Moving, atMs: number): { CurrentPerMinute: number; EstimatedEnd: Date | null } {
  const left = row.unfed + row.waiting;
  const fromMs = (row.sampledAt ?? row.startedAt)?.getTime();
  if (row.status !== 'broadcasting' || row.HeldReason !== '' || left === 0 || fromMs === undefined) {
    return { CurrentPerMinute: 0, EstimatedEnd: null };
  }
  const gone = row.goingCount - left - (row.sampledAt === null ? 0 : (row.sampledSent ?? 0));
  // Less than a second is too short to measure a speed.
  const minutes = Math.max(atMs - fromMs, 1_000) / minuteMs;
  const measured = Math.max(0, Math.round(gone / minutes));
  // A paced one runs at its chosen speed; measured over a few texts it would jump.
  const isYoung = row.PerMinute !== null && minutes < 1;
  const speed = isYoung ? (row.PerMinute ?? 0) : Math.min(measured, row.PerMinute ?? measured);
  return {
    CurrentPerMinute: speed,
    EstimatedEnd: speed === 0 ? null : new Date(atMs + (left / speed) * minuteMs),
  };
}

interface Calling extends Started {
  callCount: number;
  callFed: number;
  callsWaiting: number;
  /** Calls that ended in the last minutes, and when the last waiting one is due. */
  endedLately: number;
  lastDue: Date | null;
}

/** The same with its calls: whichever of the two ends later. Unknown before the first call has ended. */
export function withCalls(
  texts: { CurrentPerMinute: number; EstimatedEnd: Date | null },
  row: Calling,
  atMs: number,
): { CurrentPerMinute: number; EstimatedEnd: Date | null } {
  const left = row.callsWaiting + Math.max(0, row.callCount - row.callFed);
  if (row.status !== 'broadcasting' || row.HeldReason !== '' || left === 0 || row.startedAt === null)
    return texts;
  if (row.endedLately === 0) return { ...texts, EstimatedEnd: null };
  const minutes = Math.min(speedMinutes, Math.max(atMs - row.startedAt.getTime(), 1_000) / minuteMs);
  const atSpeedMs = atMs + (left / (row.endedLately / minutes)) * minuteMs;
  const endMs = Math.max(atSpeedMs, row.lastDue?.getTime() ?? 0, texts.EstimatedEnd?.getTime() ?? 0);
  return { ...texts, EstimatedEnd: new Date(endMs) };
}
