import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { readConfig } from '../config.ts';
import { createFileStore } from '../files.ts';
import { createLog } from '../log.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { createFileWork, type FileWork } from './jobs.ts';
import { needsTooMuchMemory } from './rules.ts';
import { makeXlsx } from './testing/make-xlsx.ts';

/** Enough for the thread itself and for ordinary files. */
const heapMb = 24;
/**
 * Words that are all different, each kept in memory until the last row is read: half as much again as the
 * limit.
 */
const wordRows = 18_000;
const wordLength = 2_000;

let app: TestApp;
let account: BuiltAccount;
let narrow: FileWork;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-heap-'));
  app = await testApp({}, { DATA_DIR: dataDir });
  account = await buildAccount(app);
  const config = readConfig({ DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  narrow = createFileWork({
    files: createFileStore(join(dataDir, 'media')),
    ...{ database: app.database, log: createLog(config), readerHeapMb: heapMb },
  });
  return async () => {
    await narrow.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
});

async function upload(bytes: Buffer | string): Promise<calls.FileUpload> {
  const answer = await fetch(`${app.url}/proxy/api/fileuploads/people`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  return (await answer.json()) as calls.FileUpload;
}

async function read({ FileID, FileStructure }: calls.FileUpload, work: () => Promise<void>) {
  const tab = FileStructure.Tabs[0];
  await app.call(
    calls.processFile,
    {
      params: { FileID },
      body: { TabNumber: 1, HasHeader: tab?.HasHeader ?? false, Columns: calls.fileColumns.parse(tab) },
    },
    account.owner,
  );
  await work();
  return (await app.call(calls.getFile, { params: { FileID } }, account.owner)).body;
}

it('a file that exceeds a thread’s memory fails with a plain message, and nothing else does', async () => {
  const rows = Array.from({ length: wordRows }, (_, at) => [
    4_232_000_000 + at,
    `Essay ${at} `.padEnd(wordLength, 'and so on '),
  ]);
  const bytes = await makeXlsx([{ name: 'People', rows: [['Phone', 'Essay'], ...rows] }]);
  const whole = await read(await upload(bytes), () => app.drain());
  expect(whole).toMatchObject({ Stage: 'review', Summary: { RowCount: wordRows } });

  const large = await upload(bytes);
  const failed = await read(large, () => narrow.advance());
  expect(failed).toMatchObject({
    Stage: 'failed',
    Status: 'Error',
    ErrorMessage: needsTooMuchMemory,
    Summary: null,
  });
  const { rows: left } = await sql`select from file_rows where file_id = ${large.FileID}`.execute(
    app.database.system,
  );
  expect(left).toEqual([]);
  const params = { FileID: large.FileID };
  expect(refusalOf(await app.call(calls.listFileRows, { params }, account.owner))).toMatchObject({
    status: 409,
  });

  // The process survives, and the same work reads the next file.
  const small = await read(await upload('Name,Phone\nJane Doe,4235550143\n'), () => narrow.advance());
  expect(small).toMatchObject({ Stage: 'review', Summary: { GoodRecordCount: 1 } });
});

it('rows read before a file turned out to be invalid are removed', async () => {
  const good = Array.from({ length: 25_000 }, (_, at) => `423${2_000_000 + at},Choir`);
  const bad = Array.from({ length: 501 }, (_, at) => `423${3_000_000 + at},Group ${at}`);
  const file = await upload(['Phone,Groups', ...good, ...bad].join('\n'));
  expect(await read(file, () => app.drain())).toMatchObject({ Stage: 'failed' });
  const { rows: left } = await sql`select from file_rows where file_id = ${file.FileID}`.execute(
    app.database.system,
  );
  expect(left).toEqual([]);
});
