import { z } from 'zod';
import { textReply } from './broadcast-results.ts';
import { call, id } from './call.ts';
import { draftLimits } from './draft-recipients.ts';
import { listQuery } from './list.ts';
import { previewQuickSend } from './quick-send.ts';

/**
 * Ours, like everything here: the replies to a broadcast, grouped by their content; each group can be
 * answered at once.
 */
export const replyGroupLimits = {
  /** Only this many replies are grouped, the latest ones. That takes the server about a second. */
  grouped: 20_000,
  /** Replies answered at once. A larger group is answered in parts. */
  answeredAtOnce: draftLimits.rowsAtOnce,
  /** Replies moved to another group at once. */
  movedAtOnce: 500,
  /** Words that name a group of questions. */
  words: 3,
} as const;

/**
 * Groups that every broadcast may have. Similar questions get a group of their own, named after their words.
 */
export const fixedGroupKeys = [
  ...(['questions', 'yes', 'no', 'wrong-number', 'spanish', 'english', 'other-language'] as const),
  ...(['rest', 'no-answer'] as const),
] as const;
export type FixedGroupKey = (typeof fixedGroupKeys)[number];

/** "about:time+start": the words that the questions of a group have in common. */
const aboutPrefix = 'about:';
export type GroupKey = FixedGroupKey | `about:${string}`;

export function groupKeyOf(words: readonly string[]): GroupKey {
  return `${aboutPrefix}${words.join('+')}`;
}

/** The words of a group of questions; undefined for the fixed groups. */
export function wordsOfKey(key: string): string[] | undefined {
  return key.startsWith(aboutPrefix) ? key.slice(aboutPrefix.length).split('+') : undefined;
}

const aboutKey = /^about:[\p{L}\p{M}\p{N}]{1,30}(\+[\p{L}\p{M}\p{N}]{1,30}){0,2}$/u;

const groupKey = z.union([
  z.enum(fixedGroupKeys),
  z.string().max(120).regex(aboutKey, 'There is no such group.'),
]) as unknown as z.ZodType<GroupKey, GroupKey>;

const params = z.object({ BroadcastID: id });

const namedGroup = z.object({ GroupKey: groupKey, Name: z.string() });
export type NamedGroup = z.output<typeof namedGroup>;

const replyGroup = namedGroup.extend({
  /** Reason why these are together: “Grouped by these words: time, start.” */
  Explanation: z.string(),
  /** Replies in it. */
  Size: z.number().int(),
  /** People in it whom nobody has answered yet and who can be answered. */
  ToAnswer: z.number().int(),
  /** Their replies, newest first, at most as many as answerReplies accepts at once. */
  TextReplyIDs: z.array(z.number().int()),
});
export type ReplyGroup = z.output<typeof replyGroup>;

export const listReplyGroups = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/replygroups',
  summary:
    'Groups the replies to a broadcast by what they say: questions that resemble each other, yes, no, wrong numbers, other languages and the rest.',
  allow: 'seeBroadcasts',
  params,
  reply: z.object({
    Items: z.array(replyGroup),
    /** Groups that every broadcast may have and that nobody has replied to yet: replies can be moved there. */
    EmptyGroups: z.array(namedGroup),
    /** All replies, also those beyond the latest 20,000, which are not grouped. */
    Size: z.number().int(),
    GroupedCount: z.number().int(),
    /** Number of people who wrote them. */
    PeopleCount: z.number().int(),
  }),
  errors: ['notFound'],
});

const groupedReply = textReply.extend({
  /** Names of the other groups that it would fit. It is in only one. */
  AlsoIn: z.array(z.string()),
  /** Somebody moved it here. */
  IsMoved: z.boolean(),
  /** Somebody here has written to them since. */
  IsAnswered: z.boolean(),
  /** The broadcast that answered it, where it was answered with its group. */
  AnswerBroadcastID: z.number().int().nullable(),
});
export type GroupedReply = z.output<typeof groupedReply>;

export const listGroupReplies = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/replygroups/replies',
  summary: 'Lists the replies of one group, newest first.',
  allow: 'seeBroadcasts',
  params,
  query: listQuery({ pagesize: 50, most: 200, sortby: ['-created'] })
    .pick({ page: true, pagesize: true })
    .extend({ group: groupKey }),
  reply: z.object({ Items: z.array(groupedReply), Size: z.number().int() }),
  errors: ['notFound'],
});

const replyIds = (most: number) =>
  z
    .array(id)
    .min(1, 'Choose at least one reply.')
    .max(most, `Choose at most ${most.toLocaleString('en-US')} replies.`);

export const moveReplies = call({
  method: 'PUT',
  path: '/broadcasts/:BroadcastID/replygroups/replies',
  summary:
    'Moves replies to another group, or with null back to where they were grouped. Remembered for this broadcast.',
  allow: 'manageBroadcasts',
  event: 'broadcast.repliesMoved',
  params,
  body: z.object({
    TextReplyIDs: replyIds(replyGroupLimits.movedAtOnce),
    GroupKey: groupKey.nullable(),
  }),
  reply: z.object({ Size: z.number().int() }),
  errors: ['notFound'],
});

const answer = previewQuickSend.body
  .pick({ TextMessage: true, Media: true, IncludeSignature: true })
  .extend({ TextReplyIDs: replyIds(replyGroupLimits.answeredAtOnce) });

const answerPreview = previewQuickSend.reply.extend({
  /** Replies that somebody has answered meanwhile. They get nothing. */
  AnsweredCount: z.number().int(),
  /** People among them who wait for an answer to something else too: their conversations stay open. */
  StillOpenCount: z.number().int(),
});
export type AnswerPreview = z.output<typeof answerPreview>;

export const previewAnswer = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/replygroups/answers/preview',
  summary:
    'Previews an answer to replies: who gets it, the texts of the first 15, and the cost. Sends nothing.',
  allow: 'createTextBroadcast',
  event: 'none',
  params,
  body: answer,
  reply: answerPreview,
  errors: ['notFound', 'refused'],
});

export const answerReplies = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/replygroups/answers',
  summary:
    'Answers replies with one text, personalized for each person, as a broadcast named “Answer: …”. The rules for broadcasts apply. Replies that were answered before are left out.',
  allow: 'createTextBroadcast',
  event: 'broadcast.answered',
  takesIdempotencyKey: true,
  params,
  body: answer.extend({
    GroupKey: groupKey,
    /** Marks the conversations of those who get it done. */
    MarkDone: z.boolean().default(false),
    /**
     * Figures that the page showed. If it would reach more people or cost more credits, it is refused and shown
     * again.
     */
    ExpectedCount: z.number().int().min(0).optional(),
    ExpectedCredits: z.number().int().min(0).optional(),
  }),
  reply: z.object({
    /** The broadcast that it goes out as. */
    AnswerBroadcastID: z.number().int(),
    BroadcastName: z.string(),
    /** Number of people who get it. */
    Count: z.number().int(),
    UriSummary: z.string(),
  }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded', 'keyReused'],
});
