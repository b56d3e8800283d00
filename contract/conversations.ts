import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { composeMessages, picturesInText } from './forms/compose-text.ts';
import { listQuery, nextList, undoable, undone } from './list.ts';
import { pageSizes } from './reference/paging.ts';
import { selection } from './selection.ts';

export const lastMessage = z.object({
  TextMessageID: z.number().int(),
  Message: z.string(),
  IsInbound: z.boolean(),
  HasMedia: z.boolean(),
  Status: z.string(),
  CreateTimestamp: moment,
});

export const conversationView = z.object({
  UserID: z.number().int(),
  Name: z.string(),
  LastViewTime: moment,
});

export const conversation = z.object({
  ConversationID: z.number().int(),
  PhoneNumber: z.string(),
  PersonID: z.number().int().nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  Notes: z.string(),
  TextNumberID: z.number().int(),
  IsDone: z.boolean(),
  IsRetired: z.boolean(),
  IsAutoOptOut: z.boolean(),
  OptedIn: z.boolean(),
  OptedOut: z.boolean(),
  UnreadCount: z.number().int(),
  LastMessage: lastMessage.nullable(),
  Views: z.array(conversationView),
});
export type Conversation = z.output<typeof conversation>;

export const mediaItem = z.object({
  mediaId: z.number().int(),
  contentType: z.string(),
  fileName: z.string(),
  full: z.string(),
  preview: z.string(),
});

export const textMessage = z.object({
  TextMessageID: z.number().int(),
  IsInbound: z.boolean(),
  Message: z.string(),
  CreateTimestamp: moment,
  Mms: z.boolean(),
  MmsOutboundMedia: z.array(z.object({ MediaID: z.number().int() })),
  Media: z.array(mediaItem),
  ExplicitStatus: z.number().int().nullable(),
  /** A code of contract/delivery/text-status.ts; `received` for inbound texts. */
  Status: z.string(),
  StatusTimestamp: moment.nullable(),
  Segments: z.number().int(),
  Credits: z.number().int(),
  /** Who wrote it; null for inbound texts and those that the system sent. */
  SentBy: z.object({ UserID: z.number().int(), Name: z.string() }).nullable(),
});
export type TextMessage = z.output<typeof textMessage>;

/** Of any length here: the refusal of a long one names the user's own limit, which only the server knows. */
const message = z.string({ error: composeMessages.noText }).default('');
const media = z
  .array(z.object({ MediaID: id }))
  .max(picturesInText, composeMessages.tooManyPictures)
  .default([]);

export const listConversations = call({
  method: 'GET',
  path: '/conversations',
  summary: 'Conversations, the latest first. Without dates a search covers the last two weeks.',
  allow: 'user',
  query: listQuery({
    pagesize: pageSizes.conversations,
    most: 100,
    sortby: ['latest', 'oldest'],
  }).extend({
    isDone: flag.optional(),
    unread: flag.optional(),
    textNumberId: id.optional(),
    tag: z.enum(['autooptout']).optional(),
    notags: flag.optional(),
    'date-from': z.iso.date().optional(),
    'date-to': z.iso.date().optional(),
  }),
  reply: nextList(conversation),
});

export const getConversation = call({
  method: 'GET',
  path: '/conversations/:ConversationID',
  summary: 'One conversation.',
  allow: 'user',
  params: z.object({ ConversationID: id }),
  reply: conversation,
  errors: ['notFound'],
});

export const createConversation = call({
  method: 'POST',
  path: '/conversations',
  summary: 'Writes to a phone: opens the conversation, or goes on in the one that exists.',
  allow: 'user',
  takesIdempotencyKey: true,
  body: z.object({
    TextNumberID: z.coerce
      .number({ error: composeMessages.noTextNumber })
      .int(composeMessages.noTextNumber)
      .positive(composeMessages.noTextNumber),
    IncludeSignature: z.boolean().default(false),
    LastMessage: z.object({
      Contact: z.object({
        PersonID: id.optional(),
        PrimaryPhone: z
          .string({ error: composeMessages.noRecipient })
          .trim()
          .min(1, composeMessages.noRecipient),
      }),
      Message: message,
      MmsOutboundMedia: media,
    }),
  }),
  reply: conversation.extend({ TextMessageID: z.number().int() }),
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});

export const listTextMessages = call({
  method: 'GET',
  path: '/conversations/:ConversationID/textmessages',
  summary: 'The texts of a conversation, the latest first, fifty a page.',
  allow: 'user',
  params: z.object({ ConversationID: id }),
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(pageSizes.textMessages),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(textMessage),
  errors: ['notFound'],
});

export const sendTextMessage = call({
  method: 'POST',
  path: '/conversations/:ConversationID/textmessages',
  summary: 'Sends a text in a conversation.',
  allow: 'user',
  takesIdempotencyKey: true,
  params: z.object({ ConversationID: id }),
  body: z.object({ Message: message, MmsOutboundMedia: media, IncludeSignature: z.boolean().default(false) }),
  reply: textMessage,
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});

export const viewConversation = call({
  method: 'POST',
  path: '/conversations/:ConversationID/views',
  summary: 'Says that the user looks at the conversation: what was unread is read.',
  allow: 'user',
  params: z.object({ ConversationID: id }),
  reply: conversation,
  errors: ['notFound'],
});

export const updateConversation = call({
  method: 'PUT',
  path: '/conversations/:ConversationID',
  summary: 'Marks a conversation done, or puts it back among the open ones.',
  allow: 'user',
  params: z.object({ ConversationID: id }),
  body: z.object({ IsDone: z.boolean() }),
  reply: conversation.and(undoable),
  errors: ['notFound'],
});

export const updateConversations = call({
  method: 'PUT',
  path: '/conversations',
  summary: 'Marks a selection of conversations done, or puts it back among the open ones.',
  allow: 'user',
  query: listConversations.query,
  body: z.object({ Selection: selection, Update: z.object({ IsDone: z.boolean() }) }),
  reply: undoable.extend({ Size: z.number().int() }),
});

export const undoConversations = call({
  method: 'POST',
  path: '/conversations/undo/:UndoID',
  summary: 'Takes back a change of conversations; the answer’s UndoID takes the taking-back back.',
  allow: 'user',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});

export const getConversationsSummary = call({
  method: 'GET',
  path: '/conversations/summary',
  summary: 'How many conversations wait: unread and open.',
  allow: 'user',
  query: z.object({ textNumberId: id.optional() }),
  reply: z.object({ UnreadCount: z.number().int(), OpenCount: z.number().int() }),
});
