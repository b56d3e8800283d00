import type { Input } from '../../../contract/call.ts';
import {
  type copyContacts as copyDefinition,
  type removeContacts as removeDefinition,
  specialGroups,
  type updateContacts as updateDefinition,
} from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { lockContacts } from '../lock-contacts.ts';
import { type KnownList, requireList } from '../queries.ts';
import { readCustomData } from '../read-contact.ts';
import { type ContactChange, changeOrWork, segmentHasNoMembers } from './change-selection.ts';

const { deleted, everyone, unfiled } = specialGroups;

/** Copies or moves a selection into a group, out of all groups, or out of Deleted. */
export async function copyContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof copyDefinition>,
) {
  await lockContacts(trx, actor.accountId);
  const source = await requireList(trx, actor, params.ListID);
  const target = await requireList(trx, actor, params.TargetID);
  const change = copyOf(source, target, body.Move);
  return changeOrWork(trx, actor, {
    change,
    from: { listId: params.ListID, query, selection: body.Selection },
  });
}

function copyOf(source: KnownList, target: KnownList, isMove: boolean): ContactChange {
  if (target.listId === deleted) {
    throw new Refusal('refused', 'Contacts are put into Deleted by deleting them.');
  }
  if (target.isSegment) throw new Refusal('refused', segmentHasNoMembers);
  if (source.listId === target.listId) throw new Refusal('refused', 'They are in this group already.');
  const groupId = target.listId > 0 ? target.listId : null;
  if (source.listId === deleted) {
    return { kind: 'restore', groupId, isUnfiled: target.listId === unfiled };
  }
  if (target.listId === everyone) {
    throw new Refusal('refused', 'Every contact is in Everyone already.');
  }
  if (groupId === null) return { kind: 'unfile' };
  // Nobody can leave Everyone or a segment, and people who join a group are no longer unfiled.
  const isLeft = isMove && source.listId > 0 && !source.isSegment;
  return { kind: 'join', groupId, leavesGroupId: isLeft ? source.listId : null };
}

/** Removes a selection from a group, deletes it, or purges deleted contacts. */
export async function removeContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof removeDefinition>,
) {
  const { removefromeveryone: isFromEveryone = false, ...shown } = query;
  await lockContacts(trx, actor.accountId);
  const change = removalFrom(await requireList(trx, actor, params.ListID), isFromEveryone);
  // People who leave a group are still in Everyone; the other two changes remove them from it.
  if (change.kind !== 'leave') refuseUnless(actor, 'deleteFromEveryone');
  return changeOrWork(trx, actor, {
    change,
    from: { listId: params.ListID, query: shown, selection: body.Selection },
  });
}

function removalFrom(source: KnownList, isFromEveryone: boolean): ContactChange {
  if (source.listId === deleted) return { kind: 'purge' };
  // Contacts leave Everyone and Unfiled only by being deleted.
  if (isFromEveryone || source.listId <= 0) return { kind: 'delete' };
  if (source.isSegment) throw new Refusal('refused', segmentHasNoMembers);
  return { kind: 'leave', groupId: source.listId };
}

/** Sets notes or custom fields of a selection. */
export async function updateContacts(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof updateDefinition>,
) {
  await lockContacts(trx, actor.accountId);
  await requireList(trx, actor, params.ListID);
  const custom = await readCustomData(trx, actor, body.Update.CustomData ?? {}, 'Update.CustomData');
  return changeOrWork(trx, actor, {
    change: { kind: 'edit', notes: body.Update.Notes ?? null, custom },
    from: { listId: params.ListID, query, selection: body.Selection },
  });
}
