/**
 * `npx muster spread`: prepares a database for Citus, which spreads tenants' tables over machines. It takes away
 * what such tables can't have and what this version does without: unique keys across accounts, which the
 * directories of migration 0392 replace, and triggers, since statements keep counts and search words themselves.
 * Processes of the version before rely on both: from then on they refuse to start.
 */
import pg from 'pg';
import { lockInShortTurns, MigrationError, migrationLock, migrationNames } from './migrate.ts';

/** The migration that processes beside a prepared database have to know. */
const directories = '0392_directories.sql';

/** Unique keys across accounts: one per account stays in its place, and an index to find rows by. */
const keys = [
  {
    ...{ name: 'users_name', table: 'users', column: 'lower(user_name)', where: '' },
    ...{ inAccount: 'users_name_in_account', lookup: 'users_name_lookup' },
  },
  {
    ...{
      name: 'text_numbers_phone',
      table: 'text_numbers',
      column: 'phone',
      where: 'where released_at is null',
    },
    ...{ inAccount: 'text_numbers_phone_in_account', lookup: 'text_numbers_phone_lookup' },
  },
] as const;

interface Left {
  keys: string[];
  /** Each with its table. */
  triggers: { table: string; name: string }[];
  isMarked: boolean;
}

async function readLeft(client: pg.ClientBase): Promise<Left> {
  const { rows } = await client.query<Left>(
    `select
      array(select name from unnest($1::text[]) as name where to_regclass('public.' || name) is not null) as keys,
      coalesce((
        select json_agg(json_build_object('table', c.relname, 'name', g.tgname) order by c.relname, g.tgname)
        from pg_trigger g join pg_class c on c.oid = g.tgrelid
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and not c.relispartition
          and not g.tgisinternal and starts_with(g.tgname, 'keep_')), '[]') as triggers,
      exists (select from migrations where name = $2 and needs is not null) as "isMarked"`,
    [keys.map(({ name }) => name), directories],
  );
  return rows[0] ?? { keys: [], triggers: [], isMarked: false };
}

/** True for a database that `npx muster spread` has prepared. */
export async function isSpread(client: pg.ClientBase): Promise<boolean> {
  // A database from before 0133 has no such column.
  const { rows } = await client.query<{ isMarked: boolean }>(
    `select exists (select from migrations m where name = $1 and to_jsonb(m) ->> 'needs' is not null) as "isMarked"`,
    [directories],
  );
  return rows[0]?.isMarked === true;
}

const warning =
  'Every process has to be of this version or a later one. Older ones refuse to start from now on, and those that still run say 503 on /readyz: stop them.';

/** Returns what was done, in sentences. Running it again completes what is missing, and else changes nothing. */
export async function spreadDatabase(
  databaseUrl: string,
  say: (sentence: string) => void,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'muster_spread' });
  await client.connect();
  try {
    // No migration runs meanwhile.
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseUnlessMigrated(client);
    const left = await readLeft(client);
    if (left.keys.length > 0 || left.triggers.length > 0 || !left.isMarked) say(warning);
    return await lockInShortTurns(client, { name: 'npx muster spread', say }, () => prepare(client, left));
  } finally {
    await client.end();
  }
}

async function refuseUnlessMigrated(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ missing: string | null }>(
    'select (select min(name) from unnest($1::text[]) as name where name not in (select m.name from migrations m)) as missing',
    [await migrationNames()],
  );
  const missing = rows[0]?.missing;
  if (missing)
    throw new MigrationError(
      `The database lacks ${missing}: start a process of this version, or run "node server/migrate.ts".`,
    );
}

async function prepare(client: pg.Client, left: Left): Promise<string[]> {
  const tables = [
    ...keys.filter(({ name }) => left.keys.includes(name)).map(({ table }) => table),
    ...left.triggers.map(({ table }) => table),
  ];
  // All of them before anything is changed, so that they are held as briefly as possible. Nobody who has written a
  // user or a text number is between that and the directory then.
  if (tables.length > 0) await client.query(`lock table ${[...new Set(tables)].sort().join(', ')}`);
  const { added, removed } = await completeDirectories(client);
  for (const { name, table, column, where, inAccount, lookup } of keys) {
    if (!left.keys.includes(name)) continue;
    await client.query(
      `create unique index if not exists ${inAccount} on ${table} (account_id, ${column}) ${where}`,
    );
    await client.query(`create index if not exists ${lookup} on ${table} (${column}) ${where}`);
    await client.query(`drop index ${name}`);
  }
  for (const { table, name } of left.triggers) await client.query(`drop trigger "${name}" on "${table}"`);
  await client.query('update migrations set needs = name where name = $1', [directories]);
  return describe(left, added + removed);
}

/** By the role that sees the rows of all accounts, which the owner may not. */
async function completeDirectories(client: pg.Client): Promise<{ added: number; removed: number }> {
  await client.query('set local role muster_system');
  const { rows } = await client.query<{ added: string; removed: string }>(
    'select added, removed from complete_directories()',
  );
  await client.query('reset role');
  return { added: Number(rows[0]?.added), removed: Number(rows[0]?.removed) };
}

function describe({ keys: dropped, triggers, isMarked }: Left, entries: number): string[] {
  const done = [
    ...(entries === 0
      ? []
      : [
          `The directories of user names and phones are complete: ${count(entries, 'entry', 'entries')} changed.`,
        ]),
    ...(dropped.length === 0
      ? []
      : [
          `${dropped.join(' and ')} ${dropped.length === 1 ? 'is' : 'are'} gone: the directories refuse names and phones that others have.`,
        ]),
    ...(triggers.length === 0
      ? []
      : [`${count(triggers.length, 'trigger', 'triggers')} dropped: this version counts without them.`]),
    ...(isMarked ? [] : [`Processes that don’t know ${directories} can no longer use this database.`]),
  ];
  return done.length === 0
    ? ['Nothing is left to do: the database is prepared for Citus.']
    : [...done, 'The database is prepared for Citus.'];
}

function count(many: number, one: string, more: string): string {
  return `${many} ${many === 1 ? one : more}`;
}
