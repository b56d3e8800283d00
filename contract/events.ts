import { z } from 'zod';

/**
 * What the socket says: ids and kinds, never content. A client that hears one refetches what it
 * names; one that missed it catches up by refetching after the reconnect. Events commit with the
 * change they speak of.
 */
export const event = z.discriminatedUnion('type', [
  /** A conversation got a message, was read, marked done …; refetch it and the lists it stands in. */
  z.object({ type: z.literal('conversation.changed'), ConversationID: z.number().int() }),
  /** Somebody looked at a conversation: its texts are the same, its unread count and views are not. */
  z.object({ type: z.literal('conversation.read'), ConversationID: z.number().int() }),
  /** So many conversations changed at once that naming them is no use; refetch the lists. */
  z.object({ type: z.literal('conversations.changed') }),
  /** A text's delivery state moved. */
  z.object({
    type: z.literal('message.changed'),
    ConversationID: z.number().int(),
    TextMessageID: z.number().int(),
  }),
  /** Notes of a conversation were written, changed or taken out. */
  z.object({ type: z.literal('notes.changed'), ConversationID: z.number().int() }),
  /** The organization's tags changed; refetch them and what shows them. */
  z.object({ type: z.literal('tags.changed') }),
  /** Texts for later were written, changed, sent or canceled. */
  z.object({ type: z.literal('scheduled.changed') }),
  /** Auto replies or keywords changed. */
  z.object({ type: z.literal('replies.changed') }),
  /** Saved texts changed. */
  z.object({ type: z.literal('templates.changed') }),
  z.object({ type: z.literal('sequences.changed') }),
  /** Recordings of the audio library changed. */
  z.object({ type: z.literal('audio.changed') }),
  /** The organization's or a user's own settings changed. */
  z.object({ type: z.literal('settings.changed') }),
  /** Users were added, changed, activated or deactivated. */
  z.object({ type: z.literal('users.changed') }),
  /** API keys were made, changed, revoked, or tried from a wrong address. */
  z.object({ type: z.literal('apikeys.changed') }),
  /** An inbound text that a page may ring for. Which numbers ring is each user's own setting. */
  z.object({
    type: z.literal('message.received'),
    ConversationID: z.number().int(),
    TextNumberID: z.number().int(),
    TextMessageID: z.number().int(),
  }),
  /** Text numbers or who may use them changed. */
  z.object({ type: z.literal('textnumbers.changed') }),
  /** A registration, or an order of a number, moved on. */
  z.object({ type: z.literal('registration.changed') }),
  /** Contacts, groups or what phones have allowed changed; refetch the lists. */
  z.object({ type: z.literal('contacts.changed') }),
  /** Long work on many rows moved on or ended. */
  z.object({ type: z.literal('work.changed'), WorkID: z.number().int() }),
  /** A file that is read in moved on: its stage or its progress. */
  z.object({ type: z.literal('file.changed'), FileID: z.number().int() }),
  /** A broadcast changed: its state, its counts, its text. At most about one a second while it sends. */
  z.object({ type: z.literal('broadcast.changed'), BroadcastID: z.number().int() }),
  /** A draft changed: people were added in the background, or its text was merged with them. */
  z.object({ type: z.literal('draft.changed'), DraftBroadcastID: z.number().int() }),
  /** The list of broadcasts changed: one was sent, deleted, archived, or a repeating one failed. */
  z.object({ type: z.literal('broadcasts.changed') }),
  /** The credit balance changed. */
  z.object({ type: z.literal('credits.changed') }),
  /** Webhooks, or what was posted to them. */
  z.object({ type: z.literal('webhooks.changed') }),
  /** Integrations: connected, removed, or a sync moved on. */
  z.object({ type: z.literal('integrations.changed') }),
  /** The plan, the card, an invoice, a charge or the refills changed. */
  z.object({ type: z.literal('billing.changed') }),
]);
export type Event = z.output<typeof event>;

/** What the client says. */
export const ownPresence = z.object({ ConversationID: z.number().int().positive().nullable() });

/** What the others hear. */
export const presence = z.object({
  ConversationID: z.number().int(),
  UserID: z.number().int(),
  Name: z.string(),
  Kind: z.enum(['viewing', 'typing', 'left']),
});
export type Presence = z.output<typeof presence>;
