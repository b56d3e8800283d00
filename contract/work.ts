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
  summary: 'How far a change of many rows has come.',
  allow: 'useMuster',
  params: z.object({ WorkID: id }),
  reply: work,
  errors: ['notFound'],
});

export const listWork = call({
  method: 'GET',
  path: '/work',
  summary: 'The user’s changes of many rows that are under way.',
  allow: 'useMuster',
  reply: z.object({ Items: z.array(work) }),
});
