import { z } from 'zod';
import { mustBe, required } from '../fields/basic-rules.ts';
import { number } from '../fields/character-rules.ts';
import { failures, numberField, trimmedField } from '../fields/form.ts';
import { ruleThat } from '../fields/rule.ts';
import {
  daysProblem,
  endProblem,
  intervalFrequencies,
  intervalProblem,
  noDayOfWeek,
} from '../time/repeating-schedule.ts';
import { dayNames } from '../time/wall-clock.ts';

/** "-1" is a number that is too small: it gets the message about 1, not the one about digits. */
const notNegative = ruleThat((value) => !/^[-−–]\s*[0-9]/.test(value), mustBe.atLeast(1));

/** Interval and end of a repeating broadcast. The server checks the schedule once more with its own clock. */
export function repeatForm({ startMs, zone }: { startMs?: number | undefined; zone: string }) {
  return z
    .object({
      IntervalFrequency: z.enum(intervalFrequencies, { error: 'Select Days, Weeks or Months' }),
      Interval: numberField(required('Interval'), notNegative, number()),
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
