import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Four slices, enough to be killed between them; and more than is searchable at once. */
const count = 21_000;
/** Two cores that others use too: what takes two seconds here may take a minute there. */
const patienceMs = 240_000;

let app: TestApp;
let account: BuiltAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-killed-'));
  app = await testApp({}, { DATA_DIR: dataDir });
  account = await buildAccount(app);
  return () => rm(dataDir, { recursive: true, force: true });
});

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await kill(worker);
});

/** The program itself as a worker, in a process of its own. */
function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ROLE: 'worker',
      INFOBIP_BASE_URL: app.sandbox.url,
      TWILIO_BASE_URL: app.sandbox.url,
      ...testCredentials,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  started.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

async function getFile(FileID: number): Promise<calls.FileUpload> {
  return (await app.call(calls.getFile, { params: { FileID } }, account.owner)).body;
}

async function found<T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> {
  return (await query.execute(app.database.system)).rows[0];
}

it('a worker killed while it reads, imports and takes back: every row once, nothing left', {
  timeout: 900_000,
}, async () => {
  const lines = Array.from(
    { length: count },
    (_, at) => `Person ${at},${4_232_000_000 + at},Group ${at % 3}`,
  );
  const answer = await fetch(`${app.url}/proxy/api/fileuploads/many.csv`, {
    method: 'POST',
    headers: { cookie: account.owner.cookie },
    body: `Name,Phone,Groups\n${lines.join('\n')}`,
  });
  const { FileID, FileStructure } = (await answer.json()) as calls.FileUpload;
  const stageIs = (stage: calls.FileStage) => async () => (await getFile(FileID)).Stage === stage;
  await app.call(
    calls.processFile,
    {
      params: { FileID },
      body: { TabNumber: 1, HasHeader: true, Columns: calls.fileColumns.parse(FileStructure.Tabs[0]) },
    },
    account.owner,
  );

  let worker = startWorker();
  await waitUntil(
    async () =>
      found(sql<{ row_number: number }>`select row_number from file_rows where file_id = ${FileID} limit 1`),
    patienceMs,
  );
  await kill(worker);
  expect((await getFile(FileID)).Stage).toBe('processing');
  worker = startWorker();
  await waitUntil(stageIs('review'), patienceMs);
  expect((await getFile(FileID)).Summary).toMatchObject({
    RowCount: count,
    GoodRecordCount: count,
    DuplicateCount: 0,
  });

  await app.call(
    calls.importFile,
    { params: { ListID: 0 }, body: { FileID, UserIndicatedConsentDeclared: true } },
    account.owner,
  );
  const someSlice = (which: 'done_at' | 'undone_at') => async () =>
    found(
      sql`select 1 as one from file_slices where file_id = ${FileID} and ${sql.ref(which)} is not null limit 1`,
    );
  await waitUntil(someSlice('done_at'), patienceMs);
  await kill(worker);
  expect((await getFile(FileID)).Stage).toBe('importing');
  worker = startWorker();
  await waitUntil(stageIs('imported'), patienceMs);
  const imported = await getFile(FileID);
  expect(imported.Summary).toMatchObject({ CreatedCount: count, UpdatedCount: 0, SkippedCount: 0 });
  expect(
    await found(sql`
      select count(*) as contacts, count(distinct primary_phone) as phones,
        (select count(*) from group_members where account_id = ${account.accountId}) as members,
        (select count(*) from consent_events where account_id = ${account.accountId}) as events,
        (select roster_count from list_counts where account_id = ${account.accountId} and list_id = 0) as counted
      from contacts where account_id = ${account.accountId}`),
  ).toEqual({ contacts: count, phones: count, members: count, events: count, counted: count });

  await app.call(calls.undoFile, { params: { UndoID: imported.UndoID ?? 0 } }, account.owner);
  await waitUntil(someSlice('undone_at'), patienceMs);
  await kill(worker);
  worker = startWorker();
  await waitUntil(stageIs('undone'), patienceMs);
  await kill(worker);
  expect(
    await found(sql`
      select (select count(*) from contacts where account_id = ${account.accountId}) as contacts,
        (select count(*) from group_members where account_id = ${account.accountId}) as members,
        (select count(*) from contact_search where account_id = ${account.accountId}) as words,
        (select count(*) from phone_consents where account_id = ${account.accountId} and (text_state, voice_state) is not null) as consents,
        (select coalesce(sum(abs(roster_count)), 0)::integer from list_counts where account_id = ${account.accountId}) as counted,
        (select count(*) from (
          select phone from consent_events where account_id = ${account.accountId}
          group by phone having array_agg(state order by consent_event_id) <> '{in,none}'::text[]) odd) as odd`),
  ).toEqual({ contacts: 0, members: 0, words: 0, consents: 0, counted: 0, odd: 0 });
});
