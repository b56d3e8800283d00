/**
 * Writes the contacts of an import, a slice of some twenty thousand at a time and as sets. The slice is the
 * temporary table import_slice, which server/imports/import-slice.ts or sync-contacts.ts fills: each row with
 * the contact that it is or becomes.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { keepsItself } from '../../keep-itself.ts';
import { recordAddedContacts } from '../../record-added-contacts.ts';
import { keepContacts, keepMembers, rowsWritten, writeSearch } from '../keep-written.ts';
import { markChanged } from './mark-changed.ts';

export interface ImportBatch {
  accountId: number;
  fileId: number;
  userId: number;
  isSearchableAtOnce: boolean;
}

/**
 * The new contacts and their memberships; how many joined each list. The caller makes them searchable and counts them, in
 * sets: one that joins a group is never unfiled before.
 */
export async function insertImported(
  trx: Trx,
  plan: Pick<ImportBatch, 'accountId' | 'userId'> & { fileId: number | null },
  joins: RawBuilder<unknown>,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ group_id: number; joined: number }>`
    with made as (
      insert into contacts (account_id, person_id, first_name, last_name, notes, primary_phone, secondary_phone,
        tertiary_phone, custom_data, created_by_user_id, file_id)
      overriding system value
      select ${plan.accountId}::bigint, person_id, first_name, last_name, notes, phone1, phone2, phone3, custom_data,
        ${plan.userId}::bigint, ${plan.fileId}::bigint
      from import_slice where is_new
      returning account_id, person_id, sort_name
    ),
    told as (${recordAddedContacts(sql`made`)}),
    joined as (
      insert into group_members (account_id, group_id, person_id, sort_name)
      -- Contacts that join no group are unfiled.
      select ${plan.accountId}::bigint, coalesce(j.group_id, -1), made.person_id, made.sort_name
      from made left join (${joins}) j(person_id, group_id) using (person_id)
      returning group_id
    )
    select group_id, count(*) as joined, ${keepsItself} from joined group by group_id`.execute(trx);
  return new Map(rows.map(({ group_id, joined }) => [group_id, joined]));
}

/** A few are indexed at once. For many, a job does it, and until then searches scan the range. */
export async function makeImportedSearchable(
  trx: Trx,
  plan: Pick<ImportBatch, 'accountId' | 'isSearchableAtOnce'>,
  { firstPersonId, lastPersonId }: { firstPersonId: number | null; lastPersonId: number | null },
): Promise<void> {
  if (plan.isSearchableAtOnce) {
    await writeSearch(
      trx,
      sql`
      insert into contact_search (account_id, person_id, sort_name, search_text)
      select c.account_id, c.person_id, c.sort_name,
        contact_search_text(c.first_name, c.last_name, c.notes, c.primary_phone, c.secondary_phone, c.tertiary_phone, c.custom_data)
      from import_slice s join contacts c on c.account_id = ${plan.accountId} and c.person_id = s.person_id
      where s.is_new`,
    );
  } else {
    await sql`
      insert into search_backlog (account_id, first_person_id, last_person_id)
      values (${plan.accountId}, ${firstPersonId}, ${lastPersonId})`.execute(trx);
  }
}

/** Updates contacts with the file's values that are not empty and differ; keeps the old values for undo. */
export async function updateImported(trx: Trx, { accountId, fileId }: ImportBatch): Promise<number> {
  const { rows } = await sql<{ updated: number }>`
    with wanted as materialized (
      select c.person_id,
        coalesce(nullif(s.first_name, ''), c.first_name) as first_name,
        coalesce(nullif(s.last_name, ''), c.last_name) as last_name,
        coalesce(nullif(s.notes, ''), c.notes) as notes,
        coalesce(s.phone2, c.secondary_phone) as secondary_phone,
        coalesce(s.phone3, c.tertiary_phone) as tertiary_phone,
        c.custom_data || s.custom_data as custom_data,
        jsonb_build_object('first_name', c.first_name, 'last_name', c.last_name, 'notes', c.notes,
          'secondary_phone', c.secondary_phone, 'tertiary_phone', c.tertiary_phone, 'custom_data', c.custom_data,
          'updated_at', c.updated_at, 'changed_at', now()) as before
      from import_slice s
      join contacts c on c.account_id = ${accountId} and c.person_id = s.person_id
      where s.is_first_phone and (
        (s.first_name <> '' and s.first_name <> c.first_name) or (s.last_name <> '' and s.last_name <> c.last_name)
        or (s.notes <> '' and s.notes <> c.notes)
        or (s.phone2 is not null and s.phone2 is distinct from c.secondary_phone::text)
        or (s.phone3 is not null and s.phone3 is distinct from c.tertiary_phone::text)
        or not c.custom_data @> s.custom_data)
      for update of c
    ),
    changed as (
      update contacts c
      set first_name = w.first_name, last_name = w.last_name, notes = w.notes, secondary_phone = w.secondary_phone,
        tertiary_phone = w.tertiary_phone, custom_data = w.custom_data, updated_at = now()
      from wanted w
      where c.account_id = ${accountId} and c.person_id = w.person_id
      returning ${rowsWritten}
    ),
    kept as (
      insert into file_changes (account_id, file_id, person_id, before)
      select ${accountId}::bigint, ${fileId}::bigint, person_id, before from wanted order by person_id
      on conflict (account_id, file_id, person_id) do update set before = excluded.before
    )
    select many as updated from ${keepContacts(sql`changed`)}`.execute(trx);
  return rows[0]?.updated ?? 0;
}

/** Adds known contacts to the groups too; keeps which groups they joined, for undo. */
export async function joinImported(
  trx: Trx,
  { accountId, fileId }: ImportBatch,
  joins: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with joined as (
      insert into group_members (account_id, group_id, person_id, sort_name)
      select ${accountId}::bigint, j.group_id, c.person_id, c.sort_name
      from (${joins}) j(person_id, group_id)
      join contacts c on c.account_id = ${accountId} and c.person_id = j.person_id and c.deleted_at is null
      where j.person_id in (select person_id from import_slice where not is_new)
      order by j.group_id, c.person_id
      on conflict do nothing
      returning person_id, group_id, ${rowsWritten}
    ),
    saved as (
      insert into file_changes as kept (account_id, file_id, person_id, joined_groups)
      select ${accountId}::bigint, ${fileId}::bigint, person_id, array_agg(group_id) from joined group by person_id order by person_id
      on conflict (account_id, file_id, person_id) do update
      set joined_groups = kept.joined_groups || excluded.joined_groups
    )
    select from ${keepMembers(sql`joined`)}`.execute(trx);
}

/** For the histories of contacts that were here before the import, whether or not it changed them. */
export async function markImported(
  trx: Trx,
  { accountId, fileId, userId }: Pick<ImportBatch, 'accountId' | 'fileId' | 'userId'>,
): Promise<void> {
  const known = sql`import_slice where not is_new`;
  await markChanged({ accountId, fileId, userId, kind: 'imported' }, known, 'person_id').execute(trx);
}

export async function countImported(
  trx: Trx,
  plan: Pick<ImportBatch, 'accountId'>,
  created: number,
  joined: Map<number, number>,
): Promise<void> {
  if (created === 0) return;
  const counts = [...joined, [0, created] as const].sort(([a], [b]) => a - b);
  await sql`
    insert into list_counts as kept (account_id, list_id, roster_count)
    select ${plan.accountId}::bigint, list_id, roster_count
    from unnest(${counts.map(([list]) => list)}::bigint[], ${counts.map(([, count]) => count)}::bigint[]) as c(list_id, roster_count)
    order by list_id
    on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count`.execute(
    trx,
  );
}
