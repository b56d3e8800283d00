import type { Input } from '../../../contract/call.ts';
import type { deleteContact as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { lockContacts } from '../lock-contacts.ts';
import { changeOrWork } from './change-selection.ts';
import { findContacts } from './set-contact.ts';

/** Moves one contact to Deleted. If it is already there, nothing changes. */
export async function deleteContact(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  await lockContacts(trx, actor.accountId);
  const [current] = await findContacts(trx, actor, [params.PersonID]);
  if (current === undefined) throw new Refusal('notFound', 'That contact is no longer here.');
  const { UndoID } = await changeOrWork(trx, actor, {
    change: { kind: 'delete' },
    from: { personIds: [params.PersonID] },
  });
  return { UndoID };
}
