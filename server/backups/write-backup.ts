/**
 * A backup of everything: each table as PostgreSQL exports it, compressed, from one snapshot of the database;
 * then pictures, recordings and spreadsheets. `contents.json` is written last, so a truncated backup has
 * none.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { now } from '../clock.ts';
import { type Bucket, DeletedMeanwhile } from '../outside/s3-bucket.ts';
import { uploadsPrefix } from '../outside/s3-uploads.ts';
import { backupLock } from '../readiness.ts';
import { isSpread } from '../spread-database.ts';
import {
  type BackedTable,
  nameOf,
  type Partition,
  quoted,
  readAsWhoSeesAll,
  readPartitions,
  readSequences,
  readTables,
  type SequenceValue,
  type Sum,
  sumRows,
  writeAlike,
} from './read-tables.ts';

export interface Contents {
  /** The version of this format. */
  version: 1;
  at: string;
  /** The time zone in which the sums were made; missing in backups that used whatever the server had. */
  zone?: 'UTC';
  migrations: string[];
  /** The database was prepared for Citus (`npx muster spread`), and is again after a restore. */
  isSpread?: true;
  partitions: Partition[];
  sequences: SequenceValue[];
  tables: ({ name: string; file: string; sha256: string; bytes: number; columns: string[] } & Sum)[];
  /** Pictures, recordings and spreadsheets, below the backup's folder. */
  files: { path: string; bytes: number }[];
}

/** Reason why a backup can't be written or used, as a message for the operator. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

export const contentsFile = 'contents.json';
export const fileFolders = ['media', 'uploads'] as const;

export async function writeBackup(
  databaseUrl: string,
  options: { to: string; dataDir: string; bucket?: Bucket | undefined },
): Promise<Contents> {
  await mkdir(join(options.to, 'tables'), { recursive: true, mode: 0o700 });
  if ((await readdir(options.to)).includes(contentsFile))
    throw new BackupDamaged(`${options.to} holds a backup already: choose another folder.`);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'muster_backup' });
  await client.connect();
  try {
    await writeAlike(client);
    await noteBegin(client);
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
    const contents: Contents = {
      version: 1,
      at: now().toISOString(),
      zone: 'UTC',
      migrations: rows.map(({ name }) => name),
      ...((await isSpread(client)) && { isSpread: true }),
      partitions: await readPartitions(client),
      tables: [],
      // Sequences aren't part of a snapshot: they are read first, so that a row written meanwhile is not in
      // the copy and doesn't use one of its numbers.
      sequences: await readSequences(client),
      files: [],
    };
    for (const table of await readTables(client)) {
      await readAsWhoSeesAll(client, table);
      contents.tables.push({
        ...(await copyOut(client, table, options.to)),
        ...(await sumRows(client, table)),
      });
    }
    await client.query('commit');
    // Files never change once written, and each is written before any row that refers to it.
    if (options.bucket !== undefined) contents.files.push(...(await copyBucket(options.bucket, options.to)));
    // Spreadsheets that were uploaded before there was a bucket are still in the data folder.
    const folders = options.bucket === undefined ? fileFolders : (['uploads'] as const);
    for (const folder of folders) contents.files.push(...(await copyFiles(options, folder)));
    await writeFile(join(options.to, `${contentsFile}.part`), `${JSON.stringify(contents, null, 1)}\n`, {
      ...{ mode: 0o600, flush: true },
    });
    await rename(join(options.to, `${contentsFile}.part`), join(options.to, contentsFile));
    await client.query("delete from unfinished_work where name = 'backup'").catch(() => undefined);
    return contents;
  } finally {
    await client.end();
  }
}

/**
 * Until the backup is finished, /readyz reports it as unfinished once the lock is free. A standby can't
 * record it.
 */
async function noteBegin(client: pg.Client): Promise<void> {
  const sentence = `The backup that was begun on ${now().toISOString().slice(0, 16).replace('T', ' at ')} UTC was not finished: begin it again.`;
  await client.query('select pg_try_advisory_lock($1)', [backupLock]);
  await client
    .query(
      `insert into unfinished_work (name, sentence) values ('backup', $1)
       on conflict (name) do update set sentence = excluded.sentence, begun_at = now()`,
      [sentence],
    )
    .catch(() => undefined);
}

async function copyOut(client: pg.Client, table: BackedTable, folder: string) {
  const file = `tables/${nameOf(table)}.gz`;
  const columns = table.columns.map((name) => `"${name}"`).join(', ');
  const hash = createHash('sha256');
  let bytes = 0;
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    client.query(copyTo(`copy (select ${columns} from ${quoted(table)}) to stdout`)),
    createGzip({ level: 1 }),
    summed,
    createWriteStream(join(folder, file), { mode: 0o600 }),
  );
  return { name: nameOf(table), file, sha256: hash.digest('hex'), bytes, columns: table.columns };
}

async function copyFiles(
  { to, dataDir }: { to: string; dataDir: string },
  folder: string,
): Promise<Contents['files']> {
  const files: Contents['files'] = [];
  const found = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  for (const entry of found) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const path = from.slice(dataDir.length + 1);
    if (folder === 'media' && !isFileName(path.slice('media/'.length))) continue;
    // An upload that isn't complete has no row.
    if (entry.name.endsWith('.part')) continue;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    const isThere = await copyFile(from, join(to, path)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // Deleted meanwhile: a spreadsheet that was imported, the file of an export, a person's picture.
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (isThere) files.push({ path, bytes: (await stat(join(to, path))).size });
  }
  return files;
}

/**
 * The files of the bucket have the same place in the backup as those of the data folder, so that it can be
 * restored to either.
 */
async function copyBucket(bucket: Bucket, to: string): Promise<Contents['files']> {
  const files: Contents['files'] = [];
  for await (const { name } of bucket.list('')) {
    const isUpload = isUploadName(name);
    if (!isUpload && !isFileName(name)) continue;
    const file = await bucket.open(name);
    // Erased or imported meanwhile.
    if (file === undefined) continue;
    const path = isUpload ? name : `media/${name}`;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    const isWhole = await pipeline(file.stream(), createWriteStream(join(to, path), { mode: 0o600 })).then(
      () => true,
      async (error: unknown) => {
        if (!(error instanceof DeletedMeanwhile)) throw error;
        await rm(join(to, path));
        return false;
      },
    );
    if (isWhole) files.push({ path, bytes: file.size });
  }
  return files;
}

/** Only files that rows name: not the one that /readyz tries, nor those of others in the same bucket. */
const isFileName = (name: string) => /^[0-9a-f]{2}\/[0-9a-f]{64}[\w.-]*$/.test(name);

const isUploadName = (name: string) => new RegExp(`^${uploadsPrefix}[0-9a-f-]{36}$`).test(name);
