import type { Conversation } from '../../contract/conversations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { fullName } from '../queries/current-user.ts';

/** Who a conversation is with: the name, or the number when there is none. */
export function personName(
  conversation: Pick<Conversation, 'FirstName' | 'LastName' | 'PhoneNumber'>,
): string {
  return fullName(conversation) || formatPhone(conversation.PhoneNumber);
}

/** The last words, or what stands for them. */
export function snippet(last: Conversation['LastMessage']): string {
  if (!last) return '';
  return last.Message || (last.HasMedia ? 'Picture' : '');
}
