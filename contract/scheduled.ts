import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { composedMedia, composedMessage, composedTextNumber, keepCharacters, recipients } from './compose.ts';
import { listQuery, sizedList } from './list.ts';
import { mediaItem } from './media.ts';

/** Ours: how far ahead a text may be scheduled. */
export const scheduleDaysAhead = 366;
/** "Schedule default is now plus 5 minutes." */
export const scheduleDefaultMinutes = 5;

const scheduledRecipient = z.object({
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  PhoneNumber: z.string(),
  TextMessage: z.string().nullable(),
  /** Its delivery status once it was sent, or why it wasn't sent. */
  ConversationID: z.number().int().nullable(),
  Error: z.string(),
});

const scheduledConversation = z.object({
  ScheduledConversationID: z.number().int(),
  Status: z.enum(['Scheduled', 'Sent', 'Canceled', 'Failed']),
  StartDate: moment,
  TextNumberID: z.number().int(),
  TextMessage: z.string(),
  Media: z.array(mediaItem),
  IncludeSignature: z.boolean(),
  KeepCharacters: z.boolean(),
  Contacts: z.array(scheduledRecipient),
  /** The user in whose name it goes out. */
  User: z.object({ UserID: z.number().int(), Name: z.string() }),
  CreateTimestamp: moment,
  EndTimestamp: moment.nullable(),
  /** Reason why nothing of it was sent. */
  Error: z.string(),
});
export type ScheduledConversation = z.output<typeof scheduledConversation>;

const written = z.object({
  Contacts: recipients,
  TextNumberID: composedTextNumber,
  /** May be left out and written later; without a text and a picture nothing is sent when the time comes. */
  TextMessage: composedMessage,
  Media: composedMedia,
  IncludeSignature: z.boolean().default(false),
  KeepCharacters: keepCharacters,
  /** false also takes the second and third phones of contacts. */
  PrimaryPhoneNumbersOnly: z.boolean().default(true),
  StartDate: z.iso.datetime({ error: 'Enter a Start Time' }),
});

export const scheduleConversation = call({
  method: 'POST',
  path: '/conversations/schedule',
  summary:
    'Schedules a text to up to 15 people. It’s sent once, at that minute, or as soon as the server is running again.',
  allow: 'createConversation',
  event: 'scheduled.created',
  takesIdempotencyKey: true,
  body: written.extend({
    /** The user in whose name it goes out; the writer, unless an admin chose somebody else. */
    User: z.object({ UserID: id }).optional(),
  }),
  reply: scheduledConversation,
  errors: ['notFound', 'refused', 'keyReused'],
});

export const listScheduledConversations = call({
  method: 'GET',
  path: '/scheduledConversations',
  summary:
    'Lists the scheduled texts of the user’s text numbers, next one first. ended=true lists those that were sent, canceled or failed.',
  allow: 'readConversations',
  query: listQuery({ pagesize: 10, most: 100, sortby: ['startdate', '-startdate'] }).extend({
    textNumberId: id.optional(),
    ended: flag.optional(),
  }),
  reply: sizedList(scheduledConversation),
});

const params = z.object({ ScheduledConversationID: id });

export const getScheduledConversation = call({
  method: 'GET',
  path: '/scheduledConversations/:ScheduledConversationID',
  summary: 'Returns a scheduled text.',
  allow: 'readConversations',
  params,
  reply: scheduledConversation,
  errors: ['notFound'],
});

export const updateScheduledConversation = call({
  method: 'PUT',
  path: '/scheduledConversations/:ScheduledConversationID',
  summary: 'Updates a scheduled text. Fails once it was sent or canceled.',
  allow: 'createConversation',
  event: 'scheduled.updated',
  params,
  body: written,
  reply: scheduledConversation,
  errors: ['notFound', 'refused', 'conflict'],
});

export const sendScheduledConversation = call({
  method: 'POST',
  path: '/scheduledConversations/:ScheduledConversationID/sendNow',
  summary: 'Sends a scheduled text now. Repeating the call doesn’t send it twice.',
  allow: 'createConversation',
  event: 'scheduled.sent',
  params,
  reply: scheduledConversation,
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits'],
});

export const cancelScheduledConversation = call({
  method: 'POST',
  path: '/scheduledConversations/:ScheduledConversationID/cancel',
  summary: 'Cancels a scheduled text.',
  allow: 'manageConversations',
  event: 'scheduled.canceled',
  params,
  reply: scheduledConversation,
  errors: ['notFound', 'conflict'],
});
