import { z } from 'zod';
import { timeOfDay } from './accounts.ts';
import { broadcastAudio } from './audio.ts';
import { call, flag, id, moment } from './call.ts';
import { callThrottle, transferLines } from './fields/call-fields.ts';
import { noCallingDay } from './forms/calling-window.ts';
import { listQuery, nextList, undoable } from './list.ts';
import { mediaItem } from './media.ts';
import { broadcastTypes } from './reference/broadcast-types.ts';
import { limits } from './reference/limits.ts';
import { secondTextForm, secondTextResults } from './second-text.ts';
import { broadcastStatusCategories, broadcastStatuses } from './states/broadcast-status.ts';
import { dayNames } from './time/wall-clock.ts';

const label = z.object({ LabelID: z.number().int(), LabelName: z.string() });
export type Label = z.output<typeof label>;

export const broadcast = z.object({
  BroadcastID: z.number().int(),
  BroadcastName: z.string(),
  BroadcastType: z.enum(broadcastTypes),
  IsTextSurvey: z.boolean(),
  BroadcastStatus: z.enum(broadcastStatuses),
  BroadcastStatusCategory: z.enum(broadcastStatusCategories),
  StartDate: moment.nullable(),
  EndDate: moment.nullable(),
  RepeatingScheduleDescription: z.string(),
  IsPartOfRepeatingBroadcastSequence: z.boolean(),
  RepeatingBroadcastID: z.number().int().nullable(),
  IsSampleBroadcast: z.boolean(),
  IsFree: z.boolean(),
  /** Ours: it was started as an emergency, or as a drill of one, which goes to staff only. */
  IsEmergency: z.boolean(),
  IsDrill: z.boolean(),
  IsArchived: z.boolean(),
  TextMessage: z.string(),
  TextNumberID: z.number().int().nullable(),
  /** Number of recipients, and of people left out. */
  PhoneNumberCount: z.number().int(),
  LeftOutCount: z.number().int(),
  /** Of a message that is spoken in seconds, otherwise in characters. */
  MaxMessageLength: z.number().int(),
  CustomData: z.array(z.string()),
  Media: z.array(mediaItem),
  Labels: z.array(label),
  User: z.object({ UserID: z.number().int(), Name: z.string() }),
  /** Reason why nothing goes out at the moment although it should; empty when it does. */
  HeldReason: z.string(),
  /** Texts a minute that were asked for; null is Max. */
  PerMinute: z.number().int().nullable(),
  /** Ours: of calls, how many people are called in all, and how many calls are under way now. */
  CallTotal: z.number().int(),
  CallsUp: z.number().int(),
  CallerID: z.string(),
  IsTransfer: z.boolean(),
  // Counts. Those of calls stay 0 for texts.
  LivePersonTotal: z.number().int(),
  AnsweringMachineTotal: z.number().int(),
  BusyNoAnswerTotal: z.number().int(),
  InvalidNumberTotal: z.number().int(),
  TransferTotal: z.number().int(),
  /**
   * Ours: calls that were not made yet, failed, were canceled or expired; and how many of those are still to
   * be called.
   */
  IncompleteCallTotal: z.number().int(),
  WaitingCallTotal: z.number().int(),
  /** Ours: how many of those still to be called were called before and not reached. */
  RetryingCallTotal: z.number().int(),
  DeliveredTexts: z.number().int(),
  ReadCount: z.number().int(),
  FailedTextTotal: z.number().int(),
  InvalidTextCount: z.number().int(),
  /** Not delivered and not failed: waiting, with the carrier, or canceled before it was sent. */
  NotDeliveredTexts: z.number().int(),
  /** People it didn't reach because they had opted out, and people who answered it with STOP. */
  TextOptedOut: z.number().int(),
  /**
   * Ours: those of them who answered it with STOP. Their texts are also counted by their status, such as
   * delivered.
   */
  StoppedTotal: z.number().int(),
  RepliedTotal: z.number().int(),
  NotRepliedTotal: z.number().int(),
  SurveyResponseTotal: z.number().int(),
  TextSurveyResponseTotal: z.number().int(),
  /** Ours: waiting to be handed over; with the carrier; canceled before they were sent. */
  WaitingTotal: z.number().int(),
  SentTotal: z.number().int(),
  CanceledTotal: z.number().int(),
});
export type Broadcast = z.output<typeof broadcast>;

/** One broadcast with all that its page shows. */
/** Ours: a link of its text, and who opened it. */
const broadcastLink = z.object({
  Url: z.string(),
  /** People who opened it. */
  PeopleCount: z.number().int().nonnegative(),
  ClickCount: z.number().int().nonnegative(),
  /** Requests by carriers, phones and filters, which don't count as clicks. */
  PreviewCount: z.number().int().nonnegative(),
});
export type BroadcastLink = z.output<typeof broadcastLink>;

const wholeBroadcast = broadcast.extend({
  Links: z.array(broadcastLink),
  /** Ours: both texts where two are tried. */
  SecondText: secondTextResults.nullable(),
  IncludeSignature: z.boolean(),
  /**
   * Ours: who chose that quiet hours and the calling window don’t apply to this broadcast; empty where they
   * apply.
   */
  HoursSetAsideBy: z.string(),
  TextSurveyAutoReplies: z.array(z.object({ Label: z.enum(['Yes', 'No']), Message: z.string() })),
  TextSurveyResponses: z.array(
    z.object({ ID: z.number().int(), Label: z.enum(['Yes', 'No']), Count: z.number().int() }),
  ),
  SurveyResponses: z.array(z.object({ ID: z.number().int(), Label: z.string(), Count: z.number().int() })),
  /** The audio that calls play; null where it isn't recorded yet or nobody is called. */
  Audio: broadcastAudio.nullable(),
  AudioVM: broadcastAudio.nullable(),
  RecordLater: z.boolean(),
  RecordLaterVM: z.boolean(),
  CallThrottle: z.number().int(),
  Retries: z.number().int(),
  CallingWindowDays: z.array(z.string()),
  StartTimeOfDay: timeOfDay,
  StopTimeOfDay: timeOfDay,
  ContinueOnNextDay: z.boolean(),
  TransferNumber: z.string(),
  TransferLines: z.number().int(),
  TransferLinesUp: z.number().int(),
  /** Ours: seconds that people were connected, all together. */
  TransferSeconds: z.number().int(),
  /** Ours: people who pressed 0 when no line was free, and were not connected later either. */
  AbandonedTotal: z.number().int(),
  EnhancedMessageAddOnCharge: z.object({ ChargeAmount: z.number() }).nullable(),
  Segments: z.number().int(),
  Credits: z.object({ Reserved: z.number().int(), Settled: z.number().int(), Released: z.number().int() }),
  /** Texts a minute over the last minutes, and when it will have ended at that speed; null when nothing goes out. */
  CurrentPerMinute: z.number().int(),
  EstimatedEnd: moment.nullable(),
  /** True if the asking user may pause, edit and cancel it. */
  CanChange: z.boolean(),
  /** The text number can tell that a text was read. */
  IsRcs: z.boolean(),
  /** Ours: people who replied and wait for an answer. */
  UnansweredTotal: z.number().int(),
});
export type WholeBroadcast = z.output<typeof wholeBroadcast>;

const params = z.object({ BroadcastID: id });

/** The body that Send posts: the draft, with the fields that changed since it was last saved. */
export const createBroadcast = call({
  method: 'POST',
  path: '/broadcasts',
  summary: 'Sends a draft now or at its start time. Repeating the call doesn’t send it twice.',
  allow: 'createBroadcast',
  event: 'broadcast.sent',
  takesIdempotencyKey: true,
  body: z.object({
    DraftBroadcastID: id,
    /**
     * Figures that the page showed. If it would reach more people or cost more credits, it is refused and shown
     * again.
     */
    ExpectedCount: z.number().int().min(0).optional(),
    ExpectedCredits: z.number().int().min(0).optional(),
  }),
  reply: z.object({
    BroadcastID: z.number().int(),
    MessageRecordingInstruction: z.object({ ID: z.number().int(), Uri: z.string() }).nullable(),
    UriSummary: z.string(),
  }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded', 'keyReused'],
});

const startDateValidation = z.object({
  IsPast: z.boolean(),
  IsTooFarFuture: z.boolean(),
  IsOutsideCallingWindow: z.boolean(),
  IsAlteredByServerTimeChange: z.boolean(),
  IsApproachingServerTimeChange: z.boolean(),
  IsMovedForwardByServerTimeChange: z.boolean(),
  ServerTimeChangeStartTime: z.string().nullable(),
  ServerTimeChangeEndTime: z.string().nullable(),
  StartDate: z.string(),
});

export const validateBroadcast = call({
  method: 'POST',
  path: '/broadcasts/validation',
  summary:
    'Checks a start time: whether it’s in the past, too far ahead, outside the calling window or near a clock change.',
  allow: 'seeBroadcasts',
  event: 'none',
  body: z.object({
    StartDate: z.string().max(40),
    BroadcastType: z.enum(broadcastTypes).default('GroupSMS'),
    CheckCallingWindow: z.boolean().default(false),
    /** The broadcast's own calling window. Missing parts are taken from the user's. */
    CallingWindowDays: z.array(z.enum(dayNames)).min(1, noCallingDay).optional(),
    StartTimeOfDay: timeOfDay.optional(),
    StopTimeOfDay: timeOfDay.optional(),
  }),
  reply: z.object({ StartDateValidation: startDateValidation }),
  errors: ['refused'],
});

const broadcastSorts = ['-startdate', 'startdate', 'name', '-name'] as const;

export const listBroadcasts = call({
  method: 'GET',
  path: '/broadcasts',
  summary: 'Lists the broadcasts that the user can see, newest first. q searches names and texts.',
  allow: 'seeBroadcasts',
  query: listQuery({ pagesize: 10, most: 100, sortby: broadcastSorts }).extend({
    category: z.enum(broadcastStatusCategories).optional(),
    labelId: id.optional(),
    archived: flag.optional(),
    textNumberId: id.optional(),
    next: z.string().max(1000).optional(),
  }),
  reply: nextList(broadcast),
});

export const getBroadcastsSummary = call({
  method: 'GET',
  path: '/broadcasts/summary',
  summary: 'Counts the broadcasts in each view.',
  allow: 'seeBroadcasts',
  reply: z.object({
    All: z.number().int(),
    Scheduled: z.number().int(),
    Broadcasting: z.number().int(),
    Completed: z.number().int(),
    Drafts: z.number().int(),
    Repeating: z.number().int(),
    Archived: z.number().int(),
  }),
});

export const getBestHour = call({
  method: 'GET',
  path: '/broadcasts/best-hour',
  summary: 'Ours: the hour of the day at which the account’s texts got the most replies.',
  allow: 'createBroadcast',
  reply: z.object({
    /** 0 to 23 on the user's clock; null while too little is known. */
    Hour: z.number().int().min(0).max(23).nullable(),
    /** Replies within a day to a hundred texts that were sent at that hour, and at any hour. */
    RepliesPer100: z.number().nonnegative(),
    UsualPer100: z.number().nonnegative(),
    /** Texts that went out at that hour in so many days. */
    BroadcastCount: z.number().int().nonnegative(),
    TextCount: z.number().int().nonnegative(),
    Days: z.number().int(),
  }),
});

export const getBroadcast = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID',
  summary: 'Returns a broadcast with its counts.',
  allow: 'seeBroadcasts',
  params,
  reply: wholeBroadcast,
  errors: ['notFound'],
});

export const updateBroadcast = call({
  method: 'PUT',
  path: '/broadcasts/:BroadcastID',
  summary:
    'Pauses, resumes or cancels a broadcast (BroadcastStatus). Text, picture, time and speed can change while it’s scheduled; calls at a time until it has ended; labels and archiving at any time.',
  allow: 'manageBroadcasts',
  event: 'broadcast.updated',
  params,
  body: z.object({
    BroadcastStatus: z.enum(['Paused', 'Broadcasting', 'Canceled']).optional(),
    BroadcastName: z
      .string()
      .trim()
      .min(1, 'Enter a Broadcast Name')
      .max(limits.broadcastName, `Broadcast Name must be at most ${limits.broadcastName} characters`)
      .optional(),
    TextMessage: z.string().max(5000).optional(),
    Media: z
      .array(z.object({ MediaID: id }))
      .max(1)
      .optional(),
    IncludeSignature: z.boolean().optional(),
    /** Ours: the text goes out as it is written, not in plain characters. */
    KeepCharacters: z.boolean().optional(),
    /** Ours: the other one of two texts that are tried. */
    SecondText: secondTextForm.optional(),
    /** A reading of the user's own clock without an offset, or a moment. */
    StartDate: z.string().max(40).optional(),
    PerMinute: z.union([z.literal(5), z.literal(50), z.literal(500), z.literal(1000), z.null()]).optional(),
    /** Calls at a time and transfer lines: also while calls are under way. */
    CallThrottle: callThrottle.optional(),
    TransferLines: transferLines.optional(),
    Labels: z
      .array(z.object({ LabelID: id }))
      .max(20)
      .optional(),
    IsArchived: z.boolean().optional(),
  }),
  reply: wholeBroadcast,
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded'],
});

export const deleteBroadcast = call({
  method: 'DELETE',
  path: '/broadcasts/:BroadcastID',
  summary: 'Deletes a broadcast. Cancels it first if it’s in progress.',
  allow: 'manageBroadcasts',
  event: 'broadcast.deleted',
  params,
  reply: undoable,
  errors: ['notFound', 'conflict'],
});

export const undoBroadcasts = call({
  method: 'POST',
  path: '/broadcasts/undo/:UndoID',
  summary: 'Restores a deleted broadcast.',
  allow: 'manageBroadcasts',
  event: 'broadcast.restored',
  params: z.object({ UndoID: id }),
  reply: z.object({ UndoExecuted: z.boolean(), UndoID: z.number().int().nullable() }),
  errors: ['notFound'],
});

// Labels

const labelName = z
  .string()
  .trim()
  .min(1, 'Enter a Label Name')
  .max(50, 'Label Name must be at most 50 characters');

export const listLabels = call({
  method: 'GET',
  path: '/labels',
  summary: 'Lists the organization’s labels by name.',
  allow: 'seeBroadcasts',
  reply: z.object({ Items: z.array(label) }),
});

export const addLabel = call({
  method: 'POST',
  path: '/labels',
  summary: 'Adds a label.',
  allow: 'manageBroadcasts',
  event: 'label.created',
  body: z.object({ LabelName: labelName }),
  reply: label,
  errors: ['refused'],
});

export const updateLabel = call({
  method: 'PUT',
  path: '/labels/:LabelID',
  summary: 'Renames a label.',
  allow: 'manageBroadcasts',
  event: 'label.updated',
  params: z.object({ LabelID: id }),
  body: z.object({ LabelName: labelName }),
  reply: label,
  errors: ['notFound', 'refused'],
});

export const deleteLabel = call({
  method: 'DELETE',
  path: '/labels/:LabelID',
  summary: 'Deletes a label. Its broadcasts stay.',
  allow: 'manageBroadcasts',
  event: 'label.deleted',
  params: z.object({ LabelID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

// Called while a message is being written

export const lookUpShortUrls = call({
  method: 'POST',
  path: '/shorturls/lookup',
  summary: 'Finds the shortened URLs in a text and the ones that carriers block.',
  allow: 'seeBroadcasts',
  event: 'none',
  body: z.object({ Text: z.string().max(5000) }),
  reply: z.object({ UrlsFound: z.array(z.string()), BlackListedUrls: z.array(z.string()) }),
});

export const getMessagingLimits = call({
  method: 'GET',
  path: '/aws/texting/registration/messaging-limits',
  summary: 'Returns how many texts carriers allow per day, before and after registration.',
  allow: 'seeBroadcasts',
  reply: z.array(
    z.object({ limitName: z.enum(['Standard', 'Registered']), messagesPerDay: z.number().int() }),
  ),
});

export const hasScheduledEnhancedMessages = call({
  method: 'GET',
  path: '/account/hasScheduledEnhancedMessages',
  summary: 'Says whether any broadcasts with pictures are scheduled.',
  allow: 'seeBroadcasts',
  reply: z.object({ HasScheduledEnhancedMessages: z.boolean() }),
});
