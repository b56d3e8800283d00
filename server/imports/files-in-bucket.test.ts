/** Spreadsheets in a bucket: the process that takes one and the one that imports it share no folder. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { readConfig } from '../config.ts';
import { createLog, type Log } from '../log.ts';
import { openBucket, type S3Settings } from '../outside/s3-bucket.ts';
import { createS3Files } from '../outside/s3-files.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { closeAtEnd } from '../testing/closers.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { sweepOldFiles } from './clear-files.ts';
import { createFileWork, type FileWork } from './jobs.ts';
import { makeXlsx } from './testing/make-xlsx.ts';

interface Installation {
  app: TestApp;
  account: BuiltAccount;
  /** A worker on another machine. */
  worker: FileWork;
  workerFolder: string;
  /** As long after the last write to the bucket. */
  sweep: (afterMs?: number) => Promise<void>;
  inBucket: () => Promise<string[]>;
  remove: (name: string) => Promise<void>;
  logged: string[];
  log: Log;
  settings: S3Settings;
}

let one: Installation;

beforeAll(async () => {
  one = await install('sheets');
});

async function install(name: string): Promise<Installation> {
  const logged: string[] = [];
  const keys = { accessKey: 'sandbox-s3-key', secretKey: 'sandbox-s3-secret' };
  const sandbox = (await testApp()).sandbox;
  const app = await testApp(
    {},
    {
      ...{ S3_URL: `${sandbox.url}/s3`, S3_BUCKET: name, S3_PATH_STYLE: '1', S3_PREFIX: 'muster/' },
      ...{ S3_ACCESS_KEY: keys.accessKey, S3_SECRET_KEY: keys.secretKey },
    },
  );
  const workerFolder = await mkdtemp(join(tmpdir(), 'muster-worker-'));
  const settings = {
    ...keys,
    ...{ baseUrl: `${sandbox.url}/s3`, bucket: name, prefix: 'muster/', isPathStyle: true },
    region: 'us-east-1',
  };
  const files = createS3Files(settings, workerFolder);
  const bucket = openBucket(settings);
  const config = readConfig({ DATABASE_URL: app.databaseUrl, DATA_DIR: workerFolder });
  const log = createLog(config, { write: (line) => logged.push(line) });
  const worker = createFileWork({ files, database: app.database, log });
  closeAtEnd(async () => {
    await worker.stop();
    await Promise.all([files.close(), bucket.close()]);
    await rm(workerFolder, { recursive: true });
  });
  return {
    ...{ app, account: await buildAccount(app), worker, workerFolder, logged, log, settings },
    sweep: (afterMs = 0) => {
      // The bucket refuses requests of a process whose clock is wrong: so the clock stays, and the limit moves.
      const listBefore = (moment: number) => files.uploads.listBefore(moment + afterMs);
      return sweepOldFiles({
        ...{ database: app.database, log },
        files: { uploads: { ...files.uploads, listBefore } },
      });
    },
    inBucket: () => Array.fromAsync(bucket.list(''), (file) => file.name),
    remove: (file) => bucket.remove(file),
  };
}

async function upload({ app, account }: Installation, bytes: string | Buffer): Promise<calls.FileUpload> {
  const answer = await fetch(`${app.url}/proxy/api/fileuploads/people`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  return (await answer.json()) as calls.FileUpload;
}

async function process(
  { app, account }: Installation,
  { FileID, FileStructure }: calls.FileUpload,
  Columns: object = calls.fileColumns.parse(FileStructure.Tabs[0]),
) {
  const body = { TabNumber: 1, HasHeader: true, Columns };
  expect((await app.call(calls.processFile, { params: { FileID }, body }, account.owner)).status).toBe(200);
}

const stageOf = async ({ app, account }: Installation, FileID: number) =>
  (await app.call(calls.getFile, { params: { FileID } }, account.owner)).body;

async function runImport({ app, account, worker }: Installation, FileID: number): Promise<void> {
  const body = { FileID, UserIndicatedConsentDeclared: true };
  expect((await app.call(calls.importFile, { params: { ListID: 0 }, body }, account.owner)).status).toBe(200);
  await worker.advance();
}

/** The files of a folder and the folders in it. */
const within = (folder: string) =>
  readdir(folder, { recursive: true, withFileTypes: true }).then((found) =>
    found.filter((entry) => entry.isFile()).map(({ name }) => name),
  );

const csv = 'First name,Phone\r\nAna,4235550143\r\nBo,4235550144\r\n';

const workbook = () =>
  makeXlsx([
    {
      name: 'People',
      rows: [
        ['First name', 'Phone'],
        ['Ana', '4235550143'],
      ],
    },
  ]);

it.each([
  ['a CSV file', async () => csv],
  ['a workbook', workbook],
])('%s goes from one machine to the other through the bucket, and is then removed', async (_name, make) => {
  const file = await upload(one, await make());
  expect(file).toMatchObject({ Stage: 'mapping' });
  expect(await one.inBucket()).toEqual([expect.stringMatching(/^uploads\/[0-9a-f-]{36}$/)]);
  expect(await within(one.app.dataDir)).toEqual([]);
  await process(one, file);
  await one.worker.advance();
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'review', ErrorMessage: '' });
  expect(await within(one.workerFolder)).toEqual([]);
  await runImport(one, file.FileID);
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'imported' });
  expect(await one.inBucket()).toEqual([]);
});

it('keeps nothing of a file that can’t be read, and nothing of one that was canceled', async () => {
  expect(await upload(one, '\r\n \r\n')).toMatchObject({ ErrorCode: expect.any(Number) });
  expect([await one.inBucket(), await within(one.app.dataDir)]).toEqual([[], []]);
  const { FileID } = await upload(one, csv);
  await one.app.call(calls.cancelFile, { params: { FileID } }, one.account.owner);
  await one.worker.advance();
  expect(await one.inBucket()).toEqual([]);
});

it('a file that was uploaded before there was a bucket is read from the folder, and removed there', async () => {
  const file = await upload(one, csv);
  const [name = ''] = await one.inBucket();
  await one.remove(name);
  await mkdir(join(one.workerFolder, 'uploads'));
  const path = join(one.workerFolder, name);
  await writeFile(path, csv);
  await process(one, file);
  await one.worker.advance();
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'review' });
  // Also when it is read again, with other columns.
  await rename(path, `${path}-gone`);
  await process(one, file, { Phone1: 2 });
  await one.worker.advance();
  expect(await stageOf(one, file.FileID)).toMatchObject({
    Stage: 'failed',
    ErrorMessage: 'The file is no longer here. Upload it again.',
  });
  await rename(`${path}-gone`, path);
  await process(one, file);
  await one.worker.advance();
  await runImport(one, file.FileID);
  expect(await within(one.workerFolder)).toEqual([]);
});

it('waits for a bucket that can’t be reached, and loses nothing', async () => {
  const file = await upload(one, csv);
  await process(one, file);
  const unreachable = { ...one.settings, baseUrl: 'http://127.0.0.1:9' };
  const files = createS3Files(unreachable, one.workerFolder);
  const work = createFileWork({ files, database: one.app.database, log: one.log });
  await work.advance();
  await work.stop();
  await files.close();
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'processing', ErrorMessage: '' });
  expect(one.logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'a spreadsheet can’t be read; it is tried again', file: file.FileID }),
  );
  // Not again at once.
  await one.worker.advance();
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'processing' });
  await sql`update file_uploads set lease_until = now() where file_id = ${file.FileID}`.execute(
    one.app.database.system,
  );
  await one.worker.advance();
  expect(await stageOf(one, file.FileID)).toMatchObject({ Stage: 'review' });
  await runImport(one, file.FileID);
});

it('removes at night what no file needs, and leaves what is young or still needed', async () => {
  const needed = await upload(one, csv);
  const lost = await upload(one, csv);
  const names = await one.inBucket();
  await sql`delete from file_uploads where file_id = ${lost.FileID}`.execute(one.app.database.system);
  await one.sweep();
  expect(await one.inBucket()).toEqual(names);
  await one.sweep(2 * 86_400_000);
  const { rows } = await sql<{ key: string }>`
    select file_key as key from file_uploads where file_id = ${needed.FileID}`.execute(
    one.app.database.system,
  );
  expect(await one.inBucket()).toEqual([`uploads/${rows[0]?.key}`]);
});

it('an import ends well although the bucket lets nobody delete, and the log says so', async () => {
  const strict = await install('no-removal');
  const file = await upload(strict, csv);
  await process(strict, file);
  await strict.worker.advance();
  await runImport(strict, file.FileID);
  expect(await stageOf(strict, file.FileID)).toMatchObject({ Stage: 'imported' });
  expect(strict.logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'a spreadsheet could not be removed',
      err: expect.objectContaining({
        message: 'The bucket no-removal can’t be deleted from: the keys have no right to.',
      }),
    }),
  ]);
});
