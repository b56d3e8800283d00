import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { asynchronousMessages } from '../../../contract/fields/asynchronous-checks.ts';
import { groupForm } from '../../../contract/forms/contact.ts';
import { phoneListIdField } from '../../../contract/forms/phone-launch.ts';
import type {
  addList as addDefinition,
  deleteList as deleteDefinition,
  Segment,
  updateList as updateDefinition,
} from '../../../contract/lists.ts';
import { isUniqueViolation, type Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { changeOrWork } from '../change/change-selection.ts';
import { lockContacts } from '../lock-contacts.ts';
import { groupNameTaken, systemGroupNames } from './find-or-create-groups.ts';
import { getList } from './list-lists.ts';
import { requireSegmentParts } from './segment-condition.ts';

export async function addList(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  await lockContacts(trx, actor.accountId);
  const name = await readGroupName(trx, actor, body.ListName, null);
  const phoneListId = await readPhoneListId(trx, actor, body.PhoneListID, null);
  if (body.Segment !== null) await requireSegmentParts(trx, actor.accountId, body.Segment);
  // An import creates groups without the lock: the index decides.
  const made = await trx
    .insertInto('groups')
    .values({
      account_id: actor.accountId,
      name,
      color: body.Color,
      segment: body.Segment === null ? null : JSON.stringify(body.Segment),
      phone_list_id: phoneListId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('group_id')
    .executeTakeFirst();
  if (made === undefined) throw refuseField('ListName', groupNameTaken);
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return getList(trx, actor, made.group_id);
}

export async function updateList(trx: Trx, actor: Actor, { params, body }: Input<typeof updateDefinition>) {
  await lockContacts(trx, actor.accountId);
  const group = await requireGroup(trx, actor, params.ListID);
  const name = await readGroupName(trx, actor, body.ListName, params.ListID);
  const phoneListId =
    body.PhoneListID === undefined
      ? undefined
      : await readPhoneListId(trx, actor, body.PhoneListID, params.ListID);
  const segment = await readSegment(trx, actor, group.segment as Segment | null, body.Segment);
  try {
    await trx
      .updateTable('groups')
      .set({
        name,
        ...(body.Color === undefined ? {} : { color: body.Color }),
        ...(segment === undefined ? {} : { segment: JSON.stringify(segment) }),
        ...(phoneListId === undefined ? {} : { phone_list_id: phoneListId }),
      })
      .where('account_id', '=', actor.accountId)
      .where('group_id', '=', params.ListID)
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw refuseField('ListName', groupNameTaken);
    throw error;
  }
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return getList(trx, actor, params.ListID);
}

/** A group with members can't become a segment, nor the other way around: it would lose its members or conditions. */
async function readSegment(
  trx: Trx,
  actor: Actor,
  current: Segment | null,
  given: Segment | null | undefined,
): Promise<Segment | undefined> {
  if (given === undefined || (given === null && current === null)) return undefined;
  if (given === null || current === null) {
    throw new Refusal('refused', 'A group can’t become a segment, or a segment a group.');
  }
  await requireSegmentParts(trx, actor.accountId, given);
  return given;
}

/** Its contacts stay. If they are many, they leave the group in the background. */
export async function deleteList(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  await lockContacts(trx, actor.accountId);
  await requireGroup(trx, actor, params.ListID);
  await sql`update groups set deleted_at = now()
    where account_id = ${actor.accountId} and group_id = ${params.ListID}`.execute(trx);
  const { UndoID } = await changeOrWork(
    trx,
    actor,
    { change: { kind: 'leave', groupId: params.ListID }, from: { membersOf: params.ListID } },
    { group: { groupId: params.ListID, isDeleted: false } },
  );
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return { UndoID };
}

/** A group of the account; nobody can change Everyone, Unfiled and Deleted. */
async function requireGroup(trx: Trx, actor: Actor, listId: number) {
  if (listId <= 0) {
    throw new Refusal('refused', 'Everyone, Unfiled and Deleted always exist and can’t be changed.');
  }
  const group = await trx
    .selectFrom('groups')
    .select(['kind', 'segment'])
    .where('account_id', '=', actor.accountId)
    .where('group_id', '=', listId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('notFound', 'That group is no longer here.');
  if (group.kind === 'System') throw new Refusal('refused', 'This group can’t be changed.');
  return group;
}

async function readGroupName(trx: Trx, actor: Actor, typed: string, ownId: number | null): Promise<string> {
  const others = await trx
    .selectFrom('groups')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .where('group_id', '<>', ownId ?? 0)
    .execute();
  const existing = [...systemGroupNames, ...others.map(({ name }) => name)];
  const parsed = groupForm({ existing }).safeParse({ ListName: typed });
  if (!parsed.success) throw refuseField('ListName', parsed.error.issues[0]?.message ?? groupNameTaken);
  return parsed.data.ListName;
}

/** The list ID of phone launch; null when empty. Every change of groups waits for the same lock. */
async function readPhoneListId(
  trx: Trx,
  actor: Actor,
  typed: string,
  ownId: number | null,
): Promise<string | null> {
  const parsed = phoneListIdField.safeParse(typed);
  if (!parsed.success) throw refuseField('PhoneListID', parsed.error.issues[0]?.message ?? '');
  if (parsed.data === '') return null;
  const other = await trx
    .selectFrom('groups')
    .select('group_id')
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .where('phone_list_id', '=', parsed.data)
    .where('group_id', '<>', ownId ?? 0)
    .executeTakeFirst();
  if (other !== undefined) throw refuseField('PhoneListID', asynchronousMessages.listIdTaken);
  return parsed.data;
}
