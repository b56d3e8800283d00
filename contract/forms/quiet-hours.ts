import { z } from 'zod';
import { failures, flagField, trimmedField } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { requiredClockTime, startTimeBeforeStopTime } from '../fields/time-rules.ts';
import { minutesOf, parseClockTime } from '../time/clock-time.ts';

/** Ours: some area codes reach into zones three hours apart, and a text may go out only while all of them allow it. */
const leastHours = 4;
const tooFewHours = `Leave at least ${leastHours} hours between Start Time and Stop Time`;

/** The hours of the recipient's own clock during which broadcasts go out; outside of them texts are held. */
export const quietHoursForm = z
  .object({ IsOn: flagField(), Start: trimmedField(), Stop: trimmedField() })
  .superRefine(
    failures(({ Start, Stop }) => ({
      Start: firstFailure(Start, [
        ...requiredClockTime('Start Time'),
        startTimeBeforeStopTime('Start Time', Stop),
      ]),
      Stop: firstFailure(Stop, [
        ...requiredClockTime('Stop Time'),
        (stop) => (isTooShort(Start, stop) ? tooFewHours : undefined),
      ]),
    })),
  );

/** Passes where the start isn't before the stop: that has its own message. */
function isTooShort(start: string, stop: string): boolean {
  const [from, to] = [parseClockTime(start), parseClockTime(stop)];
  if (!from || !to) return false;
  const minutes = minutesOf(to) - minutesOf(from);
  return minutes > 0 && minutes < leastHours * 60;
}
