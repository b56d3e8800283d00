import { errorCatalog } from '../reference/error-catalog.ts';
import { timing } from '../reference/limits.ts';
import { isInsideCallingWindow, type OpenHours, outsideCallingWindowMessage } from './calling-window.ts';
import { dayMs, formatWall, minuteMs, parseMoment } from './wall-clock.ts';
import { type ClockChange, findClockChange } from './zone-offset.ts';

/** The first calling time is at least 5 minutes from now. */
export const startLeadMs = timing.firstCallingMinutesAhead * minuteMs;
/** Ours: further ahead than this is too far. Zone rules and phone numbers don't keep longer. */
export const maxStartAheadMs = 366 * dayMs;
/** Ours: a change of clocks within this time after the start gets a notice. */
const approachingMs = dayMs;

export const startDateMessages = {
  tooFar: 'Your start date and time is too far in the future.',
  past: 'Your start date and time cannot be in the past.',
  failed: errorCatalog.startDate,
} as const;

export interface StartDateValidation {
  IsPast: boolean;
  IsTooFarFuture: boolean;
  IsOutsideCallingWindow: boolean;
  /** Clocks skip or repeat the chosen time. */
  IsAlteredByServerTimeChange: boolean;
  /** Clocks change within a day after the start. */
  IsApproachingServerTimeChange: boolean;
  /** Clocks skip the chosen time, so the start is as much later. */
  IsMovedForwardByServerTimeChange: boolean;
  /** The stretch of wall clock that is skipped or repeated, without an offset; null when no change is near. */
  ServerTimeChangeStartTime: string | null;
  ServerTimeChangeEndTime: string | null;
  /** The instant of the start, after any moving. */
  StartDate: string;
}

export interface StartDateQuestion {
  /** ISO; without an offset it is a reading of the clocks in `zone`. */
  startDate: string;
  zone: string;
  nowMs: number;
  /** Left out when CheckCallingWindow is off. */
  window?: OpenHours;
}

/** Undefined when the text is no date: then the answer is startDateMessages.failed. */
export function validateStartDate({
  startDate,
  zone,
  nowMs,
  window,
}: StartDateQuestion): StartDateValidation | undefined {
  const moment = parseMoment(startDate, zone);
  if (!moment) return undefined;
  const startMs = moment.epochMs;
  const isAltered = moment.reading !== 'once';
  const isPast = startMs < nowMs;
  const isTooFar = startMs > nowMs + maxStartAheadMs;
  // A skipped time lies just after the change, a repeated one just before it.
  const change = findClockChange(isAltered ? startMs - dayMs / 2 : startMs, startMs + approachingMs, zone);
  const stretch = change && changedStretch(change);
  return {
    IsPast: isPast,
    IsTooFarFuture: isTooFar,
    IsOutsideCallingWindow: window !== undefined && !isInsideCallingWindow(window, startMs, zone),
    IsAlteredByServerTimeChange: isAltered,
    IsApproachingServerTimeChange: change !== undefined && change.atMs > startMs,
    IsMovedForwardByServerTimeChange: moment.reading === 'skipped',
    ServerTimeChangeStartTime: stretch ? formatWall(stretch.fromWallMs) : null,
    ServerTimeChangeEndTime: stretch ? formatWall(stretch.toWallMs) : null,
    StartDate: new Date(startMs).toISOString(),
  };
}

/** 2:00 to 3:00 when clocks go forward, 1:00 to 2:00 when they go back from 2:00. */
function changedStretch({ atMs, offsetBeforeMs, offsetAfterMs }: ClockChange): {
  fromWallMs: number;
  toWallMs: number;
} {
  const [a, b] = [atMs + offsetBeforeMs, atMs + offsetAfterMs];
  return { fromWallMs: Math.min(a, b), toWallMs: Math.max(a, b) };
}

/** The sentence under the field, the first that applies. */
export function startDateMessage(
  validation: StartDateValidation | undefined,
  field = 'Start Time',
): string | undefined {
  if (!validation) return startDateMessages.failed;
  if (validation.IsPast) return startDateMessages.past;
  if (validation.IsTooFarFuture) return startDateMessages.tooFar;
  if (validation.IsOutsideCallingWindow) return outsideCallingWindowMessage(field);
  return undefined;
}

/** A start, a rescheduled repeat: at least 5 minutes ahead. */
export function isFarEnoughAhead(startMs: number, nowMs: number): boolean {
  return startMs >= nowMs + startLeadMs;
}

/** Scheduled conversations and drip steps: 5 minutes after now, or after the previous step. */
export function defaultStartMs(nowOrPreviousMs: number): number {
  return nowOrPreviousMs + startLeadMs;
}
