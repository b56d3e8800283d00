/**
 * Restores a backup into an empty database, and proves that it is complete: rows are counted and summed on
 * both sides. It is all one transaction; a mismatch leaves the database empty. Then the database is migrated,
 * and what was due since the backup is held.
 */
import { createReadStream } from 'node:fs';
import { copyFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openDatabase } from '../db.ts';
import { hashFile } from '../hash-file.ts';
import { migrate } from '../migrate.ts';
import type { Bucket } from '../outside/s3-bucket.ts';
import { spreadDatabase } from '../spread-database.ts';
import { checkBackup } from './check-backup.ts';
import { type Held, holdDue } from './hold-due.ts';
import { nameOf, quoted, readPartitions, readTables, sumRows, writeAlike } from './read-tables.ts';
import { BackupDamaged, type Contents, fileFolders } from './write-backup.ts';

const migrations = join(import.meta.dirname, '../migrations');

export async function restoreBackup(
  databaseUrl: string,
  options: { from: string; dataDir?: string; bucket?: Bucket | undefined },
): Promise<{ contents: Contents; held: Held }> {
  const contents = await checkBackup(options.from);
  await prepareDatabase(databaseUrl, contents);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'muster_restore' });
  await client.connect();
  try {
    // An older backup was summed with its server's settings, which are most likely those of this one.
    if (contents.zone !== undefined) await writeAlike(client);
    await client.query('begin');
    await fill(client, contents, options.from);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
  const held = await holdRestored(databaseUrl, contents);
  if (options.bucket !== undefined) await fillBucket(options.bucket, contents, options.from);
  else if (options.dataDir !== undefined)
    for (const folder of fileFolders)
      await cp(join(options.from, folder), join(options.dataDir, folder), { recursive: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
  return { contents, held };
}

/** By the tables of this version, which the backup may not have had yet. */
async function holdRestored(databaseUrl: string, { at, isSpread }: Contents): Promise<Held> {
  const database = openDatabase(databaseUrl, { connections: 2 });
  try {
    await migrate(databaseUrl);
    // Migrations have made its keys and triggers again.
    if (isSpread) await spreadDatabase(databaseUrl, () => undefined);
    return await holdDue(database, new Date(at));
  } catch (error) {
    throw new BackupDamaged(
      `The rows were restored, but what was due since could not be held: ${(error as Error).message}. Run “npx muster restored ${at}” before you start Muster.`,
    );
  } finally {
    await database.close();
  }
}

/** Files never change: an existing one is the same. */
async function fillBucket(bucket: Bucket, { files }: Contents, folder: string): Promise<void> {
  for (const { path, bytes } of files) {
    // Spreadsheets have the same path in both.
    const name = path.replace(/^media\//, '');
    if (await bucket.has(name)) continue;
    const from = join(folder, path);
    await bucket.stream(name, {
      ...{ hash: await hashFile(from), length: bytes, open: () => createReadStream(from) },
    });
  }
}

/** The tables as they were: with the migrations that the backup had, and no later one. */
async function prepareDatabase(databaseUrl: string, contents: Contents): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isUsed = await isInUse(client, contents).finally(() => client.end());
  if (isUsed) throw new BackupDamaged('The database is not empty: restore into a new one.');
  const known = await readdir(migrations);
  const later = contents.migrations.find((name) => !known.includes(name));
  if (later !== undefined)
    throw new BackupDamaged(`The backup has ${later}: restore it with the version of Muster that wrote it.`);
  const folder = await mkdtemp(join(tmpdir(), 'muster-restore-'));
  try {
    for (const name of contents.migrations) await copyFile(join(migrations, name), join(folder, name));
    await migrate(databaseUrl, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A restore that failed leaves the tables of its migrations, without accounts: those can be filled again. */
async function isInUse(client: pg.Client, contents: Contents): Promise<boolean> {
  const { rows } = await client.query("select 1 where to_regclass('public.accounts') is not null");
  if (rows.length === 0) return false;
  const applied = await client.query<{ name: string }>('select name from migrations');
  if (applied.rows.some(({ name }) => !contents.migrations.includes(name))) return true;
  await client.query('begin');
  await letIn(client);
  const accounts = await client.query('select 1 from accounts limit 1');
  await client.query('rollback');
  return accounts.rows.length > 0;
}

async function fill(client: pg.Client, contents: Contents, folder: string): Promise<void> {
  const tables = await readTables(client);
  const missing = contents.tables.find(({ name }) => !tables.some((table) => nameOf(table) === name));
  if (missing !== undefined || tables.length !== contents.tables.length)
    throw new BackupDamaged(`The backup’s tables are not those of its migrations (${missing?.name}).`);
  const forced = await letIn(client);
  const there = (await readPartitions(client)).map(({ name }) => name);
  for (const { name, parent, bounds } of contents.partitions) {
    if (there.includes(name)) continue;
    await client.query(`create table public."${name}" partition of public."${parent}" ${bounds}`);
    await client.query(`revoke all on public."${name}" from muster_app, muster_system`);
  }
  await client.query(`truncate ${tables.map(quoted).join(', ')}`);
  for (const table of tables) {
    const backed = contents.tables.find(({ name }) => name === nameOf(table));
    if (backed === undefined) throw new BackupDamaged(`${nameOf(table)} is not in the backup.`);
    await client.query(`alter table ${quoted(table)} disable trigger user`);
    const columns = backed.columns.map((name) => `"${name}"`).join(', ');
    await pipeline(
      createReadStream(join(folder, backed.file)),
      createGunzip(),
      client.query(copyFrom(`copy ${quoted(table)} (${columns}) from stdin`)),
    );
    await client.query(`alter table ${quoted(table)} enable trigger user`);
    const { rows, sum } = await sumRows(client, table);
    if (rows !== backed.rows || sum !== backed.sum)
      throw new BackupDamaged(
        `${nameOf(table)} is not what was backed up: ${rows} rows against ${backed.rows}, sum ${sum} against ${backed.sum}.`,
      );
  }
  for (const { name, value } of contents.sequences)
    await client.query('select setval($1, $2)', [name, value]);
  for (const name of forced) await client.query(`alter table ${name} force row level security`);
}

/** The policies also apply to the owner. Nobody else is in this database yet. */
async function letIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity`);
  for (const { name } of rows) await client.query(`alter table ${name} no force row level security`);
  return rows.map(({ name }) => name);
}
