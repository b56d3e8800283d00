import { z } from 'zod';
import { limits } from '../reference/limits.ts';
import { callThrottles, messageLengths, retries } from '../reference/sending-options.ts';

/** Calls at a time; 0 is as many as the lines allow. */
export const callThrottle = z
  .number()
  .refine((value) => callThrottles.some((one) => one === value), 'Select a number');

/** Number of calls that can be transferred at a time. */
export const transferLines = z
  .number()
  .int()
  .min(limits.transferLines.min, 'Available lines must be at least 1')
  .max(limits.transferLines.max, 'Available lines cannot be more than 5,000');

const oneOf = (offered: readonly number[]) => z.literal([...offered], 'Select one of the choices');

/** Attempts after the first, 5 minutes apart. */
export const callRetries = oneOf(retries.map(({ value }) => value));

/** The longest message in seconds. */
export const messageLength = oneOf(messageLengths);
