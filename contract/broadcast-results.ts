import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { recipientProblems } from './draft-recipients.ts';
import { surveyReplyKeys } from './forms/transfer.ts';
import { listQuery, nextList } from './list.ts';
import { limits } from './reference/limits.ts';
import { selection } from './selection.ts';

/** The status of a recipient's text, in the words of the tabs. */
const textResultCategories = [
  ...(['Delivered', 'Read', 'Failed', 'Invalid', 'Incomplete', 'OptedOut', 'Replied', 'NotReplied'] as const),
  /** Ours: never meant to go out. */
  'LeftOut',
] as const;
export type TextResultCategory = (typeof textResultCategories)[number];

/**
 * The status of a recipient's call, in the words of the tabs. Transfers includes recipients of all the
 * others.
 */
export const callResultCategories = [
  ...(['LiveAnswer', 'Voicemail', 'BusyNoAnswer', 'Invalid', 'Incomplete'] as const),
] as const;
export type CallResultCategory = (typeof callResultCategories)[number];

const params = z.object({ BroadcastID: id });

/** A recipient with what happened to the text. */
const broadcastDetail = z.object({
  RecipientID: z.number().int(),
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  PhoneNumber: z.string(),
  /** Empty for a recipient who gets no text. */
  TextResultCategory: z.enum(['', ...textResultCategories]),
  /** The status's code (contract/delivery/text-status.ts); of one left out its problem. */
  TextResult: z.string(),
  Problem: z.enum(recipientProblems).nullable(),
  LastChange: moment.nullable(),
  TextResponses: z.array(z.object({ Message: z.string(), CreateTimestamp: moment })),
  TextSurveyResponse: z.object({ ID: z.number().int(), Label: z.enum(['Yes', 'No']) }).nullable(),
  /** Ours: when they answered it with STOP. */
  StoppedAt: moment.nullable(),
  ConversationID: z.number().int().nullable(),
  /** Empty for a recipient who gets no call. */
  CallResultCategory: z.enum(['', ...callResultCategories]),
  /** The result's code (contract/delivery/call-result.ts). */
  CallResult: z.string(),
  /** The key that was pressed: "*1" to "*9". */
  SurveyResult: z.string(),
  /** Ours: connected to the transfer number, and for how long. */
  TransferredAt: moment.nullable(),
  TransferSeconds: z.number().int().nullable(),
  LastCallTime: moment.nullable(),
  /** Ours: when somebody who wasn’t reached is called again. */
  NextCallTime: moment.nullable(),
  numberofattempts: z.number().int(),
  /** Ours: how long the last call lasted, from when it was answered. */
  CallSeconds: z.number().int().nullable(),
});
export type BroadcastDetail = z.output<typeof broadcastDetail>;

export const detailFilters = z.object({
  /** All: everybody who is texted. */
  textresultcategory: z.enum(['All', ...textResultCategories, 'NotOptedOut']).optional(),
  /** Any: those who answered Yes or No, not those who wrote something else. */
  textsurveyresponse: z.enum(['Yes', 'No', 'Any']).optional(),
  /** All: everybody who is called. NotCompleted: those whom the message didn't reach. */
  callresultcategory: z.enum(['All', ...callResultCategories, 'Transfers', 'NotCompleted']).optional(),
  /** Any: everybody who pressed a key of the survey. */
  surveyresult: z.enum(['Any', ...surveyReplyKeys]).optional(),
});

const detailsQuery = listQuery({ pagesize: 50, most: 200, sortby: ['added'] }).extend(detailFilters.shape);
const detailSelection = z.object({ q: detailsQuery.shape.q }).extend(detailFilters.shape);

export const listBroadcastDetails = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/details',
  summary: 'Lists the recipients of a broadcast and their results, by tab.',
  allow: 'seeBroadcasts',
  params,
  query: detailsQuery,
  reply: nextList(broadcastDetail).extend({ Size: z.number().int() }),
  errors: ['notFound'],
});

export const downloadBroadcastDetails = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/details.csv',
  summary: 'Downloads the same list as a file.',
  allow: 'seeBroadcasts',
  params,
  query: detailSelection,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

export const deleteBroadcastDetails = call({
  method: 'DELETE',
  path: '/broadcasts/:BroadcastID/details',
  summary: 'Removes selected recipients from a broadcast that hasn’t been sent to them yet.',
  allow: 'manageBroadcasts',
  event: 'broadcastRecipients.removed',
  params,
  query: detailSelection,
  body: z.object({ Selection: selection }),
  reply: z.object({ RemovedCount: z.number().int() }),
  errors: ['notFound', 'conflict'],
});

export const detailsToList = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/details/tolist',
  summary:
    'Adds selected recipients to a new or existing group. Recipients who aren’t contacts become contacts.',
  allow: 'manageOwnContacts',
  event: 'contacts.joined',
  takesIdempotencyKey: true,
  params,
  query: detailSelection,
  body: z.object({
    Selection: selection,
    Update: z.object({ ListName: z.string().trim().min(1, 'Enter a Group Name').max(limits.groupName) }),
  }),
  reply: z.object({ ListID: z.number().int(), AddedCount: z.number().int(), CreatedCount: z.number().int() }),
  errors: ['notFound', 'refused', 'keyReused'],
});

const toDraftReply = z.object({ DraftBroadcastID: z.number().int(), AddedCount: z.number().int() });

export const detailsToDraft = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/todraftbroadcast',
  summary:
    'Creates a draft for selected recipients of a broadcast, such as those that failed or didn’t reply.',
  allow: 'createBroadcast',
  event: 'draft.created',
  takesIdempotencyKey: true,
  params,
  query: detailSelection,
  body: z.object({
    Selection: selection,
    /** Ours: copies the text too. */
    WithMessage: z.boolean().default(false),
  }),
  reply: toDraftReply,
  errors: ['notFound', 'refused', 'keyReused'],
});

/**
 * Ours: what a recipient did and what happened to their text, in order. It shows why they got it or didn't.
 */
const recipientTimeline = z.object({
  Recipient: broadcastDetail,
  /** In one sentence. */
  Verdict: z.string(),
  TextMessage: z.string(),
  Segments: z.number().int(),
  Credits: z.number().int(),
  Events: z.array(
    z.object({
      At: moment.nullable(),
      Kind: z.enum([
        'added',
        'left out',
        'waiting',
        'held',
        'handed over',
        'carrier',
        'reply',
        'click',
        'credits',
        'opt-out',
        'call',
        'key',
        'transfer',
      ]),
      Text: z.string(),
      Note: z.string(),
    }),
  ),
});
export type RecipientTimeline = z.output<typeof recipientTimeline>;

export const getRecipientTimeline = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/details/:RecipientID',
  summary: 'Explains why a recipient did or didn’t get the text.',
  allow: 'seeBroadcasts',
  params: z.object({ BroadcastID: id, RecipientID: id }),
  reply: recipientTimeline,
  errors: ['notFound'],
});

export const getBroadcastProgress = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/progress',
  summary:
    'Returns progress over time for the chart: texts in at most 200 points, and the calls that ended by the minute or longer.',
  allow: 'seeBroadcasts',
  params,
  reply: z.object({
    Items: z.array(
      z.object({ At: moment, Sent: z.number().int(), Delivered: z.number().int(), Failed: z.number().int() }),
    ),
    /** Calls that ended in each stretch of StepSeconds, at most 60 stretches; those without any are left out. */
    Calls: z.object({
      StepSeconds: z.number().int(),
      Items: z.array(
        z.object({
          At: moment,
          LiveAnswer: z.number().int(),
          Voicemail: z.number().int(),
          BusyNoAnswer: z.number().int(),
          Other: z.number().int(),
        }),
      ),
    }),
  }),
  errors: ['notFound'],
});

export const textReply = z.object({
  TextReplyID: z.number().int(),
  RecipientID: z.number().int(),
  ConversationID: z.number().int().nullable(),
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  PhoneNumber: z.string(),
  Message: z.string(),
  CreateTimestamp: moment,
  TextSurveyResponse: z.object({ ID: z.number().int(), Label: z.enum(['Yes', 'No']) }).nullable(),
  IsOptedOut: z.boolean(),
});
export type TextReply = z.output<typeof textReply>;

export const listTextReplies = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/textreplies',
  summary: 'Lists the replies, newest first.',
  allow: 'seeBroadcasts',
  params,
  query: listQuery({ pagesize: 50, most: 200, sortby: ['-created'] }).extend({
    textsurveyresponse: z.enum(['Yes', 'No']).optional(),
  }),
  reply: nextList(textReply).extend({ Size: z.number().int() }),
  errors: ['notFound'],
});

export const downloadTextReplies = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/textreplies.csv',
  summary: 'Downloads the same list as a file.',
  allow: 'seeBroadcasts',
  params,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

export const repliesToDraft = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/textreplies/todraftbroadcast',
  summary:
    'Creates a draft for everyone who replied. textresultcategory=NotOptedOut leaves out people who have opted out since.',
  allow: 'createBroadcast',
  event: 'draft.created',
  takesIdempotencyKey: true,
  params,
  query: z.object({
    textresultcategory: z.literal('NotOptedOut').optional(),
    textsurveyresponse: z.enum(['Yes', 'No']).optional(),
  }),
  reply: toDraftReply,
  errors: ['notFound', 'refused', 'keyReused'],
});
