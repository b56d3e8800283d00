import type { Input } from '../../../contract/call.ts';
import type { createConversation as definition } from '../../../contract/conversations.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessTextableMedia } from '../../media/queries.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { requireConversation } from '../queries.ts';
import { type ReadRecipient, readRecipients } from './read-recipients.ts';
import { refuseUnlessWriter } from './send-text-message.ts';
import { type SentTo, sendToRecipients } from './send-to-recipients.ts';

export async function createConversation(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  refuseUnlessWriter(actor, body);
  const { Contact, Message, MmsOutboundMedia } = body.LastMessage;
  const recipients = await readRecipients(trx, actor, [Contact, ...body.Contacts]);
  const mediaIds = MmsOutboundMedia.map((item) => item.MediaID);
  await refuseUnlessTextableMedia(trx, actor, mediaIds, 'MmsOutboundMedia');
  const addressees = recipients.flatMap((one) => (one.problem === undefined ? [one] : []));
  const sent = await sendToRecipients(trx, actor, {
    addressees,
    textNumberId: body.TextNumberID,
    message: Message,
    mediaIds,
    includeSignature: body.IncludeSignature,
    keepCharacters: body.KeepCharacters,
  });
  const sentTo = new Map<ReadRecipient, SentTo>(sent.map((outcome) => [outcome.to, outcome]));
  const outcomes = recipients.map((one) => ({ one, ...outcomeOf(one, sentTo.get(one)) }));
  const first = outcomes.find((outcome) => outcome.messageId !== null);
  if (first?.conversationId == null || first.messageId === null) throw refusalOf(actor, outcomes);
  const ids = outcomes.flatMap(({ conversationId }) => conversationId ?? []);
  if (ids.length > 1) await recordEvents(trx, actor, [{ kind: 'conversation.created', ids }]);
  const conversation = await requireConversation(trx, actor, first.conversationId);
  return {
    ...conversation,
    TextMessageID: first.messageId,
    Items: outcomes.map((outcome) => toItem(actor, outcome)),
  };
}

type Outcome = SentTo & { one: ReadRecipient };

function outcomeOf({ problem }: ReadRecipient, sent: SentTo | undefined): SentTo {
  if (problem === undefined && sent !== undefined) return sent;
  return { conversationId: null, messageId: null, error: problem?.error ?? '', fault: 'phone' };
}

function toItem(actor: Actor, { one, conversationId, messageId, error }: Outcome) {
  return {
    PersonID: one.personId,
    PhoneNumber: one.phone === undefined ? one.typed : wirePhone(one.phone, actor.account.CountryID),
    ConversationID: conversationId,
    TextMessageID: messageId,
    Error: error,
  };
}

/**
 * Nothing could be sent. The error is about the common text, or about each recipient's number, at its place.
 */
function refusalOf(actor: Actor, outcomes: Outcome[]): Refusal {
  const [first] = outcomes;
  if (outcomes.every(({ fault }) => fault === 'text')) return refuseField('Message', first?.error ?? '');
  const fieldOf = (index: number) =>
    index === 0 ? 'LastMessage.Contact.PrimaryPhone' : `Contacts.${index - 1}.PrimaryPhone`;
  if (outcomes.length === 1 && first?.one.problem !== undefined) return refuseField(fieldOf(0), first.error);
  if (outcomes.length === 1) return new Refusal('refused', first?.error);
  return new Refusal('refused', first?.error, {
    fields: outcomes.map(({ error }, index) => ({ Field: fieldOf(index), Message: error })),
    extendedData: { Items: outcomes.map((outcome) => toItem(actor, outcome)) },
  });
}
