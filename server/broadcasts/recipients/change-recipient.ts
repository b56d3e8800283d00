import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type {
  addDraftContact as addDefinition,
  DraftContact,
  updateDraftContact as updateDefinition,
} from '../../../contract/draft-recipients.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { refusedNumber } from '../../../contract/states/recipient-problem.ts';
import { getPlace } from '../../consents/queries.ts';
import { findPeople } from '../../conversations/texts/read-recipients.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { lockDraft, recipientsOf, refuseUnlessAllowed } from '../draft/queries.ts';
import { addRecipients, noteChange } from './add-recipients.ts';
import { type GivenPerson, givenCandidates } from './find-candidates.ts';
import { judgeRecipients } from './judge-recipients.ts';
import { recipientRows } from './list-recipients.ts';
import { promoteDuplicates } from './promote-duplicates.ts';

type Body = Input<typeof addDefinition>['body'];

/** Adds one person by hand. Here a number that can't be reached is an error: it is refused and not listed. */
export async function addDraftContact(trx: Trx, actor: Actor, { params, body }: Input<typeof addDefinition>) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  await refuseUnlessAllowed(trx, actor, 'individual');
  const person = await readPerson(trx, actor, body);
  await addRecipients(trx, actor, broadcast_id, { kind: 'typed', people: [person] });
  const { rows } = await sql<{ id: number }>`
    select max(r.recipient_id) as id from broadcast_recipients r
    where ${recipientsOf(actor.accountId, broadcast_id)}`.execute(trx);
  return requireGood(trx, actor, broadcast_id, rows[0]?.id ?? 0);
}

/**
 * Changes somebody in the draft only. From then on they are no longer linked to their contact, because texts are merged
 * with the contact's values if there is one. With another number they are judged again.
 */
export async function updateDraftContact(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  const { accountId } = actor;
  const [before] = await recipientRows(trx, actor, broadcast_id, [body.RecipientID]);
  if (before === undefined) throw new Refusal('notFound', 'That recipient is no longer in the draft.');
  const person = await readPerson(trx, actor, body);
  const own = sql`${recipientsOf(accountId, broadcast_id)} and r.recipient_id = ${body.RecipientID}`;
  const { rows } = await sql<{ phone: string | null; source_id: number | null }>`
    select r.phone, r.source_id from broadcast_recipients r where ${own}`.execute(trx);
  const [row] = rows;
  if (row?.phone === person.phone) {
    await sql`
      update broadcast_recipients r set person_id = null, first_name = ${person.firstName}, last_name = ${person.lastName},
        custom_data = ${JSON.stringify(person.customData)}::jsonb
      where ${own}`.execute(trx);
    await noteChange(trx, accountId, broadcast_id);
    const [after] = await recipientRows(trx, actor, broadcast_id, [body.RecipientID]);
    return after as DraftContact;
  }
  // A different number counts as typed.
  await refuseUnlessAllowed(trx, actor, 'individual');
  await sql`delete from broadcast_recipients r where ${own}`.execute(trx);
  await promoteDuplicates(trx, accountId, broadcast_id);
  const candidate = givenCandidates([person], row?.source_id ?? null, body.RecipientID);
  await judgeRecipients(trx, accountId, broadcast_id, { candidates: candidate, ids: 'kept' });
  await noteChange(trx, accountId, broadcast_id);
  return requireGood(trx, actor, broadcast_id, body.RecipientID);
}

/** The recipient, if a text would reach them; otherwise the call is rolled back. */
async function requireGood(trx: Trx, actor: Actor, broadcastId: number, id: number): Promise<DraftContact> {
  const [recipient] = await recipientRows(trx, actor, broadcastId, [id]);
  if (recipient === undefined) throw new Error(`recipient ${id} was not added`);
  if (recipient.Problem === null) return recipient;
  const { countryId } = await getPlace(trx, actor);
  throw refuseField('PrimaryPhone', refusedNumber(recipient.Problem, countryId));
}

/** The typed values. The contact's names are used where none were typed. */
async function readPerson(trx: Trx, actor: Actor, body: Body): Promise<GivenPerson> {
  const { countryId } = await getPlace(trx, actor);
  const { phone, error } = validatePhone(body.PrimaryPhone, countryId);
  if (phone === undefined) throw refuseField('PrimaryPhone', error);
  const contact =
    body.PersonID === undefined
      ? undefined
      : (await findPeople(trx, actor, [body.PersonID])).get(body.PersonID);
  if (body.PersonID !== undefined && contact === undefined) {
    throw new Refusal('notFound', 'That contact is no longer here.');
  }
  const hasName = body.FirstName !== '' || body.LastName !== '';
  return {
    personId: body.PersonID,
    firstName: hasName ? body.FirstName : (contact?.firstName ?? ''),
    lastName: hasName ? body.LastName : (contact?.lastName ?? ''),
    phone,
    typed: body.PrimaryPhone,
    customData: body.CustomData,
  };
}
