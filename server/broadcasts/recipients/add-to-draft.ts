import type { Input } from '../../../contract/call.ts';
import type * as calls from '../../../contract/draft-recipients.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { splitName } from '../../../contract/forms/pasted-contacts.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { getPlace } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import { choiceOf, refuseUnlessStage, requireFile } from '../../imports/queries.ts';
import { consentRequired } from '../../imports/rules.ts';
import type { Actor } from '../../serve.ts';
import { lockDraft, refuseUnlessAllowed } from '../draft/queries.ts';
import { addRecipients } from './add-recipients.ts';
import { beginWithPeople } from './begin-with-people.ts';

/** Pasted numbers. An invalid one is listed as it was pasted; empty lines are skipped. */
export async function addDraftNumbers(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.addDraftNumbers>,
) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  await refuseUnlessAllowed(trx, actor, 'paste');
  const { countryId } = await getPlace(trx, actor);
  const people = body.Items.filter(({ PrimaryPhone }) => PrimaryPhone.trim() !== '').map((item) => {
    const name = splitName(item.Name.replace(/\p{C}/gu, ' '));
    return {
      firstName: name.FirstName.slice(0, limits.contactName),
      lastName: name.LastName.slice(0, limits.contactName),
      phone: validatePhone(item.PrimaryPhone, countryId).phone ?? null,
      typed: item.PrimaryPhone.trim(),
    };
  });
  if (people.length === 0) throw refuseField('Items', 'Please add a phone number');
  return addRecipients(trx, actor, broadcast_id, { kind: 'pasted', people });
}

export async function addDraftLists(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.addDraftLists>,
) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  const listIds = await chosenLists(trx, actor, body.Selection);
  return addRecipients(trx, actor, broadcast_id, { kind: 'lists', listIds });
}

export async function listsToNewDraft(trx: Trx, actor: Actor, { body }: Input<typeof calls.listsToNewDraft>) {
  const listIds = await chosenLists(trx, actor, body.Selection);
  return beginWithPeople(trx, actor, { kind: 'lists', listIds });
}

type ListSelection = Input<typeof calls.listsToNewDraft>['body']['Selection'];

async function chosenLists(trx: Trx, actor: Actor, selection: ListSelection): Promise<number[]> {
  const listed = [...new Set(selection.Items.map(({ ListID }) => ListID))];
  const listIds = selection.Type === 'Selected' ? listed : await otherLists(trx, actor, listed);
  if (listIds.length === 0) throw new Refusal('refused', 'Please select at least one group.');
  return listIds;
}

/** All groups and segments except these. */
async function otherLists(trx: Trx, actor: Actor, listIds: number[]): Promise<number[]> {
  const groups = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .orderBy('group_id')
    .execute();
  return groups.map(({ group_id }) => group_id).filter((groupId) => !listIds.includes(groupId));
}

/** The rows of a file that was reviewed. They don't become contacts. */
export async function addDraftFile(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.addDraftFile>,
) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  if (!body.UserIndicatedConsentDeclared) throw refuseField('UserIndicatedConsentDeclared', consentRequired);
  const file = await requireFile(trx, actor, body.FileID, 'lock');
  refuseUnlessStage(file, ['review', 'imported']);
  if (choiceOf(file) === null || file.is_cleared) throw new Refusal('notFound');
  return addRecipients(trx, actor, broadcast_id, {
    kind: 'file',
    fileId: body.FileID,
    address: actor.address,
  });
}

export async function contactsToDraft(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof calls.contactsToDraft>,
) {
  const { broadcast_id } = await lockDraft(trx, actor, params.DraftBroadcastID);
  const chosen = { listId: params.ListID, query, selection: body.Selection };
  return addRecipients(trx, actor, broadcast_id, { kind: 'contacts', ...chosen });
}

export async function contactsToNewDraft(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof calls.contactsToNewDraft>,
) {
  const chosen = { listId: params.ListID, query, selection: body.Selection };
  return beginWithPeople(trx, actor, { kind: 'contacts', ...chosen });
}
