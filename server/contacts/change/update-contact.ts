import type { Input } from '../../../contract/call.ts';
import type { updateContact as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { openUndo } from '../../undo.ts';
import { lockContacts } from '../lock-contacts.ts';
import { wholeContact } from '../queries.ts';
import { readContact, refuseUnlessGroups } from '../read-contact.ts';
import { undoKind } from './change-selection.ts';
import { findContacts, setContact } from './set-contact.ts';

export async function updateContact(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const values = await readContact(trx, actor, body);
  await lockContacts(trx, actor.accountId);
  const [current] = await findContacts(trx, actor, [params.PersonID]);
  if (current === undefined) throw new Refusal('notFound', 'That contact is no longer here.');
  if (current.isDeleted) throw new Refusal('refused', 'This contact is deleted. Restore it to change it.');
  await refuseUnlessGroups(trx, actor, body.ListIDs ?? []);
  const undoId = await openUndo(trx, actor, undoKind, {});
  const isChanged = await setContact(trx, actor, undoId, {
    current,
    values,
    groupIds: body.ListIDs ?? current.groupIds,
  });
  if (isChanged) await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return { ...(await wholeContact(trx, actor, params.PersonID)), UndoID: isChanged ? undoId : null };
}
