/**
 * One slice of an import: some twenty thousand rows become contacts in one transaction, in sets. All rows of a
 * phone are in the slice of the first one, so that slices don't meet; two run at a time.
 *
 * Counts, search and "unfiled" of new contacts are written once per slice.
 */
import { type RawBuilder, sql } from 'kysely';
import { declareImported } from '../consents/declare-imported.ts';
import {
  countImported,
  insertImported,
  joinImported,
  makeImportedSearchable,
  markImported,
  updateImported,
} from '../contacts/change/import-contacts.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import type { Trx } from '../db.ts';
import type { FileChoice } from './queries.ts';
import { consentRequired } from './rules.ts';

export interface ImportPlan {
  accountId: number;
  fileId: number;
  userId: number;
  /** The group that everybody joins; 0 for none. */
  listId: number;
  duplicates: FileChoice['Duplicates'];
  /** By the name in the file. */
  groupIds: Record<string, number>;
  fieldIds: Record<string, number>;
  /** The import matches only this user's contacts, if the user can't see others. */
  onlyUserId: number | null;
  /** Network address where the consent was declared. */
  address: string;
  isSearchableAtOnce: boolean;
}

/** An inclusive range of rows of a file. */
export interface RowRange {
  firstRow: number;
  lastRow: number;
}

export interface SliceCounts {
  created: number;
  updated: number;
  skipped: number;
  firstPersonId: number | null;
  lastPersonId: number | null;
}

export async function importSlice(trx: Trx, plan: ImportPlan, slice: RowRange): Promise<SliceCounts> {
  // A slice is sorted and joined in memory, and for its tables a tenth of the usual statistics sample is
  // enough.
  await sql`
    set local synchronous_commit = off; set local work_mem = '32MB'; set local default_statistics_target = 10`.execute(
    trx,
  );
  await preferIndexes(trx);
  const hasDuplicates = await findDuplicates(trx, plan, slice);
  await drawContacts(trx, plan, slice, hasDuplicates);
  const joins = joinsOf(plan, slice, hasDuplicates);
  const joined = await insertImported(trx, plan, joins);
  await declareImported(trx, { ...plan, wording: consentRequired }, () => lockContacts(trx, plan.accountId));
  const counts = await countSlice(trx);
  if (counts.created > 0) await makeImportedSearchable(trx, plan, counts);
  // From here on the statements lock rows that others lock too, in the common order.
  await lockContacts(trx, plan.accountId);
  const updated = counts.matched > 0 && plan.duplicates === 'update' ? await updateImported(trx, plan) : 0;
  if (counts.matched > 0) {
    await joinImported(trx, plan, joins);
    await markImported(trx, plan);
  }
  await countImported(trx, plan, counts.created, joined);
  await sql`drop table import_slice`.execute(trx);
  return { ...counts, updated, skipped: counts.matched - updated };
}

/**
 * PostgreSQL assumes that tables that grow by a million within a minute are small until it analyzes them
 * again, and it scans small ones completely: for each row of a slice that takes minutes. This avoids such
 * plans where possible.
 */
export async function preferIndexes(trx: Trx): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(trx);
}

function rowsOf({ accountId, fileId }: ImportPlan, alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.account_id`)} = ${accountId} and ${sql.ref(`${alias}.file_id`)} = ${fileId}`;
}

async function findDuplicates(trx: Trx, plan: ImportPlan, slice: RowRange) {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from file_rows r where ${rowsOf(plan, 'r')} and r.first_row between ${slice.firstRow} and ${slice.lastRow}
        and r.state = 'duplicate'
    ) as found`.execute(trx);
  return rows[0]?.found === true;
}

/**
 * The contacts of the slice, each with its row: existing ones with their id, new ones with a newly drawn id.
 * A match by second or third phone also counts as existing, but only a match by first phone gets the row's
 * values. Contacts from this file are not considered: what one row creates is not a match for another.
 */
async function drawContacts(
  trx: Trx,
  plan: ImportPlan,
  slice: RowRange,
  hasDuplicates: boolean,
): Promise<void> {
  const isAdding = plan.duplicates === 'add';
  const good = sql`
    select r.* from file_rows r
    where ${rowsOf(plan, 'r')} and r.row_number between ${slice.firstRow} and ${slice.lastRow}
      and r.state in ('good', 'repaired')`;
  // If duplicates are wanted, a later row becomes its own contact unless its name is the same too.
  const makers =
    isAdding && hasDuplicates
      ? sql`
        select distinct on (phone1, first_name, last_name) * from (
          ${good} union all
          select r.* from file_rows r
          where ${rowsOf(plan, 'r')} and r.first_row between ${slice.firstRow} and ${slice.lastRow}
            and r.state = 'duplicate'
        ) all_rows
        order by phone1, first_name, last_name, state = 'duplicate', row_number`
      : good;
  const book = (await hasOthers(trx, plan)) ? matchesInBook(plan) : noMatches;
  await sql`
    create temporary table import_slice on commit drop as
    select r.row_number, r.first_name, r.last_name, r.notes, r.phone1::phone as phone1, r.phone2::phone as phone2,
      r.phone3::phone as phone3, r.group_names,
      case when r.custom_data = '{}' then r.custom_data else coalesce((
        select jsonb_object_agg(field.id, value.value)
        from jsonb_each_text(r.custom_data) value
        join jsonb_each_text(${JSON.stringify(plan.fieldIds)}::jsonb) field(name, id) on field.name = value.key
      ), '{}') end as custom_data,
      coalesce(first_phone.person_id, other_phone.person_id, nextval('contacts_person_id_seq')) as person_id,
      first_phone.person_id is null and other_phone.person_id is null as is_new,
      first_phone.person_id is not null as is_first_phone
    from (${makers}) r ${book} order by r.row_number`.execute(trx);
  await sql`analyze import_slice (row_number, person_id, is_new, is_first_phone, phone2, phone3)`.execute(
    trx,
  );
}

/**
 * True if any contacts exist that this import didn't create: checked at the four ends of an index, so that the first
 * import of a large organization doesn't look up each of its rows.
 */
async function hasOthers(trx: Trx, { accountId, userId, fileId }: ImportPlan): Promise<boolean> {
  const some = (which: RawBuilder<unknown>) =>
    sql`exists (select from contacts where account_id = ${accountId} and deleted_at is null and ${which})`;
  const { rows } = await sql<{ found: boolean }>`
    select ${some(sql`(created_by_user_id, file_id) < (${userId}::bigint, ${fileId}::bigint)`)}
      or ${some(sql`(created_by_user_id, file_id) > (${userId}::bigint, ${fileId}::bigint)`)}
      or ${some(sql`created_by_user_id = ${userId}::bigint and file_id is null`)}
      or ${some(sql`created_by_user_id is null`)} as found`.execute(trx);
  return rows[0]?.found === true;
}

/**
 * Joins each row `r` with the contact that has its phone as the first phone, or else as the second or third.
 */
export function matchesInBook({
  accountId,
  fileId,
  onlyUserId,
  duplicates,
}: Pick<ImportPlan, 'accountId' | 'fileId' | 'onlyUserId' | 'duplicates'>): RawBuilder<unknown> {
  const isAdding = duplicates === 'add';
  const known = sql`c.account_id = ${accountId} and c.deleted_at is null and c.file_id is distinct from ${fileId}
    and (${onlyUserId}::bigint is null or c.created_by_user_id = ${onlyUserId})`;
  return sql`
    left join lateral (
      select c.person_id from contacts c
      where ${known} and c.primary_phone = r.phone1
        and (${!isAdding} or (c.first_name = r.first_name and c.last_name = r.last_name))
      -- Of two with the same phone the one with the same name. The sums, here and below, prevent a scan of
      -- all contacts in the order of their ids.
      order by c.first_name = r.first_name and c.last_name = r.last_name desc, c.person_id + 0
      limit 1
    ) first_phone on true
    left join lateral (
      select min(found.person_id + 0) as person_id from (
        select c.person_id from contacts c where ${known} and c.secondary_phone = r.phone1
        union all
        select c.person_id from contacts c where ${known} and c.tertiary_phone = r.phone1
      ) found
    ) other_phone on first_phone.person_id is null and ${!isAdding}`;
}

export const noMatches = sql`
  cross join (select null::bigint as person_id) first_phone
  cross join (select null::bigint as person_id) other_phone`;

/** Groups that people join: the chosen one, and those that the rows name, including duplicate rows. */
function joinsOf(plan: ImportPlan, slice: RowRange, hasDuplicates: boolean): RawBuilder<unknown> {
  const ids = JSON.stringify(plan.groupIds);
  const named = sql`
    join unnest(rows.group_names) as wanted(name) on true
    join jsonb_each_text(${ids}::jsonb) as known(name, group_id) on known.name = wanted.name`;
  const hasNames = Object.keys(plan.groupIds).length > 0;
  const sources: RawBuilder<unknown>[] = [];
  if (plan.listId > 0)
    sources.push(sql`select person_id, ${plan.listId}::bigint as group_id from import_slice`);
  if (hasNames) {
    sources.push(sql`select rows.person_id, known.group_id::bigint from import_slice rows ${named}`);
    if (hasDuplicates) {
      const isSame =
        plan.duplicates === 'add'
          ? sql`s.phone1 = r.phone1 and s.first_name = r.first_name and s.last_name = r.last_name`
          : sql`s.row_number = r.first_row`;
      sources.push(sql`
        select rows.person_id, known.group_id::bigint
        from (
          select s.person_id, r.group_names from import_slice s
          join file_rows r on ${rowsOf(plan, 'r')} and r.state = 'duplicate' and r.group_names is not null
            and r.first_row between ${slice.firstRow} and ${slice.lastRow} and ${isSame}
        ) rows ${named}`);
    }
  }
  return sources.length === 0
    ? sql`select null::bigint as person_id, null::bigint as group_id where false`
    : sql.join(sources, sql` union `);
}

async function countSlice(trx: Trx) {
  const { rows } = await sql<Omit<SliceCounts, 'updated' | 'skipped'> & { matched: number }>`
    select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as matched,
      min(person_id) filter (where is_new) as "firstPersonId", max(person_id) filter (where is_new) as "lastPersonId"
    from import_slice`.execute(trx);
  return rows[0] ?? { created: 0, matched: 0, firstPersonId: null, lastPersonId: null };
}
