/**
 * Synchronizes contacts with another system. A sync goes
 *
 *   running ──▶ done ──▶ undoing ──▶ undone
 *      ├──▶ held (too many would be removed) ──▶ declined, and a new one runs if a user confirms
 *      └──▶ failed (the other system is down, or no longer lets us in)
 *
 * People are read with no transaction open, and written slice by slice, each in its own transaction. A sync
 * that is interrupted starts over: rows that already match are not written again.
 */
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { integrationLimits } from '../../contract/integrations.ts';
import {
  forgetUnchanged,
  leaveGroups,
  markSynced,
  type SyncPlan,
  writeSyncRows,
} from '../contacts/change/sync-contacts.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { asAccount, type Database, isDatabaseDown, type Trx } from '../db.ts';
import { matchesInBook, noMatches, preferIndexes } from '../imports/import-slice.ts';
import { countryOf } from '../imports/queries.ts';
import { searchableAtOnce } from '../imports/rules.ts';
import { joinWholeTables, keepStatistics } from '../keep-statistics.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import { type SourceChanges, SourceError, sourceProblems } from '../outside/contact-source.ts';
import { recordChangedContacts } from '../record-changed-contacts.ts';
import { recordEvents } from '../record-events.ts';
import { letGo } from './keep-groups.ts';
import type { Sources } from './open-source.ts';
import { readKeptGroups } from './queries.ts';
import { daily, findEntry, isTooManyLeaving, retry, sliceRows } from './rules.ts';
import { tellOfHeldSync, tellOfLockout } from './tell-of-sync.ts';
import { type TidyPerson, tidyPerson } from './tidy-person.ts';

/** A connection that this process is working on. */
export interface HeldIntegration {
  accountId: number;
  integrationId: number;
  userId: number;
  askedBy: number | null;
  isConfirmed: boolean;
  mark: string | null;
  leaseId: string;
}

interface SyncRow extends TidyPerson {
  listIds: number[];
}

interface Wanted {
  rows: SyncRow[];
  skipped: number;
  /** Keys of people who have left, if the source reports them. */
  gone: string[] | null;
  mark: string | null;
}

/** The tables that a first sync fills within a minute, and that each slice reads. */
export const grownTables = [
  ...['contacts', 'group_members', 'integration_people', 'integration_members', 'integration_changes'],
];

export interface SyncContext {
  database: Database;
  sources: Sources;
  publicUrl: string;
  log: Log;
  /** Aborted when the process ends: a sync stops after its slice. */
  stopping: AbortSignal;
}

export async function syncHeld(
  { database, sources, publicUrl, log, stopping }: SyncContext,
  held: HeldIntegration,
): Promise<void> {
  const { accountId, integrationId } = held;
  const syncId = await beginSync(database, held);
  try {
    const wanted = await readWanted({ database, sources }, held);
    if (wanted === undefined) {
      await endSync(database, held, syncId, { state: 'done', mark: null });
      return;
    }
    const start = await asAccount(database, accountId, (trx) => readStart(trx, held));
    const leaving =
      held.isConfirmed || start.isFirst ? undefined : await findMassLeaving(database, held, wanted);
    if (leaving !== undefined) {
      await holdSync({ database, publicUrl }, held, syncId, leaving);
      return;
    }
    const plan: SyncPlan & Start = {
      ...{ accountId, integrationId, syncId, userId: held.userId, ...start },
      isSearchableAtOnce: wanted.rows.length <= searchableAtOnce,
    };
    const look = keepStatistics(database, grownTables);
    for (const [at, slice] of slicesOf(wanted.rows).entries()) {
      // Once the first slice is written there is something to see.
      if (at > 0) await look();
      if (stopping.aborted) throw new NotHeld();
      await writeSlice(database, held, plan, slice);
    }
    await asAccount(database, accountId, async (trx) => {
      await refuseUnlessHeld(trx, held);
      await lockContacts(trx, accountId);
      await preferIndexes(trx);
      if (!plan.isFirst) await leaveGroups(trx, plan, await goneCondition(trx, wanted));
      await forgetUnchanged(trx, plan);
      await markSynced(trx, plan);
    });
    await endSync(database, held, syncId, { state: 'done', mark: wanted.mark, skipped: wanted.skipped });
  } catch (error) {
    // Whatever failed because the process ends, the next one does.
    if (stopping.aborted) throw new NotHeld();
    const problem = plainProblem(error, held);
    if (problem !== error) log.error({ err: error, integration: integrationId }, 'a sync failed');
    // A directory locks the account after a wrong password every hour.
    const retryAfter = problem.problem === 'login' ? daily : retry;
    // A system that is down recovers by itself. A wrong password doesn't.
    const isLockedOut = problem.problem === 'login';
    const isNew = await endSync(database, held, syncId, {
      state: 'failed',
      mark: held.mark,
      error: problem.message,
      isLockedOut,
      retryAfter,
    });
    if (isLockedOut && isNew)
      await asAccount(database, accountId, (trx) => tellOfLockout(trx, publicUrl, held));
  }
}

/**
 * The message for any error, so that a sync that can't succeed ends. It is thrown on only if the next try can go better at
 * once: another worker has taken the sync over, or the database is away or was in a deadlock.
 */
function plainProblem(error: unknown, { integrationId }: HeldIntegration): SourceError {
  if (error instanceof SourceError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof NotHeld || isDatabaseDown(error) || code.startsWith('40')) throw error;
  return sourceProblems.failed(findEntry(integrationId)?.name ?? '');
}

/** An interrupted one continues under its number. */
async function beginSync(database: Database, held: HeldIntegration): Promise<number> {
  const { accountId, integrationId } = held;
  return asAccount(database, accountId, async (trx) => {
    const own = sql`account_id = ${accountId} and integration_id = ${integrationId}`;
    await sql`update integration_syncs set state = 'declined' where ${own} and state = 'held'`.execute(trx);
    const { rows } = await sql<{ syncId: number }>`
      select sync_id as "syncId" from integration_syncs where ${own} and state = 'running'
      order by sync_id desc limit 1`.execute(trx);
    const [running] = rows;
    if (running !== undefined) return running.syncId;
    const { sync_id } = await trx
      .insertInto('integration_syncs')
      .values({ account_id: accountId, integration_id: integrationId, user_id: held.askedBy })
      .returning('sync_id')
      .executeTakeFirstOrThrow();
    await notify(trx, accountId, [{ type: 'integrations.changed' }]);
    return sync_id;
  });
}

/** The members of the synchronized groups; undefined without any such group. */
async function readWanted(
  { database, sources }: Pick<SyncContext, 'database' | 'sources'>,
  { accountId, integrationId, mark }: HeldIntegration,
): Promise<Wanted | undefined> {
  const { kept, countryId } = await asAccount(database, accountId, async (trx) => {
    const groups = await readKeptGroups(trx, accountId, integrationId);
    // A user who deleted a group in contacts no longer wants it.
    await letGo(trx, { accountId, integrationId, keys: groups.map(({ groupKey }) => groupKey) });
    return { kept: groups, countryId: await countryOf(trx, accountId) };
  });
  if (kept.length === 0) return undefined;
  const listOf = new Map(kept.map(({ groupKey, listId }) => [groupKey, listId]));
  const source = await sources.open(accountId, integrationId);
  const changes = await source.changesSince(mark);
  if (changes.contacts.length > integrationLimits.people)
    throw sourceProblems.tooMany(findEntry(integrationId)?.name ?? '');
  return tidyAll(changes, listOf, countryId);
}

/** Number of people parsed before yielding to others: a phone takes some 20 µs. */
const tidiedAtOnce = 1_000;

async function tidyAll(
  changes: SourceChanges,
  listOf: Map<string, number>,
  countryId: number,
): Promise<Wanted> {
  const rows = new Map<string, SyncRow>();
  const gone = [...changes.gone];
  let skipped = 0;
  for (const [place, contact] of changes.contacts.entries()) {
    if (place % tidiedAtOnce === 0) await setImmediate();
    const listIds = [...new Set(contact.groups.flatMap((key) => listOf.get(key) ?? []))].sort(
      (a, b) => a - b,
    );
    const person = listIds.length === 0 ? undefined : tidyPerson(contact, countryId);
    if (listIds.length > 0 && person === undefined) skipped += 1;
    if (person === undefined) gone.push(contact.key);
    else rows.set(person.key, { ...person, listIds });
  }
  return { rows: [...rows.values()], skipped, gone: changes.isWhole ? null : gone, mark: changes.mark };
}

/** Comparisons that a sync can leave out because there is nothing to compare with. */
interface Start {
  /** Nobody was known from there: nobody can leave. */
  isFirst: boolean;
  /** There was no contact at all: only contacts of others are compared, which are added meanwhile. */
  isAlone: boolean;
}

async function readStart(trx: Trx, { accountId, integrationId }: HeldIntegration): Promise<Start> {
  const own = sql`account_id = ${accountId} and integration_id = ${integrationId}`;
  const { rows } = await sql<Start>`
    select not exists (select from integration_people where ${own})
        and not exists (select from integration_members where ${own}) as "isFirst",
      not exists (select from contacts where account_id = ${accountId} and deleted_at is null) as "isAlone"`.execute(
    trx,
  );
  return rows[0] ?? { isFirst: false, isAlone: false };
}

/** Slices that don't separate people with the same first phone: they become one contact. */
function slicesOf(rows: SyncRow[]): SyncRow[][] {
  const slices: SyncRow[][] = [];
  let slice: SyncRow[] = [];
  for (const same of Map.groupBy(rows, ({ phone1 }) => phone1).values()) {
    if (slice.length >= sliceRows) {
      slices.push(slice);
      slice = [];
    }
    for (const row of same) slice.push(row);
  }
  return slice.length === 0 ? slices : [...slices, slice];
}

interface Leaving {
  leaving: number;
  people: number;
  /** The groups in contacts that they leave; none if they leave all of them. */
  listIds: number[];
}

/**
 * If too many would leave: everybody whom we know from there, or those in some of the groups, such as when a column of
 * the sheet was emptied.
 */
async function findMassLeaving(
  database: Database,
  { accountId, integrationId }: HeldIntegration,
  { rows, gone }: Wanted,
): Promise<Leaving | undefined> {
  const named = [...rows, ...(gone ?? []).map((key) => ({ key, listIds: [] }))];
  const after = sql`
    select k.list_ids as before, coalesce(named.list_ids, ${gone === null ? sql`'{}'` : sql`k.list_ids`}) as after
    from integration_people k
    left join (
      select distinct on (key) key collate "C" as key, lists::bigint[] as list_ids
      from unnest(${named.map(({ key }) => key)}::text[],
        ${named.map(({ listIds }) => `{${listIds.join(',')}}`)}::text[]) given(key, lists)) named
      on named.key = k.source_key
    where k.account_id = ${accountId} and k.integration_id = ${integrationId}`;
  return asAccount(database, accountId, async (trx) => {
    await joinWholeTables(trx);
    const { rows: counted } = await sql<{ listId: number | null; people: number; leaving: number }>`
      with people as materialized (${after})
      select null::bigint as "listId", count(*)::int as people, count(*) filter (where after = '{}')::int as leaving
      from people
      union all
      select list_id, count(*)::int, count(*) filter (where list_id <> all(after))::int
      from people cross join lateral unnest(before) l(list_id) group by list_id`.execute(trx);
    const tooMany = counted.filter(({ leaving, people }) => isTooManyLeaving(leaving, people));
    const all = tooMany.find(({ listId }) => listId === null);
    if (tooMany.length === 0) return undefined;
    if (all !== undefined) return { ...all, listIds: [] };
    const listIds = tooMany.flatMap(({ listId }) => listId ?? []).sort((a, b) => a - b);
    const { rows: sums } = await sql<{ people: number; leaving: number }>`
      with people as materialized (${after})
      select count(*)::int as people, count(*) filter (where exists (
          select from unnest(before) l(list_id)
          where list_id = any(${listIds}::bigint[]) and list_id <> all(after)))::int as leaving
      from people where before && ${listIds}::bigint[]`.execute(trx);
    return { people: sums[0]?.people ?? 0, leaving: sums[0]?.leaving ?? 0, listIds };
  });
}

async function goneCondition(trx: Trx, { rows, gone }: Wanted) {
  await sql`
    create temporary table sync_keys on commit drop as
    select distinct key collate "C" as key from unnest(${gone ?? rows.map(({ key }) => key)}::text[]) named(key)`.execute(
    trx,
  );
  await sql`analyze sync_keys`.execute(trx);
  return gone === null
    ? sql`not exists (select from sync_keys n where n.key = k.source_key)`
    : sql`exists (select from sync_keys n where n.key = k.source_key)`;
}

async function writeSlice(
  database: Database,
  held: HeldIntegration,
  plan: SyncPlan & Start,
  slice: SyncRow[],
): Promise<void> {
  await asAccount(database, held.accountId, async (trx) => {
    await refuseUnlessHeld(trx, held);
    await lockContacts(trx, held.accountId);
    // As in an import: a tenth of the usual sample is enough for the table of a slice.
    await sql`
      set local synchronous_commit = off; set local work_mem = '32MB'; set local default_statistics_target = 10`.execute(
      trx,
    );
    await preferIndexes(trx);
    const many = await stageSlice(trx, plan, slice);
    if (many === 0) return;
    await writeSyncRows(trx, plan);
    await sql`drop table sync_rows`.execute(trx);
    await notify(trx, held.accountId, [{ type: 'contacts.changed' }, { type: 'integrations.changed' }]);
  });
}

/**
 * The people of the slice whose data in the source has changed since the last time, each with their contact.
 */
async function stageSlice(trx: Trx, plan: SyncPlan & Start, slice: SyncRow[]): Promise<number> {
  const { accountId, integrationId } = plan;
  const changed = plan.isFirst
    ? sql`select g.*, null::bigint as person_id, false as is_known from given g`
    : sql`
      select g.*, k.person_id, k.source_key is not null as is_known
      from given g
      left join integration_people k on k.account_id = ${accountId} and k.integration_id = ${integrationId}
        and k.source_key = g.source_key
      where k.source_key is null or (g.first_name, g.last_name, g.phone1, g.phone2, g.phone3, g.list_ids)
        is distinct from (k.first_name, k.last_name, k.phone1, k.phone2, k.phone3, k.list_ids)`;
  const isAlone = plan.isAlone && !(await hasOthers(trx, plan));
  const book = matchesInBook({ accountId, fileId: 0, onlyUserId: null, duplicates: 'update' });
  const column = <T>(pick: (row: SyncRow) => T) => slice.map(pick);
  await sql`
    create temporary table sync_rows on commit drop as
    with given as materialized (
      select place::int, source_key collate "C" as source_key, first_name, last_name, phone1, phone2, phone3,
        list_ids::bigint[] as list_ids
      from unnest(${column(({ key }) => key)}::text[], ${column(({ firstName }) => firstName)}::text[],
        ${column(({ lastName }) => lastName)}::text[], ${column(({ phone1 }) => phone1)}::text[],
        ${column(({ phone2 }) => phone2)}::text[], ${column(({ phone3 }) => phone3)}::text[],
        ${column(({ listIds }) => `{${listIds.join(',')}}`)}::text[])
        with ordinality g(source_key, first_name, last_name, phone1, phone2, phone3, list_ids, place)
    ),
    changed as materialized (${changed})
    select r.place, r.source_key, r.first_name, r.last_name, r.phone1, r.phone2, r.phone3, r.list_ids, r.is_known,
      false as is_new, coalesce(r.person_id, first_phone.person_id, other_phone.person_id) as person_id
    from changed r ${isAlone ? noMatches : book}
    order by r.place`.execute(trx);
  await sql`analyze sync_rows (place, person_id, source_key, phone1)`.execute(trx);
  const { rows } = await sql<{ many: number }>`select count(*)::int as many from sync_rows`.execute(trx);
  const many = rows[0]?.many ?? 0;
  if (many === 0) await sql`drop table sync_rows`.execute(trx);
  return many;
}

/** True if there are contacts that this sync can't have created. */
async function hasOthers(trx: Trx, { accountId, userId }: SyncPlan): Promise<boolean> {
  const some = (which: RawBuilder<unknown>) =>
    sql`exists (select from contacts where account_id = ${accountId} and deleted_at is null and ${which})`;
  const { rows } = await sql<{ found: boolean }>`
    select ${some(sql`created_by_user_id < ${userId}::bigint`)} or ${some(sql`created_by_user_id > ${userId}::bigint`)}
      or ${some(sql`created_by_user_id is null`)}
      or ${some(sql`created_by_user_id = ${userId}::bigint and file_id is not null`)} as found`.execute(trx);
  return rows[0]?.found === true;
}

/** If two processes think that they hold it, the one that doesn't writes nothing. */
async function refuseUnlessHeld(
  trx: Trx,
  { accountId, integrationId, leaseId }: HeldIntegration,
): Promise<void> {
  const { rows } = await sql`
    select from integrations where account_id = ${accountId} and integration_id = ${integrationId}
      and lease_id = ${leaseId} for no key update`.execute(trx);
  if (rows.length === 0) throw new NotHeld();
}

export class NotHeld extends Error {
  override name = 'NotHeld';
}

async function holdSync(
  { database, publicUrl }: Pick<SyncContext, 'database' | 'publicUrl'>,
  held: HeldIntegration,
  syncId: number,
  { leaving, people, listIds }: Leaving,
): Promise<void> {
  const { accountId, integrationId } = held;
  await asAccount(database, accountId, async (trx) => {
    await refuseUnlessHeld(trx, held);
    await sql`
      update integration_syncs set state = 'held', ended_at = now(), left_count = ${leaving}, people_before = ${people},
        held_lists = ${listIds}::bigint[]
      where account_id = ${accountId} and sync_id = ${syncId}`.execute(trx);
    await sql`
      update integrations set next_sync_at = null, mark = null, lease_id = null, lease_until = null, error = '',
        is_locked_out = false
      where account_id = ${accountId} and integration_id = ${integrationId}`.execute(trx);
    const changes = { SyncID: syncId, LeftCount: leaving, PersonCount: people };
    await recordEvents(trx, { accountId }, [{ kind: 'integration.syncHeld', id: integrationId, changes }]);
    const groups = (await readKeptGroups(trx, accountId, integrationId))
      .filter(({ listId }) => listIds.includes(listId))
      .map(({ listName }) => listName);
    await tellOfHeldSync(trx, publicUrl, { ...held, leaving, people, groups: [...new Set(groups)] });
    await notify(trx, accountId, [{ type: 'integrations.changed' }]);
  });
}

interface SyncEnd {
  state: 'done' | 'failed';
  mark: string | null;
  skipped?: number;
  error?: string;
  isLockedOut?: boolean;
  retryAfter?: string;
}

/** Returns whether it wasn't known yet that the other system no longer lets us in. */
async function endSync(
  database: Database,
  held: HeldIntegration,
  syncId: number,
  { state, mark, skipped = 0, error = '', isLockedOut = false, retryAfter = daily }: SyncEnd,
): Promise<boolean> {
  const { accountId, integrationId } = held;
  const isDone = state === 'done';
  return asAccount(database, accountId, async (trx) => {
    await refuseUnlessHeld(trx, held);
    const { rows } = await sql<{ added: number; changed: number; left_count: number }>`
      update integration_syncs s
      set state = ${state}, ended_at = now(), added = c.added, changed = c.changed, left_count = c.left_count,
        skipped = ${skipped}, error = ${error}
      from (
        select count(*) filter (where kind = 'added')::int as added,
          count(*) filter (where kind = 'changed')::int as changed,
          count(*) filter (where kind = 'left')::int as left_count
        from integration_changes where account_id = ${accountId} and sync_id = ${syncId}) c
      where s.account_id = ${accountId} and s.sync_id = ${syncId}
      returning s.added, s.changed, s.left_count`.execute(trx);
    const { rows: ended } = await sql<{ wasLockedOut: boolean }>`
      update integrations i set error = ${error}, is_locked_out = ${isLockedOut} or (is_locked_out and not ${isDone}),
        mark = ${mark}, lease_id = null, lease_until = null,
        is_confirmed = case when ${isDone} then false else is_confirmed end, asked_by = null,
        next_sync_at = case when not exists (
            select from integration_groups g
            where g.account_id = i.account_id and g.integration_id = i.integration_id) then null
          else now() + ${retryAfter}::interval end
      where account_id = ${accountId} and integration_id = ${integrationId}
      returning old.is_locked_out as "wasLockedOut"`.execute(trx);
    const { added = 0, changed = 0, left_count = 0 } = rows[0] ?? {};
    if (added + changed + left_count > 0) {
      const changes = {
        ...{ SyncID: syncId, AddedCount: added, ChangedCount: changed },
        ...{ LeftCount: left_count, SkippedCount: skipped },
      };
      await recordChangedContacts(
        trx,
        accountId,
        sql`
          select person_id from integration_changes
          where account_id = ${accountId} and sync_id = ${syncId} and not is_new
            and (before is not null or joined_lists <> '{}' or left_lists <> '{}')`,
      );
      const by = { accountId, ...(held.askedBy === null ? {} : { userId: held.askedBy }) };
      await recordEvents(trx, by, [{ kind: 'integration.synced', id: integrationId, changes }]);
    }
    await notify(trx, accountId, [{ type: 'contacts.changed' }, { type: 'integrations.changed' }]);
    return ended[0]?.wasLockedOut === false;
  });
}
