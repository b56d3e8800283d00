import { z } from 'zod';

/**
 * Messages of the socket: ids and kinds, never content. A client that receives one refetches the things it
 * names; one that missed it catches up by refetching after it has reconnected. Events commit with the change
 * that they announce.
 */
export const event = z.discriminatedUnion('type', [
  /** A conversation got a message, was read, marked done …; refetch it and the lists that contain it. */
  z.object({ type: z.literal('conversation.changed'), ConversationID: z.number().int() }),
  /** Somebody looked at a conversation: its unread count and views changed, its texts did not. */
  z.object({ type: z.literal('conversation.read'), ConversationID: z.number().int() }),
  /** Too many conversations changed at once to name them; refetch the lists. */
  z.object({ type: z.literal('conversations.changed') }),
  /** A text's delivery state moved. */
  z.object({
    type: z.literal('message.changed'),
    ConversationID: z.number().int(),
    TextMessageID: z.number().int(),
  }),
  /** Notes of a conversation were written, changed or removed. */
  z.object({ type: z.literal('notes.changed'), ConversationID: z.number().int() }),
  /** The organization's tags changed; refetch them and what shows them. */
  z.object({ type: z.literal('tags.changed') }),
  /** Scheduled texts were written, changed, sent or canceled. */
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
  /** A registration, or the order of a number, made progress. */
  z.object({ type: z.literal('registration.changed') }),
  /** Contacts, groups or consents changed; refetch the lists. */
  z.object({ type: z.literal('contacts.changed') }),
  /** Long work on many rows made progress or ended. */
  z.object({ type: z.literal('work.changed'), WorkID: z.number().int() }),
  /** The stage or the progress of an import changed. */
  z.object({ type: z.literal('file.changed'), FileID: z.number().int() }),
  /** A broadcast changed: its state, its counts, its text. At most about one a second while it sends. */
  z.object({ type: z.literal('broadcast.changed'), BroadcastID: z.number().int() }),
  /** A draft changed: people were added in the background, or its text was merged with them. */
  z.object({ type: z.literal('draft.changed'), DraftBroadcastID: z.number().int() }),
  /** The list of broadcasts changed: one was sent, deleted, archived, or a repeating one failed. */
  z.object({ type: z.literal('broadcasts.changed') }),
  /** The credit balance changed. */
  z.object({ type: z.literal('credits.changed') }),
  /** Webhooks or their deliveries changed. */
  z.object({ type: z.literal('webhooks.changed') }),
  /** Integrations: one was connected or removed, or a sync made progress. */
  z.object({ type: z.literal('integrations.changed') }),
  /** The plan, the card, an invoice, a charge or the refills changed. */
  z.object({ type: z.literal('billing.changed') }),
]);
export type Event = z.output<typeof event>;

/** Messages from the client. */
export const ownPresence = z.object({ ConversationID: z.number().int().positive().nullable() });

/** Messages to the other clients. */
export const presence = z.object({
  ConversationID: z.number().int(),
  UserID: z.number().int(),
  Name: z.string(),
  Kind: z.enum(['viewing', 'typing', 'left']),
});
export type Presence = z.output<typeof presence>;
