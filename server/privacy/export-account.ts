/**
 * Everything that an account has, as one archive: a file of JSON lines for each of its tables, its pictures
 * and recordings, its spreadsheets, and a list with counts and checksums. Rows are streamed from the database
 * to the disk, however many there are. Credentials are left out.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import { now } from '../clock.ts';
import type { Database } from '../db.ts';
import type { Bucket } from '../outside/s3-bucket.ts';
import { uploadsPrefix } from '../outside/s3-uploads.ts';
import { catalogQuery, type Table } from './read-catalog.ts';
import { secretColumns } from './rules.ts';

export interface Exported {
  tables: { name: string; rows: number; sha256: string }[];
  files: number;
  /** Missing files that rows refer to. */
  missing: string[];
}

/**
 * The exported columns of a table: all except bytes, which are hashes and encrypted secrets, and those listed
 * as secret.
 */
function exportedColumns(table: Table): string[] {
  return table.columns
    .filter(({ name, type }) => type !== 'bytea' && !secretColumns.includes(`${table.name}.${name}`))
    .map(({ name }) => name);
}

/** The names of files: by their content in the store, by their key among the uploads. */
const fileNames = `
  select 'files/' || hash as name from (
    select content_hash as hash, account_id from media
    union all select unnest(array[original_hash, whole_hash, call_hash]), account_id from audio
    union all select picture_hash, account_id from users) f
  where account_id = $1 and hash <> ''
  union
  select 'uploads/' || file_key from file_uploads where account_id = $1 and file_key <> '' and not is_cleared`;
const filesAtOnce = 1000;

export async function exportAccount(
  database: Database,
  accountId: number,
  options: { to: string; dataDir: string; bucket?: Bucket | undefined },
): Promise<Exported> {
  // Its own connection: one snapshot of everything, however long it takes.
  const pool = new pg.Pool({ connectionString: database.url, max: 1, options: '-c role=muster_system' });
  const client = await pool.connect();
  const unfinished = `${options.to}.part`;
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600 }));
  const failed = written.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => {
      throw error;
    },
  );
  // Both are awaited below; a full disk must not end the process before.
  failed.catch(() => undefined);
  written.catch(() => undefined);
  try {
    await client.query('begin isolation level repeatable read, read only');
    const exported: Exported = { tables: [], files: 0, missing: [] };
    const { rows: catalog } = await client.query<Table>(catalogQuery);
    for (const table of catalog.filter(({ hasAccount }) => hasAccount)) {
      const rows = copyRows(client, table, accountId);
      zip.addReadStream(rows.stream, `tables/${table.name}.jsonl`, { forceZip64Format: true });
      // One after the other: a table is read while the archive consumes it, and none waits in memory.
      const sum = await Promise.race([rows.ended, failed]);
      exported.tables.push({ name: table.name, ...sum });
    }
    for await (const file of filesOf(client, accountId, options.dataDir)) {
      const bytes = await openFile(file, options.bucket);
      if (bytes === undefined) exported.missing.push(file.name);
      else {
        const ended = new Promise((done, broken) => bytes.once('close', done).once('error', broken));
        zip.addReadStream(bytes, file.name, { compress: false });
        await Promise.race([ended, failed]);
        exported.files += 1;
      }
    }
    zip.addBuffer(
      Buffer.from(`${JSON.stringify({ AccountID: accountId, At: now(), ...exported }, null, 2)}\n`),
      'contents.json',
    );
    zip.end();
    await written;
    await rename(unfinished, options.to);
    return exported;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    client.release(true);
    await pool.end();
  }
}

/**
 * The rows of a table as JSON lines. JSON can't contain the quote or separator characters unescaped, because
 * they are control characters, so nothing is escaped.
 */
function copyRows(client: pg.PoolClient, table: Table, accountId: number) {
  const columns = exportedColumns(table).map((name) => `"${name}"`);
  const copied = client.query(
    copyTo(
      `copy (select row_to_json(r)::text from (select ${columns.join(', ')} from "${table.name}" where account_id = ${accountId}) r)
       to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`,
    ),
  );
  const hash = createHash('sha256');
  let rows = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      for (const byte of chunk) if (byte === 10) rows += 1;
      done(null, chunk);
    },
  });
  const stream = new PassThrough();
  const ended = pipeline(copied as Readable, counted, stream).then(() => ({
    rows,
    sha256: hash.digest('hex'),
  }));
  ended.catch(() => undefined);
  return { stream, ended };
}

/** Undefined if it doesn't exist. Spreadsheets from before there was a bucket are in the data folder. */
async function openFile(
  { name, path }: { name: string; path: string },
  bucket: Bucket | undefined,
): Promise<Readable | undefined> {
  if (bucket !== undefined) {
    const [folder, key = ''] = name.split('/');
    const isUpload = folder === 'uploads';
    const file = await bucket.open(isUpload ? uploadsPrefix + key : `${key.slice(0, 2)}/${key}`);
    if (file !== undefined || !isUpload) return file?.stream();
  }
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? createReadStream(path) : undefined;
}

async function* filesOf(client: pg.PoolClient, accountId: number, dataDir: string) {
  for (let last = ''; ; ) {
    const { rows } = await client.query<{ name: string }>(
      `select name from (${fileNames}) f where name > $2 order by name limit ${filesAtOnce}`,
      [accountId, last],
    );
    for (const { name } of rows) {
      const [folder, key = ''] = name.split('/');
      const path = folder === 'files' ? join('media', key.slice(0, 2), key) : name;
      yield { name, path: join(dataDir, path) };
    }
    last = rows.at(-1)?.name ?? '';
    if (rows.length < filesAtOnce) return;
  }
}
