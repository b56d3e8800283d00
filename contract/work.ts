import { z } from 'zod';
import { call, id } from './call.ts';

/** Long work on many rows. */
const work = z.object({
  WorkID: z.number().int(),
  Kind: z.string(),
  Status: z.enum(['InProgress', 'Complete', 'Error']),
  Done: z.number().int(),
  Total: z.number().int(),
  UndoID: z.number().int().nullable(),
  ErrorMessage: z.string(),
});
export type Work = z.output<typeof work>;

export const getWork = call({
  method: 'GET',
  path: '/work/:WorkID',
  summary: 'Returns the progress of a bulk change.',
  allow: 'useMuster',
  params: z.object({ WorkID: id }),
  reply: work,
  errors: ['notFound'],
});

export const listWork = call({
  method: 'GET',
  path: '/work',
  summary: 'Lists the user’s bulk changes in progress.',
  allow: 'useMuster',
  reply: z.object({ Items: z.array(work) }),
});
