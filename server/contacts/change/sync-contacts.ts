/**
 * Writes the contacts of a sync with another system, a slice at a time and as sets. For each contact it also
 * saves what the other system said (integration_people), which memberships it created (integration_members)
 * and what it changed, to be shown and undone (integration_changes). The caller has called lockContacts.
 */
import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { joinWholeTables } from '../../keep-statistics.ts';
import { keepContacts, keepMembers, rowsWritten, writeContacts, writeMembers } from '../keep-written.ts';
import { countImported, insertImported, makeImportedSearchable } from './import-contacts.ts';
import { markChanged } from './mark-changed.ts';

export interface SyncPlan {
  accountId: number;
  integrationId: number;
  syncId: number;
  /** The user who connected it: new contacts are theirs. */
  userId: number;
  isSearchableAtOnce: boolean;
  /** Nobody was known from there before it. */
  isFirst: boolean;
}

/**
 * Writes the slice in the temporary table sync_rows: (place, source_key, first_name, last_name, phone1,
 * phone2, phone3, list_ids, person_id, is_known, is_new). Rows without a person_id become contacts, one for
 * each phone.
 */
export async function writeSyncRows(trx: Trx, plan: SyncPlan): Promise<void> {
  await drawPeople(trx);
  await insertNew(trx, plan);
  if (await hasKnown(trx)) {
    await keepKnownBefore(trx, plan);
    await updateKnown(trx, plan);
    await joinKnown(trx, plan);
  }
  const onKnown = sql`
    on conflict (account_id, integration_id, source_key) do update
    set first_name = excluded.first_name, last_name = excluded.last_name, phone1 = excluded.phone1,
      phone2 = excluded.phone2, phone3 = excluded.phone3, list_ids = excluded.list_ids`;
  await sql`
    insert into integration_people as k (account_id, integration_id, source_key, person_id, first_name, last_name,
      phone1, phone2, phone3, list_ids)
    select ${plan.accountId}::bigint, ${plan.integrationId}::smallint, source_key, person_id, first_name, last_name,
      phone1, phone2, phone3, list_ids
    from sync_rows order by source_key ${plan.isFirst ? sql`` : onKnown}`.execute(trx);
}

/** Ids for people who have no contact yet: two with the same phone are one contact. */
async function drawPeople(trx: Trx): Promise<void> {
  await sql`
    with drawn as materialized (
      select phone1, nextval('contacts_person_id_seq') as person_id
      from (select distinct phone1 from sync_rows where person_id is null) phones)
    update pg_temp.sync_rows r set person_id = d.person_id, is_new = true
    from drawn d where r.person_id is null and d.phone1 = r.phone1`.execute(trx);
}

async function hasKnown(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from sync_rows where not is_new) as found`.execute(trx);
  return rows[0]?.found === true;
}

/** The earlier data about people who have a contact, for undoing the sync. */
async function keepKnownBefore(trx: Trx, { accountId, integrationId, syncId }: SyncPlan): Promise<void> {
  await sql`
    insert into integration_changes (account_id, sync_id, person_id, kind, known_before)
    select ${accountId}::bigint, ${syncId}::bigint, r.person_id,
      case when count(k.source_key) = 0 then 'added' else 'changed' end,
      jsonb_agg(distinct to_jsonb(k)) filter (where k.source_key is not null)
    from sync_rows r
    left join integration_people k on k.account_id = ${accountId} and k.integration_id = ${integrationId}
      and k.person_id = r.person_id
    where not r.is_new and exists (
      select from contacts c where c.account_id = ${accountId} and c.person_id = r.person_id and c.deleted_at is null)
    group by r.person_id order by r.person_id
    on conflict (account_id, sync_id, person_id) do nothing`.execute(trx);
}

async function insertNew(trx: Trx, plan: SyncPlan): Promise<void> {
  const { accountId, integrationId, syncId, userId } = plan;
  await sql`
    create temporary table import_slice on commit drop as
    select distinct on (person_id) person_id, first_name, last_name, ''::text as notes, phone1::phone as phone1,
      phone2::phone as phone2, phone3::phone as phone3, '{}'::jsonb as custom_data, true as is_new
    from sync_rows where is_new order by person_id, place`.execute(trx);
  const { rows } = await sql<{ created: number; firstPersonId: number | null; lastPersonId: number | null }>`
    select count(*)::int as created, min(person_id) as "firstPersonId", max(person_id) as "lastPersonId"
    from import_slice`.execute(trx);
  const { created, ...range } = rows[0] ?? { created: 0, firstPersonId: null, lastPersonId: null };
  if (created > 0) {
    const joins = sql`select distinct person_id, unnest(list_ids) from sync_rows where is_new`;
    const joined = await insertImported(trx, { accountId, userId, fileId: null }, joins);
    await makeImportedSearchable(trx, plan, range);
    await countImported(trx, plan, created, joined);
    // Nothing else can have these ids.
    await sql`
      insert into integration_members (account_id, integration_id, person_id, list_id)
      select ${accountId}::bigint, ${integrationId}::smallint, j.person_id, j.list_id
      from (${joins}) j(person_id, list_id)`.execute(trx);
    await sql`
      insert into integration_changes (account_id, sync_id, person_id, kind, is_new, joined_lists)
      select ${accountId}::bigint, ${syncId}::bigint, j.person_id, 'added', true, array_agg(j.list_id order by j.list_id)
      from (${joins}) j(person_id, list_id) group by j.person_id`.execute(trx);
  }
  await sql`drop table import_slice`.execute(trx);
}

/**
 * Values that the other system has changed replace those of the contact, also by nothing; a value that was
 * changed only here stays. For a person who is new there and known here, values that aren't empty count, as in
 * an import. The three phones are one value while they are as the other system had them: phones change places
 * there. Otherwise each is merged on its own, and none is in two places.
 */
async function updateKnown(trx: Trx, { accountId, integrationId, syncId }: SyncPlan): Promise<void> {
  const name = (column: 'first_name' | 'last_name') => {
    const [now, here, known] = ['r', 'c', 'k'].map((alias) => sql.ref(`${alias}.${column}`));
    return sql`case when ${here} = ${known} or (${now} <> '' and ${now} is distinct from ${known}) then ${now}
      else ${here} end`;
  };
  const other = (there: 'phone2' | 'phone3', here: 'secondary_phone' | 'tertiary_phone') => {
    const [now, known] = ['r', 'k'].map((alias) => sql.ref(`${alias}.${there}`));
    return sql`case when h.are_known or (${now} is not null and ${now} is distinct from ${known}) then ${now}
      when ${now} is null and ${sql.ref(`c.${here}`)} = ${known} then null
      else ${sql.ref(`c.${here}`)} end`;
  };
  await sql`
    with wanted as materialized (
      select distinct on (c.person_id) c.person_id, c.updated_at,
        jsonb_build_object('first_name', c.first_name, 'last_name', c.last_name, 'primary_phone', c.primary_phone,
          'secondary_phone', c.secondary_phone, 'tertiary_phone', c.tertiary_phone, 'updated_at', c.updated_at,
          'changed_at', now()) as before,
        ${name('first_name')} as first_name, ${name('last_name')} as last_name,
        phones.phone1::phone as phone1,
        case when phones.phone2 is distinct from phones.phone1 then phones.phone2::phone end as phone2,
        case when phones.phone3 is distinct from phones.phone1 and phones.phone3 is distinct from phones.phone2
          then phones.phone3::phone end as phone3,
        c.first_name as old_first, c.last_name as old_last, c.primary_phone as old1, c.secondary_phone as old2,
        c.tertiary_phone as old3
      from sync_rows r
      join contacts c on c.account_id = ${accountId} and c.person_id = r.person_id and c.deleted_at is null
      left join integration_people k on k.account_id = ${accountId} and k.integration_id = ${integrationId}
        and k.source_key = r.source_key
      cross join lateral (
        select (c.primary_phone, c.secondary_phone, c.tertiary_phone)
          is not distinct from (k.phone1, k.phone2, k.phone3) as are_known
      ) h
      cross join lateral (
        select case when h.are_known or r.phone1 <> k.phone1 then r.phone1 else c.primary_phone end as phone1,
          ${other('phone2', 'secondary_phone')} as phone2, ${other('phone3', 'tertiary_phone')} as phone3
      ) phones
      where not r.is_new
      order by c.person_id, r.place
    ),
    differing as (
      select * from wanted where (first_name, last_name, phone1, phone2, phone3)
        is distinct from (old_first, old_last, old1, old2, old3)
    ),
    written as (
      update contacts c set first_name = w.first_name, last_name = w.last_name, primary_phone = w.phone1,
        secondary_phone = w.phone2, tertiary_phone = w.phone3, updated_at = now()
      from differing w where c.account_id = ${accountId} and c.person_id = w.person_id
      returning ${rowsWritten}
    ),
    -- Changes that this sync itself made before can still be undone: two people there with one phone are one contact.
    saved as (
      update integration_changes h set before = case when h.before is null then w.before
          else h.before || jsonb_build_object('changed_at', now()) end
      from differing w where h.account_id = ${accountId} and h.sync_id = ${syncId} and h.person_id = w.person_id
        and (h.before is null or (h.before ->> 'changed_at')::timestamptz = w.updated_at)
    )
    select from ${keepContacts(sql`written`)}`.execute(trx);
}

async function joinKnown(trx: Trx, { accountId, integrationId, syncId }: SyncPlan): Promise<void> {
  await sql`
    with joined as (
      insert into group_members (account_id, group_id, person_id, sort_name)
      select distinct c.account_id, l.list_id, c.person_id, c.sort_name
      from sync_rows r
      cross join lateral unnest(r.list_ids) as l(list_id)
      join contacts c on c.account_id = ${accountId} and c.person_id = r.person_id and c.deleted_at is null
      where not r.is_new
      order by 2, 3
      on conflict do nothing
      returning person_id, group_id, ${rowsWritten}
    ),
    made as (
      insert into integration_members (account_id, integration_id, person_id, list_id)
      select ${accountId}::bigint, ${integrationId}::smallint, person_id, group_id from joined
      on conflict do nothing
    ),
    saved as (
      update integration_changes h set joined_lists = h.joined_lists || j.lists
      from (select person_id, array_agg(group_id order by group_id) as lists from joined group by person_id) j
      where h.account_id = ${accountId} and h.sync_id = ${syncId} and h.person_id = j.person_id
    )
    select from ${keepMembers(sql`joined`)}`.execute(trx);
}

/**
 * Removes people from groups when the other system no longer has them there. Only memberships that a sync
 * created end; nobody is deleted. `gone` is a condition on integration_people `k`.
 */
export async function leaveGroups(
  trx: Trx,
  { accountId, integrationId, syncId }: SyncPlan,
  gone: ReturnType<typeof sql>,
): Promise<void> {
  await joinWholeTables(trx);
  await sql`
    with forgotten as (
      delete from integration_people k
      where k.account_id = ${accountId} and k.integration_id = ${integrationId} and ${gone}
      returning k.person_id, to_jsonb(k) as known
    )
    insert into integration_changes as h (account_id, sync_id, person_id, kind, known_before)
    select ${accountId}::bigint, ${syncId}::bigint, person_id, 'changed', jsonb_agg(known)
    from forgotten group by person_id order by person_id
    on conflict (account_id, sync_id, person_id) do nothing`.execute(trx);
  await sql`
    with ended as (
      delete from integration_members m
      where m.account_id = ${accountId} and m.integration_id = ${integrationId} and not exists (
        select from integration_people k
        where k.account_id = m.account_id and k.integration_id = m.integration_id and k.person_id = m.person_id
          and m.list_id = any(k.list_ids))
      returning m.person_id, m.list_id
    ),
    taken as (
      delete from group_members g using ended e
      where g.account_id = ${accountId} and g.person_id = e.person_id and g.group_id = e.list_id
      returning g.person_id, g.group_id, ${rowsWritten}
    ),
    saved as (
      insert into integration_changes as h (account_id, sync_id, person_id, kind, left_lists)
      select ${accountId}::bigint, ${syncId}::bigint, person_id, 'changed', array_agg(group_id order by group_id)
      from taken group by person_id order by person_id
      on conflict (account_id, sync_id, person_id) do update set left_lists = h.left_lists || excluded.left_lists
    )
    select from ${keepMembers(sql`taken`)}`.execute(trx);
  await sql`
    update integration_changes h set kind = 'left'
    where h.account_id = ${accountId} and h.sync_id = ${syncId} and h.kind = 'changed' and not exists (
      select from integration_people k
      where k.account_id = h.account_id and k.integration_id = ${integrationId} and k.person_id = h.person_id)`.execute(
    trx,
  );
}

/** Forgets the changes of people who match their contacts: nothing was changed. */
export async function forgetUnchanged(trx: Trx, { accountId, syncId }: SyncPlan): Promise<void> {
  await sql`
    delete from integration_changes
    where account_id = ${accountId} and sync_id = ${syncId} and kind = 'changed' and before is null
      and joined_lists = '{}' and left_lists = '{}'`.execute(trx);
}

/** For the histories of contacts that a sync changed and didn't add: once, even if it is cut off and starts over. */
export async function markSynced(trx: Trx, { accountId, syncId }: SyncPlan): Promise<void> {
  const changed = sql`integration_changes
    where account_id = ${accountId} and sync_id = ${syncId} and not is_new
      and (before is not null or joined_lists <> '{}' or left_lists <> '{}')
      and not exists (select from mass_changes where account_id = ${accountId} and sync_id = ${syncId})`;
  await markChanged({ accountId, syncId, userId: null, kind: 'synced' }, changed, 'person_id').execute(trx);
}

/**
 * Undoes a sync for some contacts: groups that it added them to or removed them from, values that it
 * replaced, and contacts that it created. Later changes by users stay. False when none are left.
 */
export async function undoSyncedContacts(
  trx: Trx,
  { accountId, integrationId, syncId }: Pick<SyncPlan, 'accountId' | 'integrationId' | 'syncId'>,
  most: number,
): Promise<boolean> {
  const { rows } = await sql<{ many: number }>`
    create temporary table undone on commit drop as
    select person_id, kind, is_new, before, joined_lists, left_lists, known_before from integration_changes
    where account_id = ${accountId} and sync_id = ${syncId} order by person_id limit ${most}`
    .execute(trx)
    .then(() => sql<{ many: number }>`select count(*)::int as many from undone`.execute(trx));
  if ((rows[0]?.many ?? 0) === 0) {
    await sql`drop table undone`.execute(trx);
    return false;
  }
  const own = sql`account_id = ${accountId} and integration_id = ${integrationId}`;
  await sql`delete from integration_people where ${own} and person_id in (select person_id from undone)`.execute(
    trx,
  );
  await sql`
    delete from integration_members m using undone u, unnest(u.joined_lists) l(list_id)
    where m.account_id = ${accountId} and m.integration_id = ${integrationId} and m.person_id = u.person_id
      and m.list_id = l.list_id`.execute(trx);
  await writeMembers(
    trx,
    sql`
    delete from group_members m using undone u, unnest(u.joined_lists) l(list_id)
    where m.account_id = ${accountId} and m.person_id = u.person_id and m.group_id = l.list_id`,
  );
  await writeContacts(
    trx,
    sql`
    delete from contacts c using undone u
    where c.account_id = ${accountId} and c.person_id = u.person_id and u.is_new
      and c.updated_at in (c.created_at, (u.before ->> 'changed_at')::timestamptz)`,
  );
  await writeContacts(
    trx,
    sql`
    update contacts c set first_name = u.before ->> 'first_name', last_name = u.before ->> 'last_name',
      primary_phone = u.before ->> 'primary_phone', secondary_phone = u.before ->> 'secondary_phone',
      tertiary_phone = u.before ->> 'tertiary_phone', updated_at = (u.before ->> 'updated_at')::timestamptz
    from undone u
    where c.account_id = ${accountId} and c.person_id = u.person_id and u.before is not null
      and c.updated_at = (u.before ->> 'changed_at')::timestamptz`,
  );
  // People who had left are members again, as if added by hand: the next sync leaves them there.
  await writeMembers(
    trx,
    sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select distinct ${accountId}::bigint, g.group_id, c.person_id, c.sort_name
    from undone u cross join lateral unnest(u.left_lists) l(list_id)
    join groups g on g.account_id = ${accountId} and g.group_id = l.list_id and g.deleted_at is null
    join contacts c on c.account_id = ${accountId} and c.person_id = u.person_id and c.deleted_at is null
    on conflict do nothing`,
  );
  await sql`
    insert into integration_people (account_id, integration_id, source_key, person_id, first_name, last_name, phone1,
      phone2, phone3, list_ids)
    select ${accountId}::bigint, ${integrationId}::smallint, k.source_key, k.person_id, k.first_name, k.last_name,
      k.phone1, k.phone2, k.phone3, k.list_ids
    from undone u cross join lateral jsonb_to_recordset(u.known_before) k(source_key text, person_id bigint,
      first_name text, last_name text, phone1 text, phone2 text, phone3 text, list_ids bigint[])
    where u.kind = 'changed'
    on conflict do nothing`.execute(trx);
  await sql`
    delete from integration_changes h using undone u
    where h.account_id = ${accountId} and h.sync_id = ${syncId} and h.person_id = u.person_id`.execute(trx);
  const known = sql`undone where not is_new`;
  await markChanged({ accountId, userId: null, kind: 'undone' }, known, 'person_id').execute(trx);
  await sql`drop table undone`.execute(trx);
  return true;
}
