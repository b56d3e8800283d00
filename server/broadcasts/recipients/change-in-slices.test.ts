import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as recipientCalls from '../../../contract/draft-recipients.ts';
import * as calls from '../../../contract/drafts.ts';
import { deleteList } from '../../../contract/lists.ts';
import { getWork } from '../../../contract/work.ts';
import { asSystem } from '../../db.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { endProcess, spawnWorker } from '../../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { asOwner } from '../../testing/test-db.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

/** Two slices of contacts. The last thousand have the phones of the first. */
const many = 21_000;
const shared = 1_000;

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createDraftSteps>;
let group: number;
let draft: number;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  steps = createDraftSteps(app, account);
  group = await steps.addGroup('Everybody', []);
  await asSystem(app.database, async (trx) => {
    // The triggers that maintain counts and words of contacts aren't needed here.
    await sql`select set_config('app.keeps_contacts_itself', 'on', true)`.execute(trx);
    await sql`
      with made as (
        insert into contacts (account_id, first_name, last_name, primary_phone, created_by_user_id)
        select ${account.accountId}, 'Person', i::text, (14230000000 + i % ${many - shared}::int)::text, ${account.owner.userId}
        from generate_series(1, ${many}::int) i
        returning account_id, person_id, sort_name)
      insert into group_members (account_id, group_id, person_id, sort_name)
      select account_id, ${group}, person_id, sort_name from made`.execute(trx);
  });
  // As autovacuum does within seconds. Without statistics the planner reads the whole group for each of its
  // members.
  await alter('analyze contacts, group_members');
});

beforeEach(async () => {
  draft = await steps.begin();
});

async function workOf(WorkID: number | null) {
  return (await app.call(getWork, { params: { WorkID: WorkID ?? 0 } }, account.owner)).body;
}

async function isAdding(): Promise<boolean> {
  const { body } = await app.call(calls.getDraft, { params: { DraftBroadcastID: draft } }, account.owner);
  return body.IsAdding;
}

/** Counts of rows, people and phones that get it, in the table. */
async function counted() {
  const { rows } = await sql<{ rows: number; people: number; going: number }>`
    select count(*) as rows, count(distinct person_id) as people, count(distinct phone) filter (where problem is null) as going
    from broadcast_recipients where account_id = ${account.accountId} and broadcast_id = ${draft}`.execute(
    app.database.system,
  );
  return rows[0];
}

it('continues after kill -9 of the worker, and everybody is there exactly once', async () => {
  const { body } = await steps.addLists(draft, [group]);
  expect(body).toMatchObject({ Status: 'InProgress', WorkID: expect.any(Number), AddedCount: many });
  expect(await isAdding()).toBe(true);
  // Added after the request: not part of the selection.
  const [late = 0] = await steps.addContacts([{ first: 'Late', phone: '14235550999' }]);
  await app.database.system
    .insertInto('group_members')
    .values({ account_id: account.accountId, group_id: group, person_id: late, sort_name: '' })
    .execute();
  const worker = spawnWorker(app);
  await waitUntil(async () => (await workOf(body.WorkID)).Done > 0);
  await endProcess(worker, 'SIGKILL');
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: many, Total: many });
  expect(await isAdding()).toBe(false);
  expect(await counted()).toEqual({ rows: many, people: many, going: many - shared });
  expect(await steps.summary(draft)).toMatchObject({
    Total: many,
    Good: many - shared,
    LeftOut: [{ Problem: 'duplicate', Count: shared }],
    Sources: [{ Name: 'Everybody', Count: many }],
  });
  await app.database.system.deleteFrom('contacts').where('person_id', '=', late).execute();
});

it('rolls back a slice that fails, and repeats it', async () => {
  const { body } = await app.call(
    recipientCalls.contactsToDraft,
    { params: { ListID: group, DraftBroadcastID: draft }, body: { Selection: { Type: 'SelectedAll' } } },
    account.owner,
  );
  // Of the second slice.
  const blocked = sql`(select max(person_id) from group_members where account_id = ${account.accountId})`;
  await sql`
    update contacts set first_name = ${'x'.repeat(50)} where account_id = ${account.accountId} and person_id = ${blocked}`.execute(
    app.database.system,
  );
  await alter(`alter table broadcast_recipients add constraint fails check (length(first_name) < 50)`);
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'InProgress', Done: 20_000 });
  expect((await counted())?.rows).toBe(20_000);
  await alter('alter table broadcast_recipients drop constraint fails');
  await sql`update work set lease_until = null where work_id = ${body.WorkID}`.execute(app.database.system);
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: many });
  expect(await counted()).toEqual({ rows: many, people: many, going: many - shared });
});

it('removes many in slices; a duplicate at the time of the request moves up and stays', async () => {
  await steps.addLists(draft, [group]);
  await app.drain();
  const { body } = await steps.remove(draft, { Type: 'SelectedAll' }, { problem: 'good' });
  expect(body).toEqual({ RemovedCount: many - shared, WorkID: expect.any(Number), UndoID: null });
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: many - shared });
  expect(await steps.summary(draft)).toMatchObject({
    Good: shared,
    LeftOut: [{ Problem: 'excluded', Count: many - shared }],
  });
  await steps.remove(draft, { Type: 'SelectedAll' });
  await app.drain();
  expect((await counted())?.rows).toBe(0);

  // A whole source, once all of it is there; people from elsewhere stay.
  await steps.addLists(draft, [group]);
  await steps.paste(draft, ['4235559999']);
  const source = async () => (await steps.summary(draft)).Sources[0]?.SourceID ?? 0;
  const takeOut = async () => steps.remove(draft, { Type: 'SelectedAll' }, { sourceId: await source() });
  expect((await takeOut()).status).toBe(409);
  await app.drain();
  expect((await takeOut()).body).toEqual({ RemovedCount: many, WorkID: expect.any(Number), UndoID: null });
  await app.drain();
  expect(await steps.summary(draft)).toMatchObject({ Total: 1, Good: 1, Sources: [{ Kind: 'pasted' }] });
});

it('adds nobody to a deleted draft, and says when a group is gone', async () => {
  const first = await steps.addLists(draft, [group]);
  await app.call(calls.deleteDraft, { params: { DraftBroadcastID: draft } }, account.owner);
  await app.drain();
  expect(await workOf(first.body.WorkID)).toMatchObject({ Status: 'Complete', Done: 0 });
  expect((await counted())?.rows).toBe(0);
  draft = await steps.begin();
  const second = await steps.addLists(draft, [group]);
  await app.call(deleteList, { params: { ListID: group } }, account.owner);
  await app.drain();
  expect(await workOf(second.body.WorkID)).toMatchObject({
    Status: 'Error',
    ErrorMessage: `That group is no longer here. 0 of ${many} were done.`,
  });
});

function alter(statements: string) {
  return asOwner(app.databaseUrl, (client) => client.query(statements));
}
