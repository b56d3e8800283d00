import { z } from 'zod';
import { timeOfDay } from './accounts.ts';
import { broadcastAudio } from './audio.ts';
import { call, flag, id, moment } from './call.ts';
import { contactSummary, draftLimits, recipientProblems } from './draft-recipients.ts';
import { callRetries, callThrottle, messageLength, transferLines } from './fields/call-fields.ts';
import { noCallingDay } from './forms/calling-window.ts';
import { listQuery, nextList } from './list.ts';
import { mediaItem } from './media.ts';
import { broadcastTypes } from './reference/broadcast-types.ts';
import { limits } from './reference/limits.ts';
import { repeatingSchedule } from './repeating-broadcasts.ts';
import { secondTextForm } from './second-text.ts';
import { startOptions, voiceOptions } from './states/broadcast-wizard.ts';
import { dayNames } from './time/wall-clock.ts';

const surveyReplies = z
  .array(z.object({ Label: z.enum(['Yes', 'No']), Message: z.string().max(draftLimits.text) }))
  .max(2);

const audioChoice = z.object({ AudioID: id }).nullable();

/** The call settings of a broadcast. Until something is chosen, the sender's own settings apply. */
const callForm = z.object({
  CallerID: z.string().trim().max(60),
  CallThrottle: callThrottle,
  /** Ours. */
  Retries: callRetries,
  CheckCallingWindow: z.boolean(),
  CallingWindowDays: z.array(z.enum(dayNames)).min(1, noCallingDay),
  StartTimeOfDay: timeOfDay,
  StopTimeOfDay: timeOfDay,
  ContinueOnNextDay: z.boolean(),
  Audio: audioChoice,
  /** For voicemail. */
  AudioVM: audioChoice,
  RecordLater: z.boolean(),
  RecordLaterVM: z.boolean(),
  /** Origin of the message for live answers, and of the one for voicemail. */
  voiceOption: z.enum(voiceOptions),
  voiceType: z.enum(voiceOptions),
  IsTransfer: z.boolean(),
  TransferNumber: z.object({ ID: id }).nullable(),
  TransferLines: transferLines.nullable(),
  CountryID: z.number().int().min(1).max(1000),
  MaxMessageLength: messageLength,
});

/** Names that the form has for the same settings; a request that sends them means the field itself. */
const formNames = z.object({
  /** The number to text from, in place of TextNumberID. */
  TextPhoneNumber: z.string().trim().max(60),
  /** The time of day of the start ("5:00 PM"), in place of the one in StartDate. */
  startTimeText: z.string().trim().max(20),
  /** In place of TextSurveyAutoReplies. */
  YesAutoReply: z.string().max(draftLimits.text),
  NoAutoReply: z.string().max(draftLimits.text),
  /** A saved text by its name, in place of TemplateID. */
  TemplateName: z.string().trim().max(limits.templateName),
});

/** The data that the wizard saves. Anything may be missing until it is sent; then it is validated. */
const draftForm = z.object({
  BroadcastName: z
    .string()
    .trim()
    .max(limits.broadcastName, `Broadcast Name must be at most ${limits.broadcastName} characters`),
  BroadcastType: z.enum(broadcastTypes),
  IsTextSurvey: z.boolean(),
  TextNumberID: id.nullable(),
  TextMessage: z.string().max(draftLimits.text),
  Media: z.array(z.object({ MediaID: id })).max(1),
  IncludeSignature: z.boolean(),
  /** Ours: the text goes out as it is written, not in plain characters. */
  KeepCharacters: z.boolean(),
  /** Ours: links are shortened on the organization's own address, and clicks are counted. */
  ShortenLinks: z.boolean(),
  /** Ours: a second text to try beside this one; null: there is one text. */
  SecondText: secondTextForm.nullable(),
  TextSurveyAutoReplies: surveyReplies,
  TemplateID: id.nullable(),
  startOption: z.enum(startOptions),
  /** A reading of the user's own clock without an offset ("2026-11-15T17:00:00"); null: not chosen. */
  StartDate: z.string().max(40).nullable(),
  RepeatingBroadcastSchedule: repeatingSchedule.nullable(),
  /** Texts a minute; null is Max. */
  PerMinute: z.union([z.literal(5), z.literal(50), z.literal(500), z.literal(1000), z.null()]),
  /** Ours: the step that it was left at, 1 to 4. */
  Step: z.number().int().min(1).max(4),
  /** Somebody has confirmed that these are the people to call. Other recipients or another type clear it. */
  RecipientsConfirmed: z.boolean(),
  ...callForm.shape,
  ...formNames.shape,
});
export type DraftForm = z.input<typeof draftForm>;

const draftBroadcast = z.object({
  DraftBroadcastID: z.number().int(),
  BroadcastName: z.string(),
  BroadcastType: z.enum(broadcastTypes),
  IsTextSurvey: z.boolean(),
  TextNumberID: z.number().int().nullable(),
  TextMessage: z.string(),
  Media: z.array(mediaItem),
  IncludeSignature: z.boolean(),
  KeepCharacters: z.boolean(),
  ShortenLinks: z.boolean(),
  /** The beginning of short links; empty where links stay as they are. */
  LinkBase: z.string(),
  SecondText: secondTextForm.nullable(),
  TextSurveyAutoReplies: z.array(z.object({ Label: z.enum(['Yes', 'No']), Message: z.string() })),
  TemplateID: z.number().int().nullable(),
  startOption: z.enum(startOptions),
  StartDate: z.string().nullable(),
  RepeatingBroadcastSchedule: repeatingSchedule.nullable(),
  PerMinute: z.number().int().nullable(),
  CallerID: z.string(),
  CallThrottle: z.number().int(),
  Retries: z.number().int(),
  CheckCallingWindow: z.boolean(),
  CallingWindowDays: z.array(z.string()),
  StartTimeOfDay: timeOfDay,
  StopTimeOfDay: timeOfDay,
  ContinueOnNextDay: z.boolean(),
  Audio: broadcastAudio.nullable(),
  AudioVM: broadcastAudio.nullable(),
  RecordLater: z.boolean(),
  RecordLaterVM: z.boolean(),
  voiceOption: z.enum(voiceOptions),
  voiceType: z.enum(voiceOptions),
  IsTransfer: z.boolean(),
  TransferNumber: z
    .object({ ID: z.number().int(), PhoneNumber: z.string(), Status: z.enum(['Pending', 'Approved']) })
    .nullable(),
  TransferLines: z.number().int().nullable(),
  CountryID: z.number().int(),
  MaxMessageLength: z.number().int(),
  Step: z.number().int(),
  RecipientsConfirmed: z.boolean(),
  /** Names of the personalized fields that can be put into the text. */
  CustomData: z.array(z.string()),
  /** Recipients that get a text, and all that were added. */
  TextNumberCount: z.number().int(),
  TotalTextNumberCount: z.number().int(),
  /** Recipients that get a call, and all that could be called if the type asked for it. */
  VoiceNumberCount: z.number().int(),
  TotalVoiceNumberCount: z.number().int(),
  /** The credits that it takes, with the saved text or the one in the query. */
  MinCallUnitsRequired: z.number().int(),
  TextNumberCredits: z.number().int(),
  /** Different phones among the recipients. */
  PotentialUniqueCount: z.number().int(),
  /** Credits that other broadcasts take on the day of the start. */
  StartDateAllocatedTextCredits: z.number().int(),
  /** A personalized text has to be merged (again): it never was, or it or somebody among the recipients has changed since. */
  RosterChangedSinceLastMerge: z.boolean(),
  /** A monthly account would reach more people than its level allows. */
  UniqueCountThresholdExceeded: z.boolean(),
  /** Ours: people are still being added in the background. */
  IsAdding: z.boolean(),
  /** Ours: when it starts and when it will have ended at this speed, quiet hours and caps included; null without recipients. */
  Starts: moment.nullable(),
  Ends: moment.nullable(),
  UpdateTimestamp: moment,
});
export type DraftBroadcast = z.output<typeof draftBroadcast>;

const params = z.object({ DraftBroadcastID: id });

/** Ours: features that an organization may have switched off for its broadcasts (Profile of the account). */
export const broadcastProfileRefusals = {
  individual: 'Your organization doesn’t allow adding individual numbers to a broadcast.',
  paste: 'Your organization doesn’t allow pasting numbers into a broadcast.',
} as const;

export const createDraft = call({
  method: 'POST',
  path: '/draft-broadcasts',
  summary: 'Creates a draft.',
  allow: 'createBroadcast',
  event: 'draft.created',
  takesIdempotencyKey: true,
  body: draftForm.partial(),
  reply: draftBroadcast,
  errors: ['refused', 'keyReused'],
});

export const listDrafts = call({
  method: 'GET',
  path: '/draft-broadcasts',
  summary: 'Lists the drafts, newest first.',
  allow: 'seeBroadcasts',
  query: listQuery({ pagesize: 10, most: 100, sortby: ['-updated'] }),
  reply: nextList(
    z.object({
      DraftBroadcastID: z.number().int(),
      BroadcastName: z.string(),
      BroadcastType: z.enum(broadcastTypes),
      TextMessage: z.string(),
      TotalTextNumberCount: z.number().int(),
      Step: z.number().int(),
      User: z.object({ UserID: z.number().int(), Name: z.string() }),
      UpdateTimestamp: moment,
    }),
  ),
});

export const getDraft = call({
  method: 'GET',
  path: '/draft-broadcasts/:DraftBroadcastID',
  summary: 'Returns a draft with its cost and duration, for the text and start in the query or its own.',
  allow: 'seeBroadcasts',
  params,
  query: z.object({
    broadcasttype: z.enum(broadcastTypes).optional(),
    callthrottle: z.coerce.number().int().min(0).optional(),
    /** Characters of the text with its signature. */
    textmessagelength: z.coerce.number().int().min(0).max(10_000).optional(),
    audio: z.coerce.number().int().optional(),
    audiovm: z.coerce.number().int().optional(),
    /** With a picture. */
    isEnhanced: flag.optional(),
    istransfer: flag.optional(),
    isPersonalized: flag.optional(),
    startdate: z.string().max(40).optional(),
    textNumberID: id.optional(),
  }),
  reply: draftBroadcast,
  errors: ['notFound'],
});

export const updateDraft = call({
  method: 'PUT',
  path: '/draft-broadcasts/:DraftBroadcastID',
  summary: 'Saves a draft. Fields that aren’t sent stay the same.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params,
  body: draftForm.partial(),
  reply: draftBroadcast,
  errors: ['notFound', 'refused', 'conflict'],
});

export const updateDraftType = call({
  method: 'PUT',
  path: '/draft-broadcasts/:DraftBroadcastID/type',
  summary: 'Changes the type of a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.changed',
  params,
  body: z.object({ BroadcastTypeDesc: z.enum(broadcastTypes), IsTextSurvey: z.boolean().default(false) }),
  reply: draftBroadcast,
  errors: ['notFound', 'refused', 'conflict'],
});

export const deleteDraft = call({
  method: 'DELETE',
  path: '/draft-broadcasts/:DraftBroadcastID',
  summary: 'Deletes a draft.',
  allow: 'manageBroadcasts',
  event: 'draft.deleted',
  params,
  reply: z.object({}),
  errors: ['notFound', 'conflict'],
});

/** One check before Send, for anything that could stop the broadcast or get it blocked. */
const preflightCheck = z.object({
  Kind: z.enum(['ok', 'warning', 'error']),
  Text: z.string(),
});

/**
 * Ours: the summary before Send: who gets it, when, the cost, who is left out, and what could get it blocked.
 */
export const preflight = z.object({
  Summary: contactSummary,
  Cost: z.object({
    Credits: z.number().int(),
    /** Number of texts for each number of segments. */
    Segments: z.array(z.object({ Segments: z.number().int(), Count: z.number().int() })),
    Balance: z.number().int(),
    Reserved: z.number().int(),
    After: z.number().int(),
    /** Texts of this account cost nothing by the text. */
    IsFree: z.boolean(),
  }),
  Starts: moment,
  Ends: moment,
  /** Times for each zone: Opens is when its hours allow it, Done when its last text has gone out. */
  Plan: z.array(
    z.object({
      Zones: z.array(z.string()),
      Label: z.string(),
      Count: z.number().int(),
      Opens: moment,
      Done: moment,
    }),
  ),
  /** People who are called, in addition to those who are texted; null where only texts go out. */
  Calls: z
    .object({
      Called: z.number().int(),
      Texted: z.number().int(),
      /** People who get a text, a call or both. */
      Reached: z.number().int(),
      /** People who are not called, by reason. */
      LeftOut: z.array(z.object({ Problem: z.enum(recipientProblems), Count: z.number().int() })),
      CallerID: z.string(),
      /** Lines that are used at a time, and how many calls are begun a second. */
      Lines: z.number().int(),
      StartsPerSecond: z.number(),
      /** Seconds of the two messages; null where one is recorded later. */
      LiveSeconds: z.number().nullable(),
      VoicemailSeconds: z.number().nullable(),
      CreditsEach: z.number().int(),
      Credits: z.number().int(),
      Window: z.string(),
      /** The clock by which each zone is called, and when its first and its last call are made. */
      Plan: z.array(
        z.object({
          Zones: z.array(z.string()),
          Label: z.string(),
          Count: z.number().int(),
          Opens: moment,
          Done: moment,
        }),
      ),
      Starts: moment,
      /** End of the last call with these lines. */
      Ends: moment,
      /** Number of calls that don't fit into the window and expire. */
      Expiring: z.number().int(),
    })
    .nullable(),
  QuietHours: z.object({ IsOn: z.boolean(), Start: z.string(), Stop: z.string() }),
  Checks: z.array(preflightCheck),
  /** The text for the first person who gets it. */
  Sample: z
    .object({
      Name: z.string(),
      PhoneNumber: z.string(),
      TextMessage: z.string(),
      Segments: z.number().int(),
    })
    .nullable(),
  /** Reason why it can't be sent; null when it can. 4100: not enough credits; 4101: more people than the plan has. */
  Refusal: z.object({ ErrorCode: z.number().int(), Message: z.string() }).nullable(),
});
export type Preflight = z.output<typeof preflight>;

export const getPreflight = call({
  method: 'GET',
  path: '/draft-broadcasts/:DraftBroadcastID/preflight',
  summary: 'Returns what will happen when the draft is sent.',
  allow: 'seeBroadcasts',
  params,
  reply: preflight,
  errors: ['notFound', 'refused'],
});

export const sendTest = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/test',
  summary:
    'Sends a test to the user’s phone or the given one, personalized for the given recipient or the first one.',
  allow: 'createTextBroadcast',
  event: 'broadcast.tested',
  takesIdempotencyKey: true,
  params,
  body: z.object({
    RecipientID: id.optional(),
    /** For users who have no phone in their profile, or want it on another one. */
    PhoneNumber: z.string().trim().max(60).optional(),
    /** Ours: which of two texts. */
    Text: z.enum(['First', 'Second']).optional(),
  }),
  reply: z.object({ PhoneNumber: z.string(), Credits: z.number().int() }),
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});
