import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../../db.ts';
import { keepStatistics } from '../../keep-statistics.ts';
import { type NudgedWork, runOnce } from '../../run-once.ts';
import { writeSearch } from '../keep-written.ts';
import { lockContacts } from '../lock-contacts.ts';

/** Contacts per slice: about half a second, in which nobody else changes contacts of the account. */
const sliceRows = 10_000;

export const indexedTables = ['contact_search', 'contact_words', 'known_words'];

/**
 * Adds imported contacts to contact_search afterwards, in slices: indexing the words takes longer than writing the
 * rows. Until then a search scans them one by one. A slice and the rest of its range commit together, so the job can be
 * killed at any time and run twice.
 */
export function createContactIndexing({ database }: { database: Database }): NudgedWork {
  // While PostgreSQL assumed an empty table, deleting contacts compared each row with every contact.
  const begin = () => keepStatistics(database, indexedTables);
  let look = begin();
  return runOnce(async () => {
    const isAny = await asSystem(database, (trx) => indexContacts(trx, sliceRows));
    if (isAny) await look();
    else look = begin();
    return isAny;
  });
}

interface Range {
  account_id: number;
  first_person_id: number;
  last_person_id: number;
}

/** One slice; false when nothing is left, or only what another worker holds. */
export async function indexContacts(trx: Trx, most: number): Promise<boolean> {
  const accountId = await findWaiting(trx);
  if (accountId === undefined) return false;
  // Takes the lock first: undoing an import holds it while it removes a range.
  await lockContacts(trx, accountId);
  const range = await claimRange(trx, accountId);
  if (range === undefined) return false;
  const { rows } = await sql<{ last: number | null }>`
    select max(person_id) as last from (
      select person_id from contacts
      where account_id = ${accountId} and person_id between ${range.first_person_id} and ${range.last_person_id}
      order by person_id limit ${most}) slice`.execute(trx);
  const last = rows[0]?.last ?? range.last_person_id;
  // Contacts that were changed since the import were indexed then.
  await writeSearch(
    trx,
    sql`
    insert into contact_search (account_id, person_id, sort_name, search_text)
    select account_id, person_id, sort_name, contact_search_text(
      first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
    from contacts
    where account_id = ${accountId} and person_id between ${range.first_person_id} and ${last} and deleted_at is null
    on conflict do nothing`,
  );
  await shrinkRange(trx, range, last);
  return true;
}

/**
 * Not while a file or another system's people are still being imported: they would wait for us, slice after
 * slice. A sync may be interrupted and retried for days, so it delays us by an hour at most.
 */
async function findWaiting(trx: Trx): Promise<number | undefined> {
  const { rows } = await sql<{ account_id: number }>`
    select b.account_id from search_backlog b
    where not exists (
      select from file_uploads u where u.account_id = b.account_id and u.stage in ('importing', 'undoing'))
      and not exists (
        select from integration_syncs s where s.account_id = b.account_id and s.state = 'running'
          and s.started_at > now() - interval '1 hour')
    order by b.account_id limit 1`.execute(trx);
  return rows[0]?.account_id;
}

async function claimRange(trx: Trx, accountId: number): Promise<Range | undefined> {
  return trx
    .selectFrom('search_backlog')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('first_person_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

async function shrinkRange(trx: Trx, range: Range, last: number): Promise<void> {
  const isDone = last >= range.last_person_id;
  const where = sql`account_id = ${range.account_id} and first_person_id = ${range.first_person_id}`;
  await (isDone
    ? sql`delete from search_backlog where ${where}`
    : sql`update search_backlog set first_person_id = ${last + 1} where ${where}`
  ).execute(trx);
}
