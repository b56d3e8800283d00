import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { listQuery, nextList } from './list.ts';
import { mediaItem } from './media.ts';
import { limits } from './reference/limits.ts';

/** Drip campaigns: texts that go to the same people one after the other. The specification calls them sequences. */

const sequenceStatuses = ['draft', 'running', 'paused', 'completed', 'canceled'] as const;
export type SequenceStatus = (typeof sequenceStatuses)[number];
/**
 * Ours: how it starts: on the dates of its steps, or when each person joins a group, texts a keyword or texts
 * JOIN.
 */
const sequenceStarts = ['dates', 'group', 'keyword', 'join'] as const;
export type SequenceStart = (typeof sequenceStarts)[number];
/** The state of a person in a campaign. */
const personStates = ['active', 'done', 'stopped', 'replied', 'opted_out', 'left'] as const;
export type SequencePersonState = (typeof personStates)[number];
const stepStates = ['waiting', 'preparing', 'sent', 'failed', 'skipped'] as const;

/** A step as written; the fields it needs to go out are validated when the campaign is started. */
const writtenStep = z.object({
  message: z.string().max(5000).default(''),
  /** YYYY-MM-DD, and a time as in "3:30 PM", on the clocks of the user. */
  date: z.string().max(40).default(''),
  time: z.string().max(40).default(''),
  hasWait: z.boolean().default(true),
  /** Ours: a picture from the library, or one that was uploaded. */
  mediaIds: z.array(id).max(1).default([]),
  /** Ours: days after somebody joined, in a campaign that begins with that. */
  afterDays: z.number().int().min(0).max(limits.dripDays).nullish(),
  /** The same as a moment; read only when date and time are missing. */
  startDate: z.iso.datetime({ offset: true }).nullish(),
});
export type WrittenStep = z.input<typeof writtenStep>;

const mostSteps = 100;
const steps = z
  .array(writtenStep)
  .max(mostSteps, `A drip campaign has at most ${mostSteps} steps.`)
  // Only the first one may go out right away.
  .transform((all) => all.map((one, index) => (index === 0 ? one : { ...one, hasWait: true })));

const step = z.object({
  Position: z.number().int(),
  Message: z.string(),
  Date: z.string(),
  Time: z.string(),
  HasWait: z.boolean(),
  StartDate: moment.nullable(),
  AfterDays: z.number().int().nullable(),
  Media: z.array(mediaItem),
  State: z.enum(stepStates),
  /** The broadcast that it became; of a campaign that people join, the latest one. */
  BroadcastID: z.number().int().nullable(),
  /** Number of people whose next step it is, in a campaign that people join. */
  WaitingCount: z.number().int().nonnegative(),
  SentCount: z.number().int().nonnegative(),
  DeliveredCount: z.number().int().nonnegative(),
  ReplyCount: z.number().int().nonnegative(),
});

export const sequence = z.object({
  SequenceID: z.number().int(),
  /** The draft whose recipients are the campaign's. */
  DraftBroadcastID: z.number().int(),
  Name: z.string(),
  Status: z.enum(sequenceStatuses),
  /** Reason for the pause, in a sentence; empty when somebody paused it. */
  PausedBecause: z.string(),
  /** Ours: why nobody new can join it, in a sentence; empty where they can. Those who are in it go on. */
  NobodyJoinsBecause: z.string(),
  TextNumberID: z.number().int().nullable(),
  StartsOn: z.enum(sequenceStarts),
  GroupID: z.number().int().nullable(),
  KeywordID: z.number().int().nullable(),
  /** The name of the group, or the keyword; empty when it is gone. */
  StartsOnName: z.string(),
  /** True if people who are already in the group go through it too. */
  IncludesMembers: z.boolean(),
  SkipsWeekends: z.boolean(),
  StopsOnReply: z.boolean(),
  ShortenLinks: z.boolean(),
  RecipientCount: z.number().int().nonnegative(),
  /**
   * Recipients of a campaign on dates who couldn't be texted when it was started: metaData.FailureCount. Where people
   * join, those who can't be texted yet.
   */
  LeftOutCount: z.number().int().nonnegative(),
  StepCount: z.number().int().nonnegative(),
  SentStepCount: z.number().int().nonnegative(),
  NextStepDate: moment.nullable(),
  CreateTimestamp: moment,
  User: z.object({ UserID: z.number().int(), Name: z.string() }),
});
export type Sequence = z.output<typeof sequence>;

const wholeSequence = sequence.extend({
  Zone: z.string(),
  Steps: z.array(step),
  /** Ours: another one whenever a step is added, edited or removed, but not when one goes out. */
  StepsVersion: z.string(),
  /** Ours: the names of groups whose people it goes to and that were deleted since: their people get nothing more. */
  DeletedGroups: z.array(z.string()),
});
export type WholeSequence = z.output<typeof wholeSequence>;

/**
 * Reasons why a step couldn't go out, by the codes that repeating broadcasts have too. For 101, PausedBecause is the
 * sentence with which the step was refused, if there is one.
 */
export const sequenceFailures = {
  4100: 'There weren’t enough credits for the next step. Add credits, then resume the campaign.',
  2003: 'Whoever started this campaign was deactivated or can no longer send from its text number. Resume it, and it goes on in your name.',
  2004: 'Your plan, your account’s status or the permissions of whoever started this campaign no longer allow drip campaigns.',
  404: 'Nobody is left who can be texted: the group was deleted, or everybody has left or opted out. Cancel the campaign, or add people to the group and resume it.',
  405: 'The group that begins this campaign was deleted. Cancel the campaign, or undo the deletion and resume it.',
  410: 'The text number of this campaign can’t send texts any more. Resume the campaign from another number.',
  415: 'The picture of the next step is no longer here. Edit the step, then resume the campaign.',
  101: 'The next step couldn’t be sent. Check its text and its recipients, then resume the campaign.',
} as const;
export type SequenceFailure = keyof typeof sequenceFailures;

const params = z.object({ SequenceID: id });

/**
 * Ours: the conditions that begin a campaign and end it for a person. Fields that aren't given stay
 * unchanged.
 */
const starts = {
  startsOn: z.enum(sequenceStarts).optional(),
  groupId: id.nullish(),
  keywordId: id.nullish(),
  includesMembers: z.boolean().optional(),
  skipsWeekends: z.boolean().optional(),
  stopsOnReply: z.boolean().optional(),
  /** Links of the steps become short ones, one for each person, and clicks are counted. */
  shortenLinks: z.boolean().optional(),
};

export const beginSequence = call({
  method: 'POST',
  path: '/sequences',
  summary: 'Begins a draft of a drip campaign. Its recipients are those of its draft broadcast.',
  allow: 'createDripCampaign',
  event: 'sequence.created',
  takesIdempotencyKey: true,
  body: z.object({}),
  reply: wholeSequence,
  errors: ['keyReused'],
});

export const listSequences = call({
  method: 'GET',
  path: '/sequences',
  summary: 'Lists the drip campaigns, newest first.',
  allow: 'seeBroadcasts',
  query: listQuery({ pagesize: 25, most: 100, sortby: ['newest'] }),
  reply: nextList(sequence),
});

export const getSequence = call({
  method: 'GET',
  path: '/sequences/:SequenceID',
  summary: 'Returns a drip campaign with its steps.',
  allow: 'seeBroadcasts',
  params,
  reply: wholeSequence,
  errors: ['notFound'],
});

export const updateSequence = call({
  method: 'PUT',
  path: '/sequences/:SequenceID',
  summary:
    'Saves a draft as far as it is written, or changes the steps of a campaign that haven’t gone out. Steps that went out must stay as they are. With the StepsVersion that was read, steps that somebody else changed meanwhile aren’t overwritten (409).',
  allow: 'createDripCampaign',
  event: 'sequence.updated',
  params,
  body: z.object({
    name: z
      .string()
      .max(limits.dripName, `Name cannot be longer than ${limits.dripName} characters.`)
      .optional(),
    textNumberId: id.nullish(),
    steps: steps.optional(),
    stepsVersion: z.string().max(100).optional(),
    ...starts,
  }),
  reply: wholeSequence,
  errors: ['notFound', 'refused', 'conflict'],
});

/** It always waits for its time, so that it never goes out unexpectedly. */
const addedStep = writtenStep.pick({
  message: true,
  date: true,
  time: true,
  mediaIds: true,
  afterDays: true,
});

/** Ours. */
export const addSequenceStep = call({
  method: 'POST',
  path: '/sequences/:SequenceID/steps',
  summary:
    'Adds a step to a campaign that was started. Its date says which place it has; in a campaign that people join it comes last, and those who have finished get it if its day is still to come for them.',
  allow: 'createDripCampaign',
  event: 'sequence.updated',
  takesIdempotencyKey: true,
  params,
  body: addedStep,
  reply: wholeSequence,
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'keyReused'],
});

/** Ours. */
export const previewSequenceStep = call({
  method: 'POST',
  path: '/sequences/:SequenceID/steps/preview',
  summary:
    'Returns who would get a step that is added to a campaign, in which place it comes and what it costs.',
  allow: 'createDripCampaign',
  event: 'none',
  params,
  body: addedStep,
  reply: z.object({
    Position: z.number().int().positive(),
    StepCount: z.number().int().positive(),
    /** Those who are in the campaign. */
    RecipientCount: z.number().int().nonnegative(),
    /**
     * Of the people who have finished the campaign: how many get it too, and for how many its day has passed.
     */
    FinishedCount: z.number().int().nonnegative(),
    PassedCount: z.number().int().nonnegative(),
    /** Of this step, and of all that are still to come with it in a campaign on dates. */
    Credits: z.number().int().nonnegative(),
    RemainingCredits: z.number().int().nonnegative(),
    AvailableCredits: z.number().int(),
  }),
  errors: ['notFound', 'refused', 'conflict'],
});

export const deleteSequence = call({
  method: 'DELETE',
  path: '/sequences/:SequenceID',
  summary: 'Deletes a draft, or a campaign that has ended. Its broadcasts stay.',
  allow: 'manageBroadcasts',
  event: 'sequence.deleted',
  params,
  reply: z.object({}),
  errors: ['notFound', 'conflict'],
});

const form = z.object({
  draftBroadcastId: id,
  name: z.string().max(5000).default(''),
  textNumberId: id.nullish(),
  steps,
  ...starts,
});

export const calculateSequenceCredits = call({
  method: 'POST',
  path: '/sequences/calculateCredits',
  summary: 'Returns what a drip campaign costs, and each of its steps.',
  allow: 'createDripCampaign',
  event: 'none',
  body: form,
  reply: z.object({
    Credits: z.number().int().nonnegative(),
    /** Ours: the cost of one person who goes through all steps. */
    CreditsEach: z.number().int().nonnegative(),
    /** Ours, in the order of the steps. */
    Steps: z.array(
      z.object({ Segments: z.number().int().nonnegative(), Credits: z.number().int().nonnegative() }),
    ),
    RecipientCount: z.number().int().nonnegative(),
  }),
  errors: ['notFound'],
});

export const createSequence = call({
  method: 'POST',
  path: '/sequences/createsequence',
  summary: 'Starts a drip campaign. metaData.FailureCount says how many recipients can’t be texted.',
  allow: 'createDripCampaign',
  event: 'sequence.started',
  takesIdempotencyKey: true,
  body: form,
  reply: z.object({
    SequenceID: z.number().int(),
    metaData: z.object({ FailureCount: z.number().int().nonnegative() }),
  }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded', 'keyReused'],
});

export const pauseSequence = call({
  method: 'POST',
  path: '/sequences/:SequenceID/pause',
  summary: 'Pauses a drip campaign: no further step goes out until it is resumed.',
  allow: 'manageBroadcasts',
  event: 'sequence.paused',
  params,
  reply: wholeSequence,
  errors: ['notFound', 'conflict'],
});

export const resumeSequence = call({
  method: 'POST',
  path: '/sequences/:SequenceID/resume',
  summary:
    'Resumes a drip campaign. Steps whose time has passed are skipped or sent now, one after the other, and the one that couldn’t go out is tried again unless it is to be skipped; in a campaign that people join, everybody goes on with their next step.',
  allow: 'createDripCampaign',
  event: 'sequence.resumed',
  params,
  body: z.object({
    Missed: z.enum(['skip', 'send']).default('skip'),
    /** Ours: the step that couldn't go out. */
    Failed: z.enum(['skip', 'send']).default('send'),
  }),
  reply: wholeSequence,
  errors: ['notFound', 'conflict'],
});

export const cancelSequence = call({
  method: 'POST',
  path: '/sequences/:SequenceID/cancel',
  summary: 'Ends a drip campaign. Texts that are on their way still arrive.',
  allow: 'manageBroadcasts',
  event: 'sequence.canceled',
  params,
  reply: wholeSequence,
  errors: ['notFound', 'conflict'],
});

/** Ours: somebody leaves the campaign without opting out. */
export const stopSequenceRecipient = call({
  method: 'DELETE',
  path: '/sequences/:SequenceID/recipients/:RecipientID',
  summary: 'Takes one person out of the steps that are still to come.',
  allow: 'manageBroadcasts',
  event: 'sequence.updated',
  params: params.extend({ RecipientID: id }),
  reply: z.object({}),
  errors: ['notFound', 'conflict'],
});

const sequenceRecipient = z.object({
  RecipientID: z.number().int(),
  /** Their contact; null for a number that was typed or pasted. */
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  PhoneNumber: z.string(),
  State: z.enum(personStates),
  /** Number of steps behind them. Not all of these went to them: one that was added may have come too late. */
  Position: z.number().int().nonnegative(),
  /** Dates when they joined and when their next step is due, in a campaign that people join. */
  JoinedDate: moment.nullable(),
  NextStepDate: moment.nullable(),
  /**
   * Reason why they were left out when it was started or when they joined, in a sentence; empty for those who are in
   * it.
   */
  LeftOutBecause: z.string(),
});
export type SequenceRecipient = z.output<typeof sequenceRecipient>;

export const listSequenceRecipients = call({
  method: 'GET',
  path: '/sequences/:SequenceID/recipients',
  summary:
    'Lists the people of a drip campaign and where each of them is; with leftout those who couldn’t be texted when it was started or when they joined, and why.',
  allow: 'seeBroadcasts',
  params,
  query: listQuery({ pagesize: 25, most: 100, sortby: ['name'] }).extend({ leftout: flag.default(false) }),
  reply: nextList(sequenceRecipient),
  errors: ['notFound'],
});

export const getSequenceCourse = call({
  method: 'GET',
  path: '/sequences/:SequenceID/course',
  summary: 'Returns every step as one person gets it: when, and with which words.',
  allow: 'seeBroadcasts',
  params,
  /** Without either, for a person who joins now. */
  query: z.object({
    recipientId: z.coerce.number().int().positive().optional(),
    /** Ours: the position among those who get it, instead of the person's id. */
    position: z.coerce.number().int().positive().max(10_000_000).optional(),
  }),
  reply: z.object({
    /** Null where no person was named. */
    Recipient: sequenceRecipient.nullable(),
    Items: z.array(
      z.object({
        Position: z.number().int(),
        /** Date it went out or will; null where the step has no time, or never goes out to them. */
        Date: moment.nullable(),
        State: z.enum(['sent', 'waiting', 'skipped']),
        Message: z.string(),
        Media: z.array(mediaItem),
        /**
         * Reason why it goes out at another time than the chosen one or not at all, or the former phone it went to;
         * else empty.
         */
        Note: z.string(),
      }),
    ),
  }),
  errors: ['notFound'],
});
export type SequenceCourse = z.output<typeof getSequenceCourse.reply>;
