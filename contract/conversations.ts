import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { composedMedia, composedMessage, composedTextNumber, keepCharacters, recipient } from './compose.ts';
import { composeMessages } from './forms/compose-text.ts';
import { listQuery, nextList, undoable, undone } from './list.ts';
import { mediaItem } from './media.ts';
import { limits } from './reference/limits.ts';
import { pageSizes } from './reference/paging.ts';
import { selection } from './selection.ts';
import { tag, tagIds } from './tags.ts';

const lastMessage = z.object({
  TextMessageID: z.number().int(),
  Message: z.string(),
  IsInbound: z.boolean(),
  HasMedia: z.boolean(),
  Status: z.string(),
  CreateTimestamp: moment,
});

/** Somebody here. */
const person = z.object({ UserID: z.number().int(), Name: z.string() });

const conversationView = z.object({
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
  /** The user who takes care of it. Ours, like all below. */
  AssignedTo: person.extend({ PictureUrl: z.string().nullable() }).nullable(),
  /** Out of the list until then, or until they write. */
  SnoozedUntil: moment.nullable(),
  Tags: z.array(tag),
  /** A retired conversation goes on in this one, at another text number. */
  ContinuedInID: z.number().int().nullable(),
});
export type Conversation = z.output<typeof conversation>;

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
  /** automatic: an auto reply, a keyword's answer, or the confirmation of an opt-out. */
  Origin: z.enum(['conversation', 'inbound', 'broadcast', 'automatic', 'notification']),
  /** Author; null for inbound texts and those that the system sent. */
  SentBy: person.nullable(),
  /** The broadcast that it was sent by, or that it answers. */
  Broadcast: z.object({ BroadcastID: z.number().int(), BroadcastName: z.string() }).nullish(),
});
export type TextMessage = z.output<typeof textMessage>;

/**
 * Ours. The views of the list: `waiting` has conversations that nobody has answered, `noanswer` those that
 * need no answer (“Thank you!”), `mine` those assigned to the asking user.
 */
const conversationViewings = [
  ...(['all', 'unread', 'waiting', 'noanswer', 'mine', 'unassigned', 'snoozed'] as const),
] as const;

export const listConversations = call({
  method: 'GET',
  path: '/conversations',
  summary: 'Lists conversations, newest first. A search without dates covers the last two weeks.',
  allow: 'readConversations',
  query: listQuery({
    pagesize: pageSizes.conversations,
    most: 100,
    sortby: ['latest', 'oldest'],
  }).extend({
    isDone: flag.optional(),
    unread: flag.optional(),
    viewing: z.enum(conversationViewings).default('all'),
    assignedTo: id.optional(),
    textNumberId: id.optional(),
    /** Those that answered this broadcast, by their latest answer. */
    broadcastId: id.optional(),
    /** The auto opt-outs, or one of the account's own tags by its id. */
    tag: z.union([z.literal('autooptout'), id]).optional(),
    notags: flag.optional(),
    /** Scope of q: names and phones, the words of texts, or both. */
    searchin: z.enum(['both', 'people', 'texts']).default('both'),
    'date-from': z.iso.date().optional(),
    'date-to': z.iso.date().optional(),
  }),
  reply: nextList(
    conversation.extend({
      /** With q: the latest text that holds it. */
      Found: lastMessage.nullable().optional(),
    }),
  ).extend({
    /**
     * With q and without dates: how far back the search went. The page offers to go further when it found
     * few.
     */
    SearchedFrom: moment.nullable().optional(),
    /** With broadcastId: the broadcast's name. */
    BroadcastName: z.string().optional(),
  }),
});

export const getConversation = call({
  method: 'GET',
  path: '/conversations/:ConversationID',
  summary: 'Returns a conversation.',
  allow: 'readConversations',
  params: z.object({ ConversationID: id }),
  reply: conversation,
  errors: ['notFound'],
});

export const createConversation = call({
  method: 'POST',
  path: '/conversations',
  summary:
    'Texts up to 15 phones. Starts a conversation with each, or continues the existing one. Items says what happened to each phone. Fails if no text can be sent.',
  allow: 'createConversation',
  event: 'conversation.created',
  takesIdempotencyKey: true,
  body: z.object({
    TextNumberID: composedTextNumber,
    IncludeSignature: z.boolean().default(false),
    KeepCharacters: keepCharacters,
    LastMessage: z.object({ Contact: recipient, Message: composedMessage, MmsOutboundMedia: composedMedia }),
    /** Those after the first, who is LastMessage.Contact. */
    Contacts: z
      .array(recipient)
      .max(limits.conversationRecipients - 1, composeMessages.tooManyRecipients)
      .default([]),
    /** Author of the text, as in sendTextMessage. */
    UserID: id.optional(),
  }),
  /** The first conversation that a text went out in. */
  reply: conversation.extend({
    TextMessageID: z.number().int(),
    /** In the order they were given. */
    Items: z.array(
      z.object({
        PersonID: z.number().int().nullable(),
        PhoneNumber: z.string(),
        ConversationID: z.number().int().nullable(),
        TextMessageID: z.number().int().nullable(),
        /** Reason why nothing was sent; empty otherwise. */
        Error: z.string(),
      }),
    ),
  }),
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused'],
});

export const listTextMessages = call({
  method: 'GET',
  path: '/conversations/:ConversationID/textmessages',
  summary: 'Lists the texts of a conversation, newest first, 50 per page.',
  allow: 'readConversations',
  params: z.object({ ConversationID: id }),
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(pageSizes.textMessages),
    next: z.string().max(400).optional(),
    /** The page around this text, for those who come from a search. */
    around: id.optional(),
    /** The texts after a page, toward the present: its Previous. */
    previous: z.string().max(400).optional(),
  }),
  reply: nextList(textMessage).extend({
    /** Cursor of the texts after this page; null on the latest page, left out unless older texts were requested. */
    Previous: z.string().nullable().optional(),
  }),
  errors: ['notFound'],
});

export const sendTextMessage = call({
  method: 'POST',
  path: '/conversations/:ConversationID/textmessages',
  summary: 'Sends a text in a conversation.',
  allow: 'replyInConversation',
  event: 'text.sent',
  takesIdempotencyKey: true,
  params: z.object({ ConversationID: id }),
  body: z.object({
    Message: composedMessage,
    MmsOutboundMedia: composedMedia,
    IncludeSignature: z.boolean().default(false),
    KeepCharacters: keepCharacters,
    /** The latest text that the writer has seen: refused as a conflict when somebody else here has answered since. */
    LastTextMessageID: id.optional(),
    /**
     * Author of the text. A text that was queued in a browser is refused if somebody else has signed in there since.
     */
    UserID: id.optional(),
  }),
  reply: textMessage,
  errors: ['notFound', 'refused', 'conflict', 'notEnoughCredits', 'keyReused'],
});

export const viewConversation = call({
  method: 'POST',
  path: '/conversations/:ConversationID/views',
  summary: 'Reports that the user is viewing the conversation, and marks it as read.',
  allow: 'manageConversations',
  event: 'none',
  params: z.object({ ConversationID: id }),
  reply: conversation,
  errors: ['notFound'],
});

export const markConversationUnread = call({
  method: 'POST',
  path: '/conversations/:ConversationID/unread',
  summary: 'Puts a conversation back among the unread.',
  allow: 'manageConversations',
  event: 'conversation.updated',
  params: z.object({ ConversationID: id }),
  reply: conversation,
  errors: ['notFound'],
});

export const conversationLimits = {
  /**
   * Ours: a change of more conversations than this continues in the background, in batches of this size. A
   * batch takes a quarter of a second.
   */
  rowsAtOnce: 5_000,
  /** The same for moves, which write a conversation and two notes for each. */
  movedAtOnce: 1_000,
} as const;

/** The work to watch while a change of many rows continues in the background. Left out when all is done. */
const goesOn = { WorkID: z.number().int().positive().optional() };

/** The properties that can be changed, for one conversation or for many. Only those that are given change. */
const change = z.object({
  IsDone: z.boolean().optional(),
  /** null for nobody. */
  AssignedUserID: id.nullable().optional(),
  /** null wakes it. */
  SnoozedUntil: z.iso.datetime().nullable().optional(),
});
export const nothingToChange = 'Specify at least one change.';
const isSomething = (given: object) => Object.values(given).some((value) => value !== undefined);

export const updateConversation = call({
  method: 'PUT',
  path: '/conversations/:ConversationID',
  summary:
    'Updates a conversation: done, opted in or out, assigned, snoozed, tags. Opting in requires a declaration of consent. UndoID undoes the change.',
  allow: 'manageConversations',
  event: 'conversation.updated',
  params: z.object({ ConversationID: id }),
  body: change
    .extend({
      /** true opts the phone out and moves the conversation out of the list; false opts it in. */
      IsAutoOptOut: z.boolean().optional(),
      UserIndicatedConsentDeclared: z.boolean().optional(),
      /** Removes all tags. */
      notags: z.boolean().optional(),
      TagIDs: tagIds.optional(),
    })
    .refine(isSomething, nothingToChange),
  reply: conversation.and(undoable),
  errors: ['notFound', 'refused'],
});

export const updateConversations = call({
  method: 'PUT',
  path: '/conversations',
  summary: 'Updates selected conversations: done, unread, assigned, snoozed, tags. UndoID undoes the change.',
  allow: 'manageConversations',
  event: 'conversations.changed',
  query: listConversations.query,
  body: z.object({
    Selection: selection,
    Update: change
      .extend({
        IsUnread: z.literal(true).optional(),
        AddTagIDs: tagIds.optional(),
        RemoveTagIDs: tagIds.optional(),
      })
      .refine(isSomething, nothingToChange),
  }),
  reply: undoable.extend({ Size: z.number().int(), ...goesOn }),
  errors: ['notFound', 'refused'],
});

export const moveConversations = call({
  method: 'POST',
  path: '/conversations/selection',
  summary:
    'Moves selected conversations, or one phone, to another text number. Tags, notes and the assignee move along. The old conversations become read-only.',
  allow: 'manageConversations',
  event: 'conversations.changed',
  query: listConversations.query,
  body: z
    .object({
      TextNumberIDFrom: id.optional(),
      TextNumberIDTo: id,
      PhoneNumber: z.string().max(60).optional(),
      Selection: selection.optional(),
    })
    .refine(
      ({ PhoneNumber, TextNumberIDFrom, Selection }) =>
        Selection !== undefined || (PhoneNumber !== undefined && TextNumberIDFrom !== undefined),
      'Send either Selection, or TextNumberIDFrom and PhoneNumber.',
    ),
  reply: z.object({
    Size: z.number().int(),
    /** The conversation that continues the moved one; null after a move of several. */
    ConversationID: z.number().int().nullable(),
    ...goesOn,
  }),
  errors: ['notFound', 'refused'],
});

export const undoConversations = call({
  method: 'POST',
  path: '/conversations/undo/:UndoID',
  summary: 'Undoes a change to conversations. The returned UndoID redoes it.',
  allow: 'manageConversations',
  event: 'conversations.changed',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});

/** Ours: shown below the open conversations, how much the team has done. */
export const listDoneToday = call({
  method: 'GET',
  path: '/conversations/donetoday',
  summary:
    'Returns the last 20 conversations marked done since midnight in the user’s time zone, and the total.',
  allow: 'readConversations',
  query: z.object({ textNumberId: id.optional() }),
  reply: z.object({
    Items: z.array(conversation),
    /** Counted up to a thousand. */
    Size: z.number().int(),
  }),
});

export const getConversationsSummary = call({
  method: 'GET',
  path: '/conversations/summary',
  summary: 'Counts the conversations in each view.',
  allow: 'readConversations',
  query: z.object({ textNumberId: id.optional() }),
  reply: z.object({
    UnreadCount: z.number().int(),
    OpenCount: z.number().int(),
    MineCount: z.number().int(),
    MineUnreadCount: z.number().int(),
    UnassignedCount: z.number().int(),
    SnoozedCount: z.number().int(),
    DoneCount: z.number().int(),
    AutoOptOutCount: z.number().int(),
    /** Ours: open ones whose last texts need no answer. Counted up to a thousand. */
    NoAnswerCount: z.number().int(),
    TextNumbers: z.array(
      z.object({
        TextNumberID: z.number().int(),
        UnreadCount: z.number().int(),
        OpenCount: z.number().int(),
      }),
    ),
  }),
});
