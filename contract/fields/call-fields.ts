import { z } from 'zod';
import { limits } from '../reference/limits.ts';
import { callThrottles } from '../reference/sending-options.ts';

/** Calls at a time; 0 is as many as the lines allow. */
export const callThrottle = z
  .number()
  .refine((value) => callThrottles.some((one) => one === value), 'Select a number');

/** How many calls can be transferred at a time. */
export const transferLines = z
  .number()
  .int()
  .min(limits.transferLines.min, 'Available lines must be at least 1')
  .max(limits.transferLines.max, 'Available lines cannot be more than 5,000');
