import type { Event, Presence } from '../contract/events.ts';

// Fetched once the page is drawn: the socket's own script, and what reads what it brings.
export { io } from 'socket.io-client';

type Fields<T> = T extends unknown ? Exclude<keyof T, 'type'> : never;

/**
 * The fields of each event besides its type, all of them ids. Written out here, and compared with the schemas by a
 * test: those would bring the schema library, a fourth of what a first page loads of its own, to every page.
 */
export const idsOf: { [Type in Event['type']]: readonly Fields<Extract<Event, { type: Type }>>[] } = {
  'conversation.changed': ['ConversationID'],
  'conversation.read': ['ConversationID'],
  'conversations.changed': [],
  'message.changed': ['ConversationID', 'TextMessageID'],
  'notes.changed': ['ConversationID'],
  'tags.changed': [],
  'scheduled.changed': [],
  'replies.changed': [],
  'templates.changed': [],
  'sequences.changed': [],
  'audio.changed': [],
  'settings.changed': [],
  'users.changed': [],
  'apikeys.changed': [],
  'message.received': ['ConversationID', 'TextNumberID', 'TextMessageID'],
  'textnumbers.changed': [],
  'registration.changed': [],
  'contacts.changed': [],
  'work.changed': ['WorkID'],
  'file.changed': ['FileID'],
  'broadcast.changed': ['BroadcastID'],
  'draft.changed': ['DraftBroadcastID'],
  'broadcasts.changed': [],
  'credits.changed': [],
  'webhooks.changed': [],
  'integrations.changed': [],
  'billing.changed': [],
};

/** One or many events as they come off the wire; what a newer server says and we don't know is left out. */
export function readEvents(payload: unknown): Event[] {
  return (Array.isArray(payload) ? payload : [payload]).filter(isEvent);
}

function isEvent(item: unknown): item is Event {
  if (!isObject(item) || typeof item.type !== 'string' || !Object.hasOwn(idsOf, item.type)) return false;
  return idsOf[item.type as Event['type']].every((name) => Number.isInteger(item[name]));
}

const kinds: Record<Presence['Kind'], true> = { viewing: true, typing: true, left: true };

export function readPresence(payload: unknown): Presence | undefined {
  return isPresence(payload) ? payload : undefined;
}

function isPresence(item: unknown): item is Presence {
  return (
    isObject(item) &&
    Number.isInteger(item.ConversationID) &&
    Number.isInteger(item.UserID) &&
    typeof item.Name === 'string' &&
    typeof item.Kind === 'string' &&
    Object.hasOwn(kinds, item.Kind)
  );
}

function isObject(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null;
}
