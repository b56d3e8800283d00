import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Four slices, enough to be killed between them; and more than is searchable at once. */
const count = 21_000;

let app: TestApp;
let account: BuiltAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-killed-'));
  app = await testApp({}, { DATA_DIR: dataDir });
  account = await buildAccount(app);
  return () => rm(dataDir, { recursive: true, force: true });
});

/**
 * Kills it in the middle of its work: it can't finish while this transaction holds the file's row, and its
 * last database query ends with it. The ten seconds of its lease are skipped.
 */
async function killAtWork(
  worker: ChildProcess,
  FileID: number,
  isAtWork: () => Promise<unknown>,
): Promise<void> {
  await asOwner(app.databaseUrl, async (owner) => {
    await owner.query('begin');
    await owner.query('select from file_uploads where file_id = $1 for update', [FileID]);
    await waitUntil(isAtWork);
    await endProcess(worker, 'SIGKILL');
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    await owner.query('update file_uploads set lease_until = now() where file_id = $1', [FileID]);
    await owner.query('commit');
  });
}

async function getFile(FileID: number): Promise<calls.FileUpload> {
  return (await app.call(calls.getFile, { params: { FileID } }, account.owner)).body;
}

async function found<T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> {
  return (await query.execute(app.database.system)).rows[0];
}

it('a worker killed while it reads, imports and undoes: every row once, nothing left', {
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

  let worker = spawnWorker(app, { DATA_DIR: dataDir });
  await waitUntil(() =>
    found(sql`select 1 as one from file_uploads where file_id = ${FileID} and lease_id is not null`),
  );
  await killAtWork(worker, FileID, () =>
    found(sql`select row_number from file_rows where file_id = ${FileID} limit 1`),
  );
  expect((await getFile(FileID)).Stage).toBe('processing');
  worker = spawnWorker(app, { DATA_DIR: dataDir });
  await waitUntil(stageIs('review'));
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
  await waitUntil(someSlice('done_at'));
  await killAtWork(worker, FileID, someSlice('done_at'));
  expect((await getFile(FileID)).Stage).toBe('importing');
  worker = spawnWorker(app, { DATA_DIR: dataDir });
  await waitUntil(stageIs('imported'));
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
  await waitUntil(someSlice('undone_at'));
  await killAtWork(worker, FileID, someSlice('undone_at'));
  expect((await getFile(FileID)).Stage).toBe('undoing');
  worker = spawnWorker(app, { DATA_DIR: dataDir });
  await waitUntil(stageIs('undone'));
  await endProcess(worker, 'SIGKILL');
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
