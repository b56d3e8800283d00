import type { QueryClient } from '@tanstack/react-query';
import {
  createConversation,
  getConversationsSummary,
  listConversations,
  listTextMessages,
} from '../../../contract/addresses/conversations.gen.ts';
import type { CallInput } from '../../../contract/call.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { type CallOptions, callApi, fieldMessages } from '../../api.ts';
import { asContact, type BegunReply, type Recipient } from '../../queries/new-conversation.ts';
import type { OutboxEntry, Posted } from './outbox.ts';

export type Beginning = OutboxEntry & { begins: NonNullable<OutboxEntry['begins']> };

export function isBeginning(entry: OutboxEntry): entry is Beginning {
  return entry.begins !== undefined;
}

export function beginningBody(
  { begins, text, pictures, hasSignature, keepsCharacters }: Beginning,
  userId: number,
): CallInput<typeof createConversation>['body'] {
  const [Contact = { PrimaryPhone: '' }, ...Contacts] = begins.recipients.map(asContact);
  return {
    TextNumberID: begins.textNumberId,
    IncludeSignature: hasSignature,
    KeepCharacters: keepsCharacters ?? false,
    LastMessage: {
      Contact,
      Message: text,
      MmsOutboundMedia: pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
    },
    Contacts,
    UserID: userId,
  };
}

/** Throws when it isn't answered, or refused. */
export async function postBeginning(
  client: QueryClient,
  entry: Beginning,
  userId: number,
  options: CallOptions & { missing: 'refuse' },
): Promise<Posted> {
  const reply = await callApi(createConversation, { body: beginningBody(entry, userId) }, options);
  // The socket reports the same; this covers a lost connection.
  for (const { path } of [listConversations, getConversationsSummary, listTextMessages])
    void client.invalidateQueries({ queryKey: [path] });
  return begunBy(entry, reply);
}

/** Whoever didn't get it stays in the outbox, with the reason. */
export function begunBy({ begins }: Beginning, reply: BegunReply): Posted {
  const left = begins.recipients.filter((_, index) => reply.Items[index]?.Error);
  if (left.length === 0) return { result: 'sent', reply };
  const reasons = reply.Items.flatMap(({ Error: error }, index) => {
    const recipient = begins.recipients[index];
    return error === '' || !recipient ? [] : [`${labelOf(recipient)}: ${error}`];
  });
  return { result: 'partly', reply, begins: { ...begins, recipients: left }, reason: reasons.join('\n') };
}

/** The server's sentences about single recipients, each once; otherwise empty. */
export function beginningFailure(error: unknown): string {
  return [...new Set(Object.values(fieldMessages(error)))].join('\n');
}

export function labelOf({ name, phone }: Recipient): string {
  return name || formatPhone(phone);
}
