import type { Conversation } from '../../contract/conversations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { fullName } from '../queries/current-user.ts';
import { say } from '../ui/say.ts';

/** The contact's name, or the number if there is none. */
export function personName(
  conversation: Pick<Conversation, 'FirstName' | 'LastName' | 'PhoneNumber'>,
): string {
  return fullName(conversation) || formatPhone(conversation.PhoneNumber);
}

/** The last text, or "Picture". */
export function snippet(last: Conversation['LastMessage']): string {
  if (!last) return '';
  return last.Message || (last.HasMedia ? say('Picture') : '');
}
