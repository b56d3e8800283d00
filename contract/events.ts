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
  /** Text numbers or who may use them changed. */
  z.object({ type: z.literal('textnumbers.changed') }),
  /** Contacts, groups or what phones have allowed changed; refetch the lists. */
  z.object({ type: z.literal('contacts.changed') }),
  /** Long work on many rows moved on or ended. */
  z.object({ type: z.literal('work.changed'), WorkID: z.number().int() }),
  /** A file that is read in moved on: its stage or its progress. */
  z.object({ type: z.literal('file.changed'), FileID: z.number().int() }),
  /** The credit balance changed. */
  z.object({ type: z.literal('credits.changed') }),
]);
export type Event = z.output<typeof event>;

/** The name under which events travel on the socket. */
export const eventName = 'muster';

/** The specification's figures for the client's side of the socket. */
export const socketLimits = {
  reconnectionAttempts: 6,
  reconnectionDelayMs: 15_000,
  reconnectionDelayMaxMs: 6_000,
  /** After the server closed the socket: 2^n seconds plus one to two seconds of jitter, at most this. */
  serverDisconnectMaxMs: 60_000,
  /** How often the lists are fetched while there is no socket. Ours. */
  pollMs: 5_000,
} as const;
