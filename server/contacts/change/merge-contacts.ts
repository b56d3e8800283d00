import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { mergeContacts as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { characterCount } from '../../../contract/fields/rule.ts';
import { wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { limits } from '../../../contract/reference/limits.ts';
import type { Trx } from '../../db.ts';
import { changesOfSubject, readSubject } from '../../event-subjects.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { openUndo } from '../../undo.ts';
import { lockContacts } from '../lock-contacts.ts';
import { wholeContact } from '../queries.ts';
import type { ContactValues } from '../read-contact.ts';
import { changeRows, undoKind } from './change-selection.ts';
import { type CurrentContact, findContacts, setContact } from './set-contact.ts';

/** Makes one contact out of several: the first one stays, the others go to Deleted. */
export async function mergeContacts(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const personIds = [...new Set(body.PersonIDs)];
  if (personIds.length < 2) throw new Refusal('refused', 'Choose at least two contacts');
  await lockContacts(trx, actor.accountId);
  const contacts = (await findContacts(trx, actor, personIds)).filter(({ isDeleted }) => !isDeleted);
  const [first, ...others] = contacts;
  if (first === undefined || contacts.length < personIds.length) {
    throw new Refusal('notFound', 'One of these contacts is no longer here.');
  }
  const { values, droppedPhones } = mergedValues(contacts);
  const groupIds = [...new Set(contacts.flatMap((contact) => contact.groupIds))];
  // A preview is the merge itself, rolled back before anybody sees it, so it can't show anything different.
  if (body.IsPreview) await sql`savepoint preview`.execute(trx);
  const before = await readContacts(trx, actor, personIds);
  const undoId = await openUndo(trx, actor, undoKind, {});
  await setContact(trx, actor, undoId, { current: first, values, groupIds });
  await changeRows(
    trx,
    actor,
    { change: { kind: 'delete' }, from: { personIds: others.map(({ personId }) => personId) } },
    { undoId },
  );
  const Contact = await wholeContact(trx, actor, first.personId);
  const after = await readContacts(trx, actor, personIds);
  if (body.IsPreview) await sql`rollback to savepoint preview`.execute(trx);
  else await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  // A preview records nothing.
  const events = personIds.map((id) => {
    const kind = id === first.personId ? 'contact.merged' : 'contact.deleted';
    return { kind, id, changes: changesOfSubject(kind, before.get(id), after.get(id)) } as const;
  });
  await recordEvents(trx, actor, body.IsPreview ? [] : events);
  return {
    UndoID: body.IsPreview ? null : undoId,
    Contact,
    DroppedPhones: droppedPhones.map((phone) => wirePhone(phone, actor.account.CountryID)),
  };
}

/** The contacts’ fields as events record them, by id. */
async function readContacts(trx: Trx, actor: Actor, personIds: readonly number[]) {
  const found = new Map<number, Awaited<ReturnType<typeof readSubject>>>();
  for (const id of personIds) found.set(id, await readSubject(trx, actor.accountId, 'contact', id));
  return found;
}

function mergedValues(contacts: CurrentContact[]): { values: ContactValues; droppedPhones: string[] } {
  const phones = new Set(
    contacts
      .flatMap((contact) => [contact.primary_phone, contact.secondary_phone, contact.tertiary_phone])
      .filter((phone) => phone !== null),
  );
  const [primary = null, secondary = null, tertiary = null, ...droppedPhones] = phones;
  const filled = (pick: (contact: CurrentContact) => string) =>
    contacts.map(pick).find((text) => text !== '');
  return {
    values: {
      first_name: filled((contact) => contact.first_name) ?? '',
      last_name: filled((contact) => contact.last_name) ?? '',
      notes: mergedNotes(contacts.map(({ notes }) => notes)),
      primary_phone: primary,
      secondary_phone: secondary,
      tertiary_phone: tertiary,
      // The first one's come last, overwriting the others'.
      custom_data: Object.assign({}, ...contacts.map(({ custom_data }) => custom_data).reverse()),
    },
    droppedPhones,
  };
}

/** All notes if they fit into one, otherwise the first that exist. */
function mergedNotes(notes: string[]): string {
  const distinct = [...new Set(notes.filter((text) => text !== ''))];
  const joined = distinct.join('; ');
  return characterCount(joined) <= limits.contactNotes ? joined : (distinct[0] ?? '');
}
