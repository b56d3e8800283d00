import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { addContact as definition } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { genericError } from '../../../contract/reference/error-catalog.ts';
import { isSeenContact } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { keepContacts, rowsWritten, writeMembers } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';
import { wholeContact } from '../queries.ts';
import { type ContactValues, readContact, refuseUnlessGroups } from '../read-contact.ts';

export async function addContact(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const values = await readContact(trx, actor, body);
  await lockContacts(trx, actor.accountId);
  await refuseUnlessGroups(trx, actor, body.ListIDs);
  if (!body.AllowDuplicate) await refusePhonesInUse(trx, actor, values);
  const personId = await insertContact(trx, actor, values);
  await joinGroups(trx, actor, personId, body.ListIDs);
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return wholeContact(trx, actor, personId);
}

async function insertContact(trx: Trx, actor: Actor, values: ContactValues): Promise<number> {
  const { rows } = await sql<{ personId: number }>`
    with made as (
      insert into contacts (account_id, first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone,
        custom_data, created_by_user_id)
      values (${actor.accountId}, ${values.first_name}, ${values.last_name}, ${values.notes}, ${values.primary_phone},
        ${values.secondary_phone}, ${values.tertiary_phone}, ${JSON.stringify(values.custom_data)}, ${actor.userId})
      returning person_id, ${rowsWritten}
    )
    select person_id as "personId" from made, ${keepContacts(sql`made`)}`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw new Error('no contact was made');
  return made.personId;
}

/** Adds one contact to groups. */
export async function joinGroups(trx: Trx, actor: Actor, personId: number, groupIds: number[]) {
  if (groupIds.length === 0) return;
  await writeMembers(
    trx,
    sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select c.account_id, g, c.person_id, c.sort_name
    from contacts c, unnest(${groupIds}::bigint[]) g
    where c.account_id = ${actor.accountId} and c.person_id = ${personId}
    on conflict do nothing`,
  );
}

/**
 * One contact per phone, unless the user decides otherwise. For users who see only their own contacts, only
 * those are checked: they must not learn about others.
 */
async function refusePhonesInUse(trx: Trx, actor: Actor, values: ContactValues): Promise<void> {
  const phones = [values.primary_phone, values.secondary_phone, values.tertiary_phone].filter(
    (phone) => phone !== null,
  );
  const seen = isSeenContact(actor, sql`contacts`);
  const owner = (column: string) => sql`
    select person_id from contacts
    where account_id = ${actor.accountId} and deleted_at is null and ${seen}
      and ${sql.ref(column)} = any(${phones}::text[])`;
  const { rows } = await sql<{ person_id: number }>`
    ${owner('primary_phone')} union all ${owner('secondary_phone')} union all ${owner('tertiary_phone')}
    order by person_id limit 1`.execute(trx);
  const [found] = rows;
  if (found === undefined) return;
  throw new Refusal('refused', genericError.contactExists('Everyone'), {
    extendedData: { PersonID: found.person_id },
  });
}
