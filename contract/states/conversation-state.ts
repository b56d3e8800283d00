import { formatPhone } from '../phone/format-phone.ts';
import { say } from '../say.ts';

export interface ConversationState {
  IsDone: boolean;
  IsAutoOptOut: boolean;
  OptedIn: boolean;
  OptedOut: boolean;
  UnreadCount: number;
  LastMessage: { IsInbound: boolean } | null;
}

/**
 * A conversation is unread when UnreadCount is above zero and it is not done; an inbound last message with no
 * unread count and not done also counts as unread. "No unread count" is a missing one (null), not a zero:
 * zero says that the message was read.
 */
export function isUnread({
  IsDone,
  UnreadCount,
  LastMessage,
}: {
  IsDone: boolean;
  UnreadCount: number | null | undefined;
  LastMessage: { IsInbound: boolean } | null;
}): boolean {
  if (IsDone) return false;
  if (UnreadCount === null || UnreadCount === undefined) return LastMessage?.IsInbound === true;
  return UnreadCount > 0;
}

export type ConversationEvent =
  | { type: 'incoming'; word?: 'stop' | 'unstop' | 'help' | 'join' | undefined }
  | { type: 'outgoing' }
  | { type: 'read' }
  | { type: 'mark unread' }
  | { type: 'done' }
  | { type: 'not done' }
  | { type: 'auto opt-out' };

/**
 * Applies an event to a conversation. Unread counts rise on incoming messages and fall when read. Stop sets
 * opted-out, Unstop clears it, Join Everyone opts in, Auto Opt-out moves the conversation out of the main list. Ours:
 * an incoming message opens a conversation that was done and brings one back that was moved out; a Stop waits for
 * nobody, so it doesn't count as unread and moves out of the list, unless an unread question before it would go
 * unseen with it.
 */
export function afterConversationEvent<State extends ConversationState>(
  state: State,
  event: ConversationEvent,
): State {
  switch (event.type) {
    case 'incoming':
      return afterIncoming(state, event.word);
    case 'outgoing':
      return {
        ...state,
        IsDone: false,
        UnreadCount: 0,
        LastMessage: { ...state.LastMessage, IsInbound: false },
      };
    case 'read':
      return { ...state, UnreadCount: 0 };
    case 'mark unread':
      return { ...state, IsDone: false, UnreadCount: Math.max(1, state.UnreadCount) };
    case 'done':
      return { ...state, IsDone: true };
    case 'not done':
      return { ...state, IsDone: false };
    case 'auto opt-out':
      return { ...state, IsAutoOptOut: true, OptedOut: true };
  }
}

function afterIncoming<State extends ConversationState>(
  state: State,
  word: 'stop' | 'unstop' | 'help' | 'join' | undefined,
): State {
  const heard = { ...state, LastMessage: { ...state.LastMessage, IsInbound: true } };
  if (word === 'stop') {
    return {
      ...heard,
      OptedOut: true,
      OptedIn: false,
      IsAutoOptOut: state.IsAutoOptOut || state.UnreadCount === 0,
    };
  }
  const open = { ...heard, IsDone: false, IsAutoOptOut: false, UnreadCount: state.UnreadCount + 1 };
  if (word === 'unstop' || word === 'join') return { ...open, OptedIn: true, OptedOut: false };
  return open;
}

export interface InboxView {
  isDone?: boolean;
  isAutoOptOuts?: boolean;
  /** Set when the inbox shows the replies to one broadcast; its name may not be loaded yet. */
  broadcast?: { BroadcastName?: string | undefined };
  textNumber?: { Name?: string | undefined; TextPhoneNumber: string };
}

/** Inbox title rules, in order: Done; Auto Opt-Outs; the broadcast name (fallback Broadcast); the text number name or number; otherwise Inbox. */
export function inboxTitle({ isDone, isAutoOptOuts, broadcast, textNumber }: InboxView): string {
  if (isDone) return say('Done', 'conversations');
  if (isAutoOptOuts) return 'Auto Opt-Outs';
  if (broadcast) return broadcast.BroadcastName || say('Broadcast');
  if (textNumber) return textNumber.Name || formatPhone(textNumber.TextPhoneNumber);
  return say('Inbox');
}

export const noTextNumbersTitle = "You currently don't have access to any text numbers.";
