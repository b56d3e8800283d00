import { sql } from 'kysely';
import type { Database, Trx } from '../../db.ts';
import { keepContacts, rowsWritten, writeContacts, writeMembers } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';
import { markChanged } from './mark-changed.ts';

/** Permanently removes contacts that a part of an import created and nobody has changed since. */
export async function deleteImported(
  trx: Trx,
  part: { accountId: number; fileId: number; firstPersonId: number | null; lastPersonId: number | null },
): Promise<void> {
  if (part.firstPersonId === null) return;
  await writeContacts(
    trx,
    sql`
    delete from contacts
    where account_id = ${part.accountId} and person_id between ${part.firstPersonId} and ${part.lastPersonId}
      and file_id = ${part.fileId} and updated_at = created_at`,
  );
}

/** Contacts that existed before the import, a set at a time. False when none are left. */
export async function undoImportedChanges(
  trx: Trx,
  accountId: number,
  fileId: number,
  most: number,
): Promise<boolean> {
  await lockContacts(trx, accountId);
  const { rows: slices } = await sql<{ last: number | null }>`
    select max(person_id) as last from (
      select person_id from file_changes where account_id = ${accountId} and file_id = ${fileId}
      order by person_id limit ${most}) first_changes`.execute(trx);
  const last = slices[0]?.last ?? null;
  if (last === null) return false;
  const ofSlice = sql`h.account_id = ${accountId} and h.file_id = ${fileId} and h.person_id <= ${last}`;
  await writeMembers(
    trx,
    sql`
    delete from group_members m using file_changes h, unnest(h.joined_groups) as joined(group_id)
    where ${ofSlice} and m.account_id = ${accountId} and m.person_id = h.person_id and m.group_id = joined.group_id`,
  );
  await sql`
    with taken as materialized (
      delete from file_changes h where ${ofSlice} returning person_id, before
    ),
    restored as (
      update contacts c
      set first_name = t.before ->> 'first_name', last_name = t.before ->> 'last_name', notes = t.before ->> 'notes',
        secondary_phone = t.before ->> 'secondary_phone', tertiary_phone = t.before ->> 'tertiary_phone',
        custom_data = t.before -> 'custom_data', updated_at = (t.before ->> 'updated_at')::timestamptz
      from taken t
      where c.account_id = ${accountId} and c.person_id = t.person_id and t.before is not null
        -- Values that were changed since stay.
        and c.updated_at = (t.before ->> 'changed_at')::timestamptz
      returning ${rowsWritten}
    ),
    marked as (${markChanged({ accountId, fileId, userId: null, kind: 'import_undone' }, sql`taken`, 'person_id')})
    select from ${keepContacts(sql`restored`)}`.execute(trx);
  return true;
}

/** The previous state isn't needed once an import can no longer be undone. */
export async function forgetImportedChanges(
  { system }: Database,
  { accountId, fileId }: { accountId: number; fileId: number },
): Promise<void> {
  await sql`delete from file_changes where account_id = ${accountId} and file_id = ${fileId}`.execute(system);
}
