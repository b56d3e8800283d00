import { scheduleDefaultMinutes } from '../../../contract/scheduled.ts';
import { fieldTime } from '../../ui/field-time.ts';

const MINUTE_MS = 60_000;

/** The first value of a Start Time field. */
export function firstStartTime(now: number, zone: string): string {
  return fieldTime(now + scheduleDefaultMinutes * MINUTE_MS, zone);
}
