import { sql } from 'kysely';
import { isSeenContact } from '../../access/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { keepChanged } from '../../undo.ts';
import { keepContacts, rowsWritten, writeMembers } from '../keep-written.ts';
import type { ContactValues } from '../read-contact.ts';
import { joinGroups } from './add-contact.ts';

export interface CurrentContact extends ContactValues {
  personId: number;
  isDeleted: boolean;
  groupIds: number[];
}

/** Contacts that this actor sees, with their current rows, in the order of the given ids. */
export async function findContacts(trx: Trx, actor: Actor, personIds: number[]): Promise<CurrentContact[]> {
  const { rows } = await sql<CurrentContact>`
    select c.person_id as "personId", c.deleted_at is not null as "isDeleted", c.first_name, c.last_name, c.notes,
      c.primary_phone, c.secondary_phone, c.tertiary_phone, c.custom_data,
      array(select m.group_id from group_members m
        where m.account_id = c.account_id and m.person_id = c.person_id and m.group_id > 0) as "groupIds"
    from contacts c
    where c.account_id = ${actor.accountId} and c.person_id = any(${personIds}::bigint[])
      and ${isSeenContact(actor)}
    order by array_position(${personIds}::bigint[], c.person_id)`.execute(trx);
  return rows;
}

const plainFields = [
  'first_name',
  'last_name',
  'notes',
  'primary_phone',
  'secondary_phone',
  'tertiary_phone',
] as const;

/**
 * Sets the values and groups of one contact, and saves the previous ones under an undo. False when nothing
 * changed.
 */
export async function setContact(
  trx: Trx,
  actor: Actor,
  undoId: number,
  { current, values, groupIds }: { current: CurrentContact; values: ContactValues; groupIds: number[] },
): Promise<boolean> {
  const changed = plainFields.filter((field) => current[field] !== values[field]);
  const keys = new Set([...Object.keys(current.custom_data), ...Object.keys(values.custom_data)]);
  const changedKeys = [...keys].filter((key) => current.custom_data[key] !== values.custom_data[key]);
  const joined = [...new Set(groupIds)].filter((id) => !current.groupIds.includes(id));
  const left = current.groupIds.filter((id) => !groupIds.includes(id));
  if (changed.length + changedKeys.length + joined.length + left.length === 0) return false;
  const before = {
    fields: Object.fromEntries(changed.map((field) => [field, current[field]])),
    custom: Object.fromEntries(changedKeys.map((key) => [key, current.custom_data[key] ?? null])),
    joined,
    left,
  };
  await sql`
    with changed as (
      update contacts set
        ${sql.join(plainFields.map((field) => sql`${sql.ref(field)} = ${values[field]}`))},
        custom_data = ${JSON.stringify(values.custom_data)}::jsonb, updated_at = now()
      where account_id = ${actor.accountId} and person_id = ${current.personId}
      returning person_id as row_id, ${JSON.stringify(before)}::jsonb as before, ${rowsWritten}
    ),
    kept as (${keepChanged(actor, undoId)})
    select from ${keepContacts(sql`changed`)}`.execute(trx);
  await joinGroups(trx, actor, current.personId, joined);
  if (left.length > 0) {
    await writeMembers(
      trx,
      sql`
      delete from group_members
      where account_id = ${actor.accountId} and person_id = ${current.personId} and group_id = any(${left}::bigint[])`,
    );
  }
  return true;
}
