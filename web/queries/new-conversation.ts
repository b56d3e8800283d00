import type { createConversation } from '../../contract/addresses/conversations.gen.ts';
import type { Reply } from '../../contract/call.ts';
import type { MediaItem } from '../../contract/media.ts';

/** A contact, or a typed number. */
export interface Recipient {
  PersonID?: number;
  name: string;
  /** As saved or typed. */
  phone: string;
  /** For a contact: the phone that broadcasts use. */
  isPrimary?: boolean;
  hasOptedOut: boolean;
}

/** A text to people with whom there may be no conversation yet. */
export interface NewConversation {
  textNumberId: number;
  recipients: readonly Recipient[];
  text: string;
  pictures: MediaItem[];
  keepsCharacters: boolean;
  hasSignature: boolean;
}

/** Drafts are stored by conversation, and a new conversation has no ID yet. */
export const NEW_CONVERSATION = 0;

export type BegunReply = Reply<typeof createConversation>;

/** `kept`: the conversation list shows it until the server has it. `refused`: it had no effect. */
export type Begun =
  | { result: 'sent'; reply: BegunReply }
  | { result: 'kept' }
  | { result: 'refused'; error: unknown };

/** A recipient as the server takes it. */
export function asContact({ PersonID, name, phone }: Recipient) {
  if (PersonID !== undefined) return { PersonID, PrimaryPhone: phone };
  const [first = '', ...rest] = name.split(' ');
  const names = name === '' ? {} : { FirstName: first.slice(0, 50), LastName: rest.join(' ').slice(0, 50) };
  return { PrimaryPhone: phone, ...names };
}
