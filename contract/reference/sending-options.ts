import { say } from '../say.ts'; /** The choices of lists about sending, with the words people read. */

/** Calls at a time; 0 is as many as the lines allow. */
export const callThrottles = [
  ...[0, 250, 200, 150, 125, 100, 75, 50, 40, 30, 20, 15, 10, 5, 4, 3, 2, 1],
] as const satisfies readonly number[];

export function callThrottleLabel(callThrottle: number): string {
  return callThrottle === 0 ? say('Max') : String(callThrottle);
}

/** Attempts after the first, 5 minutes apart. */
export const retries = [
  { value: 0, label: 'Don’t retry' },
  { value: 1, label: '1 (recommended)' },
  { value: 2, label: '2' },
  { value: 3, label: '3' },
] as const;

/** Texts a minute; null is as fast as the carrier takes them. */
export const sendingSpeeds = [
  { perMinute: 5, label: '5 per minute' },
  { perMinute: 50, label: '50 per minute' },
  { perMinute: 500, label: '500 per minute' },
  { perMinute: 1000, label: '1,000 per minute' },
  { perMinute: null, label: 'Max' },
] as const;

/** Voice message max length in seconds: 15-second steps from 30 to 120. Longer messages use more credits. */
export const messageLengths: readonly number[] = [30, 45, 60, 75, 90, 105, 120];
/** The steps at which a message begins to use another credit. */
export const messageLengthSteps: readonly number[] = [30, 60, 90, 120];

/** DefaultSettingCharacterCountOptions of a new user. */
export const characterCounts = [160, 320] as const;
