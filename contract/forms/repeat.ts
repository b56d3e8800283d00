import { z } from 'zod';
import { required } from '../fields/basic-rules.ts';
import { number } from '../fields/character-rules.ts';
import { failures, numberField, trimmedField } from '../fields/form.ts';
import {
  daysProblem,
  endProblem,
  intervalFrequencies,
  intervalProblem,
  noDayOfWeek,
} from '../time/repeating-schedule.ts';
import { dayNames } from '../time/wall-clock.ts';

/** How often a broadcast repeats and until when. The server checks the schedule once more with its own clock. */
export function repeatForm({ startMs, zone }: { startMs?: number | undefined; zone: string }) {
  return z
    .object({
      IntervalFrequency: z.enum(intervalFrequencies, { error: 'Select Days, Weeks or Months' }),
      Interval: numberField(required('Interval'), number()),
      DaysOfWeek: z
        .array(z.enum(dayNames), { error: noDayOfWeek })
        .nullish()
        .transform((days) => dayNames.filter((day) => days?.includes(day))),
      EndDateTime: trimmedField(),
    })
    .superRefine(
      failures((values) => ({
        Interval: intervalProblem(values),
        DaysOfWeek: daysProblem(values),
        EndDateTime: endProblem(values, startMs, zone),
      })),
    );
}
export type RepeatForm = z.output<ReturnType<typeof repeatForm>>;
