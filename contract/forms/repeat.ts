import { z } from 'zod';
import { maxValue, minValue, required } from '../fields/basic-rules.ts';
import { number } from '../fields/character-rules.ts';
import { failures, numberField, trimmedField } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { type IntervalFrequency, intervalFrequencies, maxInterval } from '../time/repeating-schedule.ts';
import { dayNames, parseMoment } from '../time/wall-clock.ts';

/** "Must be less than or equal to {max}": 100 by default, 52 for weeks, 12 for months. */
function tooMany(interval: number, unit: IntervalFrequency): string | undefined {
  const max = maxInterval[unit];
  return firstFailure(String(interval), [maxValue('Interval', max, `Must be less than or equal to ${max}`)]);
}

/** How often a broadcast repeats and until when. The server checks the schedule once more with its own clock. */
export function repeatForm({ startMs, zone }: { startMs?: number | undefined; zone: string }) {
  return z
    .object({
      IntervalFrequency: z.enum(intervalFrequencies, { error: 'Select Days, Weeks or Months' }),
      Interval: numberField(
        required('Interval', 'Enter an Interval'),
        number(),
        minValue('Interval', 1, 'Must be greater than or equal to 1'),
      ),
      DaysOfWeek: z
        .array(z.enum(dayNames), { error: 'Please select at least one day of the week' })
        .nullish()
        .transform((days) => dayNames.filter((day) => days?.includes(day))),
      EndDateTime: trimmedField(),
    })
    .superRefine(
      failures(({ IntervalFrequency, Interval, DaysOfWeek, EndDateTime }) => ({
        Interval: tooMany(Interval, IntervalFrequency),
        DaysOfWeek:
          IntervalFrequency === 'weeks' && DaysOfWeek.length === 0
            ? 'Please select at least one day of the week'
            : undefined,
        EndDateTime: endMessage(EndDateTime, startMs, zone),
      })),
    );
}
export type RepeatForm = z.output<ReturnType<typeof repeatForm>>;

/** Ours: no end is no error (it repeats until it is stopped); an end before the start is. */
function endMessage(text: string, startMs: number | undefined, zone: string): string | undefined {
  if (text === '') return undefined;
  const end = parseMoment(text, zone);
  if (!end) return 'Enter an End Date';
  return startMs !== undefined && end.epochMs < startMs
    ? 'End Date cannot be earlier than the start'
    : undefined;
}
