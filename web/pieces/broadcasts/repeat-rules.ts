import type { z } from 'zod';
import { fieldErrors } from '../../../contract/fields/form.ts';
import { repeatForm } from '../../../contract/forms/repeat.ts';
import type { repeatingSchedule } from '../../../contract/repeating-broadcasts.ts';
import { type RepeatingSchedule, scheduleProblem } from '../../../contract/time/repeating-schedule.ts';
import { parseWall } from '../../../contract/time/wall-clock.ts';

/** Schedule of a repeating broadcast, as calls carry it. */
export type Schedule = z.output<typeof repeatingSchedule>;

/** The last day of a schedule as its field holds it; empty: it has no end. */
export function endDayOf({ EndDateTime }: Pick<RepeatingSchedule, 'EndDateTime'>): string {
  return EndDateTime ? EndDateTime.slice(0, 10) : '';
}

/** The end is a day; its time is that of the start, so that the last day still has its broadcast. */
export function endOnDay(day: string, startWallText: string | null): string | null {
  if (day === '') return null;
  return `${day}T${startWallText?.slice(11, 19) || '23:59:00'}`;
}

/** The errors of the schedule, by field; `schedule` for errors that belong to no single field. */
export function repeatErrors(
  schedule: Schedule | null,
  startDate: string | null,
  { interval, zone }: { interval: string; zone: string },
): Record<string, string> {
  const startWallMs = startDate === null ? undefined : parseWall(startDate);
  if (!schedule) return { schedule: 'Choose how often it repeats' };
  const errors = fieldErrors(repeatForm({ startMs: undefined, zone }), {
    ...schedule,
    Interval: interval,
    EndDateTime: schedule.EndDateTime ?? '',
  });
  if (Object.keys(errors).length > 0 || startWallMs === undefined) return errors;
  const problem = scheduleProblem(schedule, startWallMs, zone);
  return problem === undefined ? {} : { schedule: problem };
}
