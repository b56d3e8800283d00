import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { draftLimits } from './draft-recipients.ts';
import { decidingAnswers } from './forms/second-text.ts';

/** Ours: the second of two texts, and the rule by which the better one is chosen. */
export const secondTextForm = z.object({
  TextMessage: z.string().max(draftLimits.text),
  /** Percent of the people who get each of the two texts first. */
  Share: z.union([z.literal(5), z.literal(10), z.literal(15), z.literal(20), z.literal(25)]),
  DecideBy: z.enum(decidingAnswers),
  /** Hours after the last of those texts during which replies count. */
  Hours: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(8), z.literal(24)]),
});
export type SecondTextForm = z.output<typeof secondTextForm>;

/** One of the two texts, with its results among those who got it first. */
const triedText = z.object({
  TextMessage: z.string(),
  Segments: z.number().int(),
  /** People who get it first. */
  PeopleCount: z.number().int().nonnegative(),
  SentCount: z.number().int().nonnegative(),
  DeliveredCount: z.number().int().nonnegative(),
  RepliedCount: z.number().int().nonnegative(),
  /** People who opened a link of it. */
  ClickedCount: z.number().int().nonnegative(),
  /** People who answered it with STOP. */
  OptedOutCount: z.number().int().nonnegative(),
});
export type TriedText = z.output<typeof triedText>;

const textPlaces = ['First', 'Second'] as const;

/** Both texts side by side, and what was decided. */
export const secondTextResults = z.object({
  Share: z.number().int(),
  DecideBy: z.enum(decidingAnswers),
  Hours: z.number().int(),
  /**
   * Ahead: nobody has gotten either text. Trying: the first part is going out. Waiting: for replies. Stopped:
   * canceled before that.
   */
  State: z.enum(['Ahead', 'Trying', 'Waiting', 'Decided', 'Stopped']),
  First: triedText,
  Second: triedText,
  /** Time when the better one is chosen automatically; null before the first part is out and after the decision. */
  Decides: moment.nullable(),
  Winner: z.enum(textPlaces).nullable(),
  /** The decision and its reason, in a sentence; empty before it is made. */
  Reason: z.string(),
  Decided: moment.nullable(),
  /** People who get the chosen text later, and those of them to whom it has gone out. */
  RestCount: z.number().int().nonnegative(),
  RestSentCount: z.number().int().nonnegative(),
});
export type SecondTextResults = z.output<typeof secondTextResults>;

export const chooseText = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/text-choice',
  summary:
    'Ours: of two texts that are being tried, chooses the one that everybody else gets, without waiting.',
  allow: 'createTextBroadcast',
  event: 'broadcast.textChosen',
  params: z.object({ BroadcastID: id }),
  body: z.object({ Text: z.enum(textPlaces) }),
  reply: z.object({ Winner: z.enum(textPlaces) }),
  errors: ['notFound', 'conflict'],
});
