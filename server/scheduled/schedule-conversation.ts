import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import { limits } from '../../contract/reference/limits.ts';
import {
  type scheduleConversation as definition,
  scheduleDaysAhead,
  type updateScheduledConversation as updateDefinition,
} from '../../contract/scheduled.ts';
import { startDateMessages } from '../../contract/time/start-date.ts';
import { dayMs } from '../../contract/time/wall-clock.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { may, refuseUnless } from '../access/refuse-unless.ts';
import { now, nowMs } from '../clock.ts';
import {
  type Addressee,
  draftTexts,
  findPeople,
  readRecipients,
} from '../conversations/texts/read-recipients.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { refuseUnlessTextableMedia } from '../media/queries.ts';
import { notify } from '../notify.ts';
import { requireTextNumber } from '../numbers/queries.ts';
import { refuseUnlessCanText, refuseUnlessTakesPictures } from '../numbers/rules.ts';
import type { Actor } from '../serve.ts';
import { judgeTexts } from '../texts/judge-texts.ts';
import { getScheduled, requireWaiting } from './queries.ts';

export async function scheduleConversation(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const writer = await requireWriter(trx, actor, body.User?.UserID ?? actor.userId);
  await refuseUnlessTextableMedia(trx, actor, mediaIdsOf(body), 'Media');
  const addressees = await readWritten(trx, writer, body);
  const { scheduled_id } = await trx
    .insertInto('scheduled_conversations')
    .values({ account_id: actor.accountId, user_id: writer.userId, ...columnsOf(body) })
    .returning('scheduled_id')
    .executeTakeFirstOrThrow();
  return keep(trx, actor, scheduled_id, { addressees, startDate: body.StartDate });
}

/**
 * A user of the number may change a scheduled text. It is then sent in their own name; an admin's change
 * keeps the original name.
 */
export async function updateScheduledConversation(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const waiting = await requireWaiting(trx, actor, params.ScheduledConversationID);
  const writer = await requireWriter(
    trx,
    actor,
    may(actor, 'scheduleForOthers') ? waiting.user_id : actor.userId,
  );
  await refuseUnlessTextableMedia(trx, actor, mediaIdsOf(body), 'Media');
  const addressees = await readWritten(trx, writer, body);
  await trx
    .updateTable('scheduled_conversations')
    .set({
      user_id: writer.userId,
      ...columnsOf(body),
      attempts: 0,
      retry_at: null,
      updated_at: sql`now()`,
    })
    .where('account_id', '=', actor.accountId)
    .where('scheduled_id', '=', waiting.scheduled_id)
    .execute();
  await trx
    .deleteFrom('scheduled_recipients')
    .where('account_id', '=', actor.accountId)
    .where('scheduled_id', '=', waiting.scheduled_id)
    .execute();
  return keep(trx, actor, waiting.scheduled_id, { addressees, startDate: body.StartDate });
}

type Written = Input<typeof updateDefinition>['body'];

function mediaIdsOf(body: Written): number[] {
  return body.Media.map((item) => item.MediaID);
}

function columnsOf(body: Written) {
  return {
    text_number_id: body.TextNumberID,
    body: body.TextMessage,
    media_ids: mediaIdsOf(body),
    include_signature: body.IncludeSignature,
    keep_characters: body.KeepCharacters,
    start_at: body.StartDate,
  };
}

async function keep(
  trx: Trx,
  actor: Actor,
  scheduledId: number,
  { addressees, startDate }: { addressees: Addressee[]; startDate: string },
) {
  const column = <T>(pick: (one: Addressee) => T) => addressees.map(pick);
  await sql`
    insert into scheduled_recipients
      (account_id, scheduled_id, position, person_id, phone, first_name, last_name, body)
    select ${actor.accountId}::bigint, ${scheduledId}::bigint, position, person_id, phone, first_name, last_name, body
    from unnest(
      ${column((one) => one.personId)}::bigint[], ${column((one) => one.phone)}::text[],
      ${column((one) => one.firstName)}::text[], ${column((one) => one.lastName)}::text[],
      ${column((one) => one.ownText)}::text[]
    ) with ordinality as r(person_id, phone, first_name, last_name, body, position)`.execute(trx);
  await enqueue(
    trx,
    'send_scheduled',
    {},
    { runAt: new Date(startDate), key: `send_scheduled ${actor.accountId} ${scheduledId}` },
  );
  await notify(trx, actor.accountId, [{ type: 'scheduled.changed' }]);
  return getScheduled(trx, actor, scheduledId);
}

/** The user in whose name it is sent: the actor, or for admins any active user. */
async function requireWriter(trx: Trx, actor: Actor, userId: number): Promise<Actor> {
  if (userId === actor.userId) return actor;
  refuseUnless(actor, 'scheduleForOthers');
  const writer = await findActiveActor(trx, actor.accountId, userId);
  if (writer === undefined) throw new Refusal('notFound', 'That user is no longer here.');
  return writer;
}

/** Checks a scheduled text with all current data. Refuses it if nobody could get it. */
async function readWritten(trx: Trx, writer: Actor, body: Written): Promise<Addressee[]> {
  refuseUnlessAhead(body.StartDate);
  const number = await requireTextNumber(trx, writer, body.TextNumberID);
  refuseUnlessCanText(number, now());
  refuseUnlessTakesPictures(number, mediaIdsOf(body));
  const addressees = await readAddressees(trx, writer, body);
  const judged = await judgeTexts(trx, writer, {
    drafts: await draftTexts(trx, writer, addressees, body.TextMessage),
    includeSignature: body.IncludeSignature,
    keepCharacters: body.KeepCharacters,
    hasMedia: body.Media.length > 0,
    flatRateStatus: number.flat_rate_status,
    asksForLine: true,
  });
  const blocked = judged.find(({ fault }) => fault === 'account');
  if (blocked !== undefined) throw new Refusal('forbidden', blocked.error);
  const texts = judged.filter(({ draft }) => draft.message !== '');
  const faulty = texts.find(({ fault }) => fault === 'text');
  if (faulty !== undefined) throw refuseField('TextMessage', faulty.error);
  if (judged.every(({ fault }) => fault === 'phone')) {
    throw new Refusal('refused', judged[0]?.error, {
      fields: judged.map(({ error }, index) => ({ Field: `Contacts.${index}.PrimaryPhone`, Message: error })),
    });
  }
  return addressees;
}

function refuseUnlessAhead(startDate: string): void {
  const startMs = Date.parse(startDate);
  if (startMs < nowMs()) throw refuseField('StartDate', startDateMessages.past);
  if (startMs > nowMs() + scheduleDaysAhead * dayMs) throw refuseField('StartDate', startDateMessages.tooFar);
}

async function readAddressees(trx: Trx, writer: Actor, body: Written): Promise<Addressee[]> {
  const recipients = await readRecipients(trx, writer, body.Contacts);
  const fields = recipients.flatMap(({ problem }, index) =>
    problem === undefined ? [] : [{ Field: `Contacts.${index}.PrimaryPhone`, Message: problem.error }],
  );
  if (fields.length > 0) throw new Refusal('invalid', fields[0]?.Message, { fields });
  const people = await findPeople(
    trx,
    writer,
    recipients.flatMap(({ personId }) => personId ?? []),
  );
  // By phone, so that a second phone that is another contact's first is included once.
  const found = new Map<string, Addressee>();
  for (const { phone = '', firstName, lastName, ownText, personId } of recipients) {
    const person = personId === null ? undefined : people.get(personId);
    found.set(phone, {
      firstName,
      lastName,
      ...namesOf(person),
      phone,
      ownText,
      personId: person ? personId : null,
    });
  }
  for (const first of body.PrimaryPhoneNumbersOnly ? [] : [...found.values()]) {
    for (const phone of people.get(first.personId ?? 0)?.otherPhones ?? []) {
      if (!found.has(phone)) found.set(phone, { ...first, phone });
    }
  }
  if (found.size > limits.conversationRecipients) {
    throw refuseField('Contacts', composeMessages.tooManyRecipients);
  }
  return [...found.values()];
}

function namesOf(person: { firstName: string; lastName: string } | undefined) {
  return person === undefined ? {} : { firstName: person.firstName, lastName: person.lastName };
}
