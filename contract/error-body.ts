import { z } from 'zod';

/**
 * Body of a refusal. `Display` and `Informational` messages are written for the person at the screen; `Unknown` ones
 * are not shown.
 */
export const errorBody = z.object({
  ErrorCode: z.number().int(),
  ErrorType: z.enum(['Display', 'Informational', 'Unknown']),
  Message: z.string(),
  ExtendedData: z.unknown().optional(),
  Errors: z.array(z.object({ Field: z.string(), Message: z.string() })).optional(),
});
export type ErrorBody = z.output<typeof errorBody>;
