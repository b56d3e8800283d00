import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { listId } from './contacts.ts';
import { preflight } from './drafts.ts';
import { limits } from './reference/limits.ts';

/**
 * Ours: emergencies. An emergency is a broadcast that goes out at once, as text and call together, with words
 * and to groups that the organization prepared. It goes before other broadcasts and ignores the limit of
 * broadcasts for a person. It never ignores STOP or do-not-call; it ignores quiet hours and the calling
 * window only if somebody says so.
 */
const emergencyChannels = ['TextAndCall', 'Text', 'Call'] as const;
export type EmergencyChannel = (typeof emergencyChannels)[number];

/** Put before the words of a drill, in texts and calls. */
export const drillWords = 'This is a drill.';

/** Whoever starts the same emergency within this time joins it instead of sending it again. */
export const emergencyJoinMinutes = 10;

export const emergencyRefusals = {
  noMessage: 'Choose what happened, or write a message.',
  nobody: 'Choose at least one group.',
  notPrepared: 'That group isn’t prepared for emergencies.',
  messageGone: 'That message is no longer here.',
  noChannel: 'This organization can neither text nor call at the moment.',
  noTextNumber: 'There is no text number that broadcasts can go out from.',
  noVoice: 'This organization can’t place calls.',
  noCallerId: 'There is no number that calls can come from.',
  otherChoices: 'This was started already, with other choices. Look at its results before you start another.',
  tooMany: `An organization can keep ${limits.emergency.messages} messages ready.`,
} as const;

const emergencyMessage = z.object({
  EmergencyMessageID: z.number().int(),
  Title: z.string(),
  TextMessage: z.string(),
  /** The words that calls speak. */
  SpokenText: z.string(),
});
export type EmergencyMessage = z.output<typeof emergencyMessage>;

const emergencyList = z.object({ ListID: z.number().int(), ListName: z.string(), Count: z.number().int() });

const running = z.object({
  BroadcastID: z.number().int(),
  BroadcastName: z.string(),
  EmergencyMessageID: z.number().int().nullable(),
  IsDrill: z.boolean(),
  StartedBy: z.object({ UserID: z.number().int(), Name: z.string() }),
  StartDate: moment,
  /** Number of people it goes to. */
  Count: z.number().int(),
});
export type RunningEmergency = z.output<typeof running>;

const emergency = z.object({
  Messages: z.array(emergencyMessage),
  /** Groups it can go to: those that were prepared, or Everyone if there are none. */
  Lists: z.array(emergencyList),
  /** The one that is selected at first. Null when the first of the prepared groups has been deleted. */
  SelectedListID: listId.nullable(),
  /** Number of prepared groups that have been deleted. */
  DeletedLists: z.number().int(),
  /** Recipients of a drill: the group that was chosen for it, or the users of the organization who have a phone. */
  Drill: z.object({ Name: z.string(), Count: z.number().int() }),
  /** Reason why no texts or no calls can go out; empty when they can. */
  TextProblem: z.string(),
  CallProblem: z.string(),
  /** Broadcasts started within the last hour. */
  Running: z.array(running),
  /** The person to ask for credits. */
  Owners: z.array(z.string()),
  /** The broadcast that was started with the Key of the query; null when none was. */
  StartedBroadcastID: z.number().int().nullable(),
});
export type Emergency = z.output<typeof emergency>;

/** A UUID, with or without its dashes: browsers on plain http make their own. */
const key = z.string().regex(/^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i, 'This is not a valid key');

export const getEmergency = call({
  method: 'GET',
  path: '/emergency',
  summary:
    'Ours: returns all that the emergency screen shows: the prepared messages and groups, whether texts and calls can go out, and what was started within the last hour.',
  allow: 'startEmergency',
  query: z.object({ Key: key.optional() }),
  reply: emergency,
});

const asked = z.object({
  /** The prepared message; null for custom words. */
  EmergencyMessageID: id.nullable().default(null),
  /** Words that replace the prepared ones in texts and in calls; empty leaves them as they were prepared. */
  TextMessage: z.string().trim().max(5_000).default(''),
  Lists: z
    .array(z.object({ ListID: listId }))
    .max(limits.emergency.groups)
    .default([]),
  /** Goes to staff only, and says that it is a drill. */
  IsDrill: z.boolean().default(false),
  Channel: z.enum(emergencyChannels).default('TextAndCall'),
  /**
   * Quiet hours and the calling window don't apply to this one. Recorded with the name of whoever chose it.
   */
  IgnoreHours: z.boolean().default(false),
});
export type AskedEmergency = z.output<typeof asked>;

const emergencyPreview = preflight
  .pick({ Summary: true, Cost: true, Starts: true, Ends: true, Calls: true, Sample: true, Refusal: true })
  .extend({
    /** The channels that are used: fewer than requested where the organization can't text or can't call. */
    Channel: z.enum(emergencyChannels),
    TextProblem: z.string(),
    CallProblem: z.string(),
    /** Credits of the texts alone, and of the calls alone. */
    TextCredits: z.number().int(),
    CallCredits: z.number().int(),
    /** Number of people who get a text, and of people reached in all. */
    Texted: z.number().int(),
    Reached: z.number().int(),
    /** Texts and calls held by quiet hours or the calling window, and the time when the first of them is released. */
    HeldTexts: z.number().int(),
    HeldCalls: z.number().int(),
    HeldUntil: moment.nullable(),
    /** Somebody has started the same emergency: people reached by that one get nothing from this one. */
    Joins: running
      .extend({
        Channel: z.enum(emergencyChannels),
        /** Somebody has paused it: it goes on when somebody resumes it. */
        IsPaused: z.boolean(),
        /** Quiet hours or the calling window hold it until then. Starting with IgnoreHours releases it. */
        HeldUntil: moment.nullable(),
      })
      .nullable(),
  });
export type EmergencyPreview = z.output<typeof emergencyPreview>;

export const previewEmergency = call({
  method: 'POST',
  path: '/emergency/preview',
  summary:
    'Ours: says whom an emergency would reach and leave out, when, and what it would cost. Sends nothing.',
  allow: 'startEmergency',
  event: 'none',
  body: asked,
  reply: emergencyPreview,
  errors: ['notFound', 'refused'],
});

export const startEmergency = call({
  method: 'POST',
  path: '/emergency',
  summary:
    'Ours: starts an emergency or a drill. The same Key starts one broadcast, however often it is sent, and is refused with other choices. If somebody has started the same one within ten minutes, it is joined: nobody gets it twice. IgnoreHours then holds for that one too.',
  allow: 'startEmergency',
  event: 'broadcast.emergencyStarted',
  body: asked.extend({
    /** Made when the screen opens. */
    Key: key,
    /**
     * Figures that the page showed. If it would reach more people or cost more credits, it is refused and shown
     * again.
     */
    ExpectedCount: z.number().int().min(0).optional(),
    ExpectedCredits: z.number().int().min(0).optional(),
  }),
  reply: z.object({
    BroadcastID: z.number().int(),
    /** Somebody had already started it, perhaps the same person: this is that emergency. */
    IsJoined: z.boolean(),
    StartedBy: z.object({ UserID: z.number().int(), Name: z.string() }),
    StartDate: moment,
    UriSummary: z.string(),
  }),
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'groupSizeExceeded'],
});

const emergencySettings = z.object({
  Lists: z.array(emergencyList),
  /** Null: the users of the organization who have a phone. */
  DrillListID: z.number().int().nullable(),
  /** Users who may create broadcasts may start one too, not only owners and admins. */
  IsForEveryone: z.boolean(),
  Messages: z.array(emergencyMessage),
});
export type EmergencySettings = z.output<typeof emergencySettings>;

export const getEmergencySettings = call({
  method: 'GET',
  path: '/emergency/settings',
  summary: 'Ours: returns what the organization has prepared for emergencies, and who may start one.',
  allow: 'editAccountSettings',
  reply: emergencySettings,
});

export const updateEmergencySettings = call({
  method: 'PUT',
  path: '/emergency/settings',
  summary: 'Ours: changes the prepared groups, whom a drill goes to, and who may start an emergency.',
  allow: 'editAccountSettings',
  event: 'emergencySettings.updated',
  body: z.object({
    Lists: z.array(z.object({ ListID: listId })).max(limits.emergency.groups),
    DrillListID: listId.nullable(),
    IsForEveryone: z.boolean(),
  }),
  reply: emergencySettings,
  errors: ['notFound', 'refused'],
});

/** Judged by the form of contract/forms/emergency.ts. */
const messageBody = z.object({
  Title: z.string().max(1_000).default(''),
  TextMessage: z.string().max(5_000).default(''),
  SpokenText: z.string().max(5_000).default(''),
});
const params = z.object({ EmergencyMessageID: id });

export const addEmergencyMessage = call({
  method: 'POST',
  path: '/emergency/messages',
  summary: 'Ours: prepares a message for emergencies.',
  allow: 'editAccountSettings',
  event: 'emergencyMessage.created',
  takesIdempotencyKey: true,
  body: messageBody,
  reply: emergencyMessage,
  errors: ['refused', 'keyReused'],
});

export const updateEmergencyMessage = call({
  method: 'PUT',
  path: '/emergency/messages/:EmergencyMessageID',
  summary: 'Ours: changes a prepared message.',
  allow: 'editAccountSettings',
  event: 'emergencyMessage.updated',
  params,
  body: messageBody,
  reply: emergencyMessage,
  errors: ['notFound', 'refused'],
});

export const deleteEmergencyMessage = call({
  method: 'DELETE',
  path: '/emergency/messages/:EmergencyMessageID',
  summary: 'Ours: deletes a prepared message.',
  allow: 'editAccountSettings',
  event: 'emergencyMessage.deleted',
  params,
  reply: z.object({ EmergencyMessageID: z.number().int() }),
  errors: ['notFound'],
});
