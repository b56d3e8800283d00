import { z } from 'zod';
import { call, moment } from './call.ts';
import { conversation } from './conversations.ts';

/** Ours: one call for everything the home page shows. */
export const getHome = call({
  method: 'GET',
  path: '/home',
  summary: 'What waits for an answer, what happened lately, thirty days of texts, and the first steps.',
  allow: 'user',
  reply: z.object({
    /** Conversations whose last word is theirs and unanswered, the longest wait first. */
    Waiting: z.object({
      Items: z.array(conversation.extend({ WaitingSince: moment })),
      Size: z.number().int(),
    }),
    /** The latest conversations that moved, newest first. */
    Lately: z.array(conversation),
    Today: z.object({
      Sent: z.number().int(),
      Delivered: z.number().int(),
      Failed: z.number().int(),
      Received: z.number().int(),
    }),
    /** Texts and credits by day in the user's zone, oldest first, thirty entries. */
    Days: z.array(
      z.object({
        Date: z.iso.date(),
        Sent: z.number().int(),
        Received: z.number().int(),
        Credits: z.number().int(),
      }),
    ),
    Credits: z.object({
      Balance: z.number().int(),
      Reserved: z.number().int(),
      UsedInThirtyDays: z.number().int(),
    }),
    FirstSteps: z.array(
      z.object({
        Name: z.enum(['textNumber', 'firstText', 'firstReply', 'contacts']),
        Completed: z.boolean(),
      }),
    ),
  }),
});
