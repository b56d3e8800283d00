import type { z } from 'zod';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { tooSoon } from '../../../contract/forms/broadcast.ts';
import type {
  validateSchedule as definition,
  repeatingSchedule,
} from '../../../contract/repeating-broadcasts.ts';
import { isInsideCallingWindow, outsideCallingWindowMessage } from '../../../contract/time/calling-window.ts';
import { describeSchedule } from '../../../contract/time/describe-schedule.ts';
import {
  deriveFrequency,
  nextOccurrences,
  noOccurrence,
  type RepeatingSchedule,
  scheduleProblem,
} from '../../../contract/time/repeating-schedule.ts';
import { isFarEnoughAhead, startDateMessage, validateStartDate } from '../../../contract/time/start-date.ts';
import { dayNames, formatWall, parseMoment, parseWall, wallMsAt } from '../../../contract/time/wall-clock.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import type { Calling } from '../draft/read-calling.ts';

/** Number of occurrences shown of a schedule. */
const shown = 5;

export async function validateSchedule(_trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const { StartDateTime, ...schedule } = body;
  const judged = judgeSchedule(schedule, StartDateTime, { zone: actor.timeZone, nowMs: nowMs() });
  return {
    ScheduleDescription: judged.description,
    Occurrences: occurrences(judged, nowMs(), shown).map((ms) => new Date(ms)),
  };
}

export interface JudgedSchedule {
  schedule: RepeatingSchedule;
  /** The local time that all occurrences have their time of day from, in the sender's time zone. */
  startWall: string;
  zone: string;
  description: string;
}

/** The time of the check, and whether the start is new: an existing one may be in the past. */
interface Judging {
  zone: string;
  nowMs: number;
  isNewStart?: boolean;
  /** The rules for the first one, where it has any. */
  first?: FirstStart | undefined;
}

/** At least 5 minutes ahead, and inside the window if it calls. Refused at this field. */
interface FirstStart {
  field: 'StartDate' | 'StartDateTime';
  calling?: Calling | undefined;
}

/** A valid schedule, or the message why it is invalid. */
export function judgeSchedule(
  given: z.output<typeof repeatingSchedule>,
  start: string,
  { zone, nowMs, isNewStart = true, first }: Judging,
): JudgedSchedule {
  const schedule: RepeatingSchedule = {
    Interval: given.Interval,
    IntervalFrequency: given.IntervalFrequency,
    DaysOfWeek: dayNames.filter((day) => given.DaysOfWeek.includes(day)),
    EndDateTime: given.EndDateTime || null,
  };
  const wrongStart = isNewStart
    ? startDateMessage(validateStartDate({ startDate: start, zone, nowMs }))
    : undefined;
  const startWallMs = parseWall(start) ?? wallMsAt(parseMoment(start, zone)?.epochMs ?? 0, zone);
  const problem = wrongStart ?? scheduleProblem(schedule, startWallMs, zone);
  if (problem !== undefined) throw new Refusal('refused', problem);
  const judged = {
    schedule,
    startWall: formatWall(startWallMs),
    zone,
    description: describeSchedule(schedule, startWallMs, zone),
  };
  const [firstMs] = occurrences(judged, nowMs, 1);
  if (firstMs === undefined) throw new Refusal('refused', noOccurrence);
  if (first !== undefined) refuseBadFirst(firstMs, nowMs, first);
  return judged;
}

/** "The first calling time is at least 5 minutes from now and must fall inside the calling window." */
function refuseBadFirst(firstMs: number, nowMs: number, { field, calling }: FirstStart): void {
  if (!isFarEnoughAhead(firstMs, nowMs)) throw refuseField(field, tooSoon);
  if (calling !== undefined && !isInsideCallingWindow(calling, firstMs, calling.zone)) {
    throw refuseField(field, outsideCallingWindowMessage('Start Time'));
  }
}

/** The times of a schedule after a given one. */
export function occurrences(
  { schedule, startWall, zone }: Pick<JudgedSchedule, 'schedule' | 'startWall' | 'zone'>,
  afterMs: number,
  limit: number,
): number[] {
  const startWallMs = parseWall(startWall);
  if (startWallMs === undefined) return [];
  return nextOccurrences(schedule, startWallMs, zone, { afterMs, limit }).map(({ epochMs }) => epochMs);
}

/** In the API's format. */
export function toWireSchedule(schedule: RepeatingSchedule): z.output<typeof repeatingSchedule> {
  return {
    ScheduleFrequency: deriveFrequency(schedule),
    Interval: schedule.Interval,
    IntervalFrequency: schedule.IntervalFrequency,
    DaysOfWeek: [...schedule.DaysOfWeek],
    EndDateTime: schedule.EndDateTime ?? null,
  };
}
