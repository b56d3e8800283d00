/**
 * Erases a person from an account: their own rows are deleted, rows that count for others (bills, results of
 * broadcasts) stay without them, and others' words about them are redacted. Then every column that can
 * contain words is searched for their phones and their name. Decision 0102 says what is kept, and why.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { changeSealed } from '../audit/change-sealed.ts';
import { now } from '../clock.ts';
import { countMoved, newConsents } from '../consents/count-moved.ts';
import { recordConsents } from '../consents/record-consents.ts';
import { lockContacts } from '../contacts/lock-contacts.ts';
import { type Database, openOwnerPool, type Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { DB } from '../schema.types.ts';
import { withdrawForPhones } from '../texts/withdraw-for-phones.ts';
import { change, count, type Erasure, type Ground, remove, write } from './change-rows.ts';
import { eraseTheirs, remarkUnread } from './erase-theirs.ts';
import { ErasureRefused, type FoundPerson, findPerson, type Wanted } from './find-person.ts';
import { holdsWords, readCatalog, type Table } from './read-catalog.ts';
import { erased, eraseFromJson, makeAlias, ownTables, phoneFates, type Traces, tracesOf } from './rules.ts';
import { searchTraces, showsTrace, type TracesFound } from './search-traces.ts';

class RolledBack extends Error {}

/** Without `really` everything is tried and rolled back: the counts are what would be erased. */
export async function erasePerson(
  database: Database,
  accountId: number,
  wanted: Wanted,
  options: { really: boolean; all: boolean },
): Promise<Erasure> {
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: openOwnerPool(database.url, 1) }) });
  try {
    // First, in its own transaction: even if the rest fails, nothing more is sent to this person.
    if (options.really) await owner.transaction().execute((trx) => optOut(trx, accountId, wanted, options));
    let erasure: Erasure | undefined;
    await owner
      .transaction()
      .execute(async (trx) => {
        erasure = await erase(trx, accountId, wanted, options);
        if (!options.really) throw new RolledBack();
        if (erasure.found.places.length > 0) throw new ErasureRefused(describePlaces(erasure.found));
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    if (erasure === undefined) throw new Error('nothing was erased');
    return erasure;
  } finally {
    await owner.destroy();
  }
}

function describePlaces({ places }: TracesFound): string {
  const list = places.map(({ table, column, rows }) => `${table}.${column} (${rows})`).join(', ');
  return `Nothing was erased, because something would be left: ${list}.`;
}

async function optOut(
  trx: Trx,
  accountId: number,
  wanted: Wanted,
  options: { really: boolean; all: boolean },
): Promise<FoundPerson> {
  await sql`set local role muster_system`.execute(trx);
  const person = await findPerson(trx, accountId, wanted, options.all);
  const { rows } = await sql<{ phone: string; at: Date }>`
    select p.phone, greatest(${now()}::timestamptz, c.text_changed_at, c.voice_changed_at) as at
    from unnest(${person.phones}::text[]) as p(phone)
    left join phone_consents c on c.account_id = ${accountId} and c.phone = p.phone
    where (c.text_state = 'out' and c.voice_state = 'out') is not true`.execute(trx);
  await recordConsents(
    trx,
    rows.map(({ phone, at }) => ({ accountId, phone, at, channel: 'both', state: 'out', source: 'user' })),
    { isTrial: !options.really },
  );
  await withdrawForPhones(
    trx,
    person.phones.map((phone) => ({ accountId, phone })),
  );
  return person;
}

async function erase(
  trx: Trx,
  accountId: number,
  wanted: Wanted,
  options: { really: boolean; all: boolean },
): Promise<Erasure> {
  await holdReaders(trx);
  const catalog = await readCatalog(trx);
  const granted = await takeRights(trx, catalog);
  await lockContacts(trx, accountId);
  const person = await optOut(trx, accountId, wanted, options);
  if (person.personIds.length === 0 && person.phones.length === 0)
    throw new ErasureRefused('Nobody is meant.');
  const erasure: Erasure = {
    ...{ deleted: new Map(), changed: new Map(), kept: new Map(), remarks: person.remarks },
    ...{ pictures: [], uploads: [], found: { tables: 0, columns: 0, places: [] } },
  };
  const aliases = new Map<string, string>();
  for (const phone of person.phones) {
    const alias = makeAlias();
    aliases.set(phone, alias);
    if (phone.startsWith('1')) aliases.set(phone.slice(1), alias);
  }
  const traces = tracesOf(person);
  const ground: Ground = { trx, accountId, person, aliases, traces, erasure };
  await refuseWhileUnderWay(ground);
  await eraseTheirs(ground);
  await keepDoNotText(ground);
  await eraseMatches(ground);
  // One scan of each table shows whether there is anything to redact.
  const { places } = await searchTraces(trx, accountId, traces, { not: ownTables });
  for (const table of catalog) {
    const hit = places.filter((place) => place.table === table.name).map(({ column }) => column);
    await blackOut(ground, { ...table, columns: table.columns.filter(({ name }) => hit.includes(name)) });
    await blackOutNames(ground, table);
  }
  await eraseEvents(ground);
  await remarkUnread(ground);
  erasure.found = await verify(ground);
  await countAliases(ground);
  await sql`reset role`.execute(trx);
  for (const statement of granted) await sql.raw(statement).execute(trx);
  return erasure;
}

/**
 * Whoever reads events is about to write what they say elsewhere, such as the webhook about the opt-out before: it
 * finishes first, and the next one waits. Otherwise a delivery that is written meanwhile would be found at the end, and
 * nothing erased, or be written after the end.
 */
async function holdReaders(trx: Trx): Promise<void> {
  await sql`select from event_readers order by reader for no key update`.execute(trx);
}

/**
 * Ledgers can't be changed by the program. Here they are, by a right that nobody else sees: it is granted and revoked in
 * this one transaction. Revoking also removes the rights on single columns, so those are granted again.
 */
async function takeRights(trx: Trx, catalog: Table[]): Promise<string[]> {
  const { rows } = await sql<{ right: string; name: string; columns: string[] }>`
    select r.right, t.name, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = ('public.' || t.name)::regclass and a.attnum > 0 and not a.attisdropped
        and case when r.right = 'delete' then false else has_column_privilege('muster_system', a.attrelid, a.attnum, r.right) end
      order by a.attnum) as columns
    from unnest(${catalog.map(({ name }) => name)}::text[]) as t(name)
    cross join (values ('select'), ('update'), ('delete')) as r("right")
    where t.name <> 'migrations' and not has_table_privilege('muster_system', 'public.' || t.name, r.right)
    order by 2, 1`.execute(trx);
  for (const { right, name } of rows)
    await sql`grant ${sql.raw(right)} on ${sql.table(name)} to muster_system`.execute(trx);
  return rows.flatMap(({ right, name, columns }) => [
    `revoke ${right} on "${name}" from muster_system`,
    ...(columns.length > 0
      ? [`grant ${right} (${columns.map((each) => `"${each}"`).join(', ')}) on "${name}" to muster_system`]
      : []),
  ]);
}

/** Texts held by a carrier or a worker at this moment can't be removed. */
async function refuseWhileUnderWay({ trx, accountId, person }: Ground): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select 'A text to this phone is being handed to the carrier' as what from outbox
    where account_id = ${accountId} and phone = any(${person.phones}::text[])
    union all
    select 'A call to this phone waits or is under way' from call_queue q
    join calls c on c.account_id = q.account_id and c.call_id = q.call_id
    where q.account_id = ${accountId} and c.phone = any(${person.phones}::text[])
    union all
    select 'A file that this person is in is being imported' from file_uploads f
    where f.account_id = ${accountId} and f.stage in ('processing', 'importing', 'undoing')
    limit 1`.execute(trx);
  const [first] = rows;
  if (first !== undefined)
    throw new ErasureRefused(`${first.what}: try again when that has ended. They are opted out already.`);
}

/** Of the phone's consents only the opt-outs are kept, without their circumstances. */
async function keepDoNotText(ground: Ground): Promise<void> {
  const { trx, accountId, person, aliases, erasure } = ground;
  const theirs = sql`phone = any(${person.phones}::text[])`;
  await remove(ground, 'consent_ledger', sql`${theirs} and state <> 'out'`);
  await change(
    ground,
    'consent_ledger',
    sql`wording = '', address = '', message_id = null, user_id = null, file_id = null`,
    theirs,
  );
  await change(
    ground,
    'phone_consents',
    sql`file_id = null, declared_at = null, text_state = 'out', voice_state = 'out',
      text_changed_at = case text_state when 'out' then text_changed_at else now() end,
      voice_changed_at = case voice_state when 'out' then voice_changed_at else now() end`,
    theirs,
  );
  // An alias is never texted or called, even if a user selects those recipients again.
  await sql`
    insert into ${sql.table('phone_consents')}
      (account_id, phone, text_state, text_changed_at, voice_state, voice_changed_at)
    select ${accountId}, alias, 'out', now(), 'out', now() from unnest(${[...new Set(aliases.values())]}::text[]) alias`.execute(
    trx,
  );
  for (const table of ['consent_ledger', 'phone_consents']) {
    const { rows } = await sql<{ many: number }>`
      select count(*)::int as many from ${sql.table(table)} where account_id = ${accountId} and ${theirs}`.execute(
      trx,
    );
    count(erasure.kept, table, rows[0]?.many ?? 0);
  }
}

/** Last, because everybody who opts out in this quarter of an hour waits for its row until this transaction ends. */
async function countAliases({ trx, accountId, aliases }: Ground): Promise<void> {
  await sql`with moved as (${newConsents(accountId, [...new Set(aliases.values())])}) ${countMoved}`.execute(
    trx,
  );
}

/** Erases temporary copies of texts: mails, webhooks, stored replies to repeated calls, changes that can be undone. */
async function eraseMatches(ground: Ground): Promise<void> {
  const { trx, accountId, traces, person, erasure } = ground;
  const people = sql`${person.personIds}::bigint[]`;
  const either = (columns: string[], pattern: string) =>
    sql`concat_ws(' | ', ${sql.join(columns.map((name) => sql.ref(name)))}) ~* ${pattern}`;
  if (traces.words !== '') {
    await remove(ground, 'mails', either(['to_address', 'subject', 'body_text', 'body_html'], traces.words));
    const { rows } = await sql<{ id: number }>`
      select delivery_id as id from webhook_deliveries
      where account_id = ${accountId} and body ~* ${ofThem(ground)}`.execute(trx);
    const deliveries = sql`any(${rows.map(({ id }) => id)}::bigint[])`;
    for (const table of ['webhook_attempts', 'webhook_deliveries'])
      await remove(ground, table, sql`delivery_id = ${deliveries}`);
    await change(ground, 'idempotency_keys', sql`reply = '{}'`, sql`reply::text ~* ${ofThem(ground)}`);
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table('carrier_inbound')}
      where (from_phone ~* ${traces.words} or body ~* ${traces.words} or media::text ~* ${traces.words})
        and exists (select from text_numbers n where n.account_id = ${accountId} and n.phone = ltrim(to_phone, '+'))`.execute(
      trx,
    );
    count(erasure.deleted, 'carrier_inbound', Number(numAffectedRows));
    const { numAffectedRows: parts = 0n } = await sql`
      delete from ${sql.table('inbound_parts')}
      where (from_phone ~* ${traces.words} or body ~* ${traces.words})
        and exists (select from text_numbers n where n.account_id = ${accountId} and n.phone = ltrim(to_phone, '+'))`.execute(
      trx,
    );
    count(erasure.deleted, 'inbound_parts', Number(parts));
  }
  const { rows: undos } = await sql<{ id: number }>`
    select undo_id as id from undo_rows where account_id = ${accountId} and row_id = any(${people})
    union select undo_id from undo_sets where account_id = ${accountId} and row_ids && ${people}
    union select undo_id from undos where account_id = ${accountId} and data::text ~* ${traces.json || 'a^'}`.execute(
    trx,
  );
  const ids = sql`any(${undos.map(({ id }) => id)}::bigint[])`;
  for (const table of ['undo_rows', 'undo_sets', 'undos']) await remove(ground, table, sql`undo_id = ${ids}`);
}

/** A trace, or their id in the format of our own replies and webhooks. */
function ofThem({ traces, person }: Ground): string {
  const ids =
    person.personIds.length === 0 ? [] : [`"PersonID":\\s*(?:${person.personIds.join('|')})(?![0-9])`];
  return [traces.json, ...ids].join('|');
}

/** Everywhere else, in any table: the phone and the name are redacted. */
async function blackOut(ground: Ground, table: Table): Promise<void> {
  const { traces, aliases } = ground;
  const isLeft = ownTables.includes(table.name) || table.name === 'events' || !table.hasAccount;
  if (isLeft || traces.words === '') return;
  const fate = (column: string) => phoneFates[`${table.name}.${column}`];
  const columns = table.columns.filter((column) => holdsWords(column) && !column.isGenerated);
  for (const column of columns) {
    const { name, type } = column;
    if (fate(name) === 'kept' || fate(name) === 'own') continue;
    const value = sql.ref(name);
    if (type === 'phone') {
      for (const [phone, alias] of aliases)
        await change(ground, table.name, sql`${value} = ${alias}`, sql`${value} = ${phone}`);
    } else if (type.startsWith('json')) {
      await blackOutJson(ground, table.name, name);
    } else if (type.endsWith('[]')) {
      await change(
        ground,
        table.name,
        sql`${value} = array(select regexp_replace(each, ${traces.words}, ${erased}, 'gi') from unnest(${value}) each)`,
        showsTrace(column, traces),
      );
    } else {
      await change(
        ground,
        table.name,
        sql`${value} = regexp_replace(${value}, ${traces.words}, ${erased}, 'gi')`,
        showsTrace(column, traces),
      );
    }
  }
}

/** A name in two columns of a row. */
async function blackOutNames(ground: Ground, table: Table): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const isAbout = table.hasAccount && names.includes('first_name') && names.includes('last_name');
  if (!isAbout || ownTables.includes(table.name)) return;
  for (const { first, last } of ground.person.names) {
    await change(
      ground,
      table.name,
      sql`first_name = '', last_name = ''`,
      sql`lower(trim(first_name)) = lower(trim(${first}::text)) and lower(trim(last_name)) = lower(trim(${last}::text))`,
    );
  }
}

async function blackOutJson(ground: Ground, table: string, column: string): Promise<void> {
  const { trx, accountId, traces, person, aliases, erasure } = ground;
  const value = sql.ref(column);
  const { rows } = await sql<{ place: string; part: string; value: unknown }>`
    select ctid::text as place, tableoid::text as part, ${value} as value from ${sql.table(table)}
    where account_id = ${accountId} and ${value}::text ~* ${traces.json} for update`.execute(trx);
  for (const { place, part, value: held } of rows) {
    const statement = sql`
      update ${sql.table(table)} set ${value} = ${JSON.stringify(eraseFromJson(held, person, aliases))}
      where ctid = ${place}::tid and tableoid = ${part}::oid`;
    await write(trx, table, statement);
  }
  count(erasure.changed, table, rows.length);
}

/**
 * The audit log's mentions of them. The last event keeps the hash that each changed seal is checked with
 * afterwards.
 */
async function eraseEvents(ground: Ground): Promise<void> {
  const { trx, accountId, person, traces } = ground;
  const about = sql`(kind like 'contact%' and changes is not null and (subject_id = any(${person.personIds}::bigint[])
    or subject_ids && ${person.personIds}::bigint[]))`;
  const mentions = traces.json === '' ? sql`false` : sql`changes::text ~* ${traces.json}`;
  const { rows } = await sql<{ id: number }>`
    select event_id as id from events where account_id = ${accountId} and (${about} or ${mentions})`.execute(
    trx,
  );
  const { reseals, isIntact } = await changeSealed(
    trx,
    accountId,
    rows.map(({ id }) => id),
    async () => {
      await change(ground, 'events', sql`changes = null`, about);
      if (traces.json !== '') await blackOutJson(ground, 'events', 'changes');
    },
  );
  if (!isIntact)
    throw new ErasureRefused(
      'The audit log was changed by somebody: run server/audit/verify-seals.ts, and find out before anything is erased from it.',
    );
  await recordEvents(trx, { accountId, isOperator: true }, [
    {
      kind: 'contact.erased',
      ids: person.personIds,
      count: Math.max(1, person.personIds.length),
      changes: { Seals: reseals.map(({ sealId, hash }) => [sealId, hash]) },
    },
  ]);
}

/**
 * Everything is searched again. Intentional data is not counted: the do-not-text entries, and the
 * organization's own.
 */
async function verify({ trx, accountId, traces, person }: Ground): Promise<TracesFound> {
  const found = await searchTraces(trx, accountId, traces, { not: ownTables });
  const jobs = await countJobs(trx, accountId, traces);
  const places = found.places.filter(({ table, column }) => {
    const fate = phoneFates[`${table}.${column}`];
    return fate !== 'kept' && fate !== 'own';
  });
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from contacts
    where account_id = ${accountId} and person_id = any(${person.personIds}::bigint[])`.execute(trx);
  const contacts = rows[0]?.many ?? 0;
  return {
    ...found,
    places: [
      ...places,
      ...(contacts > 0 ? [{ table: 'contacts', column: 'person_id', rows: contacts }] : []),
      ...(jobs > 0 ? [{ table: 'graphile_worker._private_jobs', column: 'payload', rows: jobs }] : []),
    ],
  };
}

/** Jobs name things by their ids; they are searched all the same. */
async function countJobs(trx: Trx, accountId: number, traces: Traces): Promise<number> {
  if (traces.words === '') return 0;
  await sql`reset role`.execute(trx);
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from graphile_worker._private_jobs
    where payload::text ~* ${traces.words} and (payload ->> 'accountId') = ${String(accountId)}`.execute(trx);
  await sql`set local role muster_system`.execute(trx);
  return rows[0]?.many ?? 0;
}
