import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as calls from '../../contract/contacts.ts';
import * as listCalls from '../../contract/lists.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import * as workCalls from '../../contract/work.ts';
import { type BuiltAccount, type BuiltUser, buildAccount } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Four slices. */
const many = 6_000;
const firstSlice = 1_500;
/** They are called Person 04001 to Person 10000. */
const named = 4_000;
const { everyone, unfiled } = calls.specialGroups;
const all: SelectionOfIds = { Type: 'SelectedAll', Items: [] };

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;
let group: number;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  owner = account.owner;
  await sql`
    insert into contacts (account_id, first_name, last_name, primary_phone, created_by_user_id)
    select ${account.accountId}, 'Person', to_char(${named}::int + i, 'FM00000'), (14230000000 + i)::text, ${owner.userId}
    from generate_series(1, ${many}::int) i`.execute(app.database.system);
  // As autovacuum does within seconds. Without statistics the planner reads the whole group for each of its
  // members.
  await alter('analyze contacts; analyze group_members; analyze contact_search');
});

/** Each test has its own group, and begins and ends with everybody unfiled. */
let serial = 0;
beforeEach(async () => {
  serial += 1;
  const { body } = await app.call(listCalls.addList, { body: { ListName: `Group ${serial}` } }, owner);
  group = body.ListID;
  expect(await sizes()).toEqual({ everyone: many, unfiled: many, deleted: 0, group: 0 });
});

async function sizes() {
  const { body } = await app.call(listCalls.listLists, {}, owner);
  const of = (ListID: number) => body.Items.find((list) => list.ListID === ListID)?.RosterCount;
  return { everyone: of(0), unfiled: of(-1), deleted: of(-2), group: of(group) };
}

function moveAll(query: object = {}, Selection = all) {
  return app.call(
    calls.copyContacts,
    { params: { ListID: unfiled, TargetID: group }, query, body: { Selection, Move: true } },
    owner,
  );
}

async function thoseNamed(pattern: string): Promise<SelectionOfIds> {
  const { rows } = await sql<{ id: number }>`
    select person_id as id from contacts where account_id = ${account.accountId} and last_name like ${pattern}`.execute(
    app.database.system,
  );
  return { Type: 'Selected', Items: rows.map(({ id }) => id) };
}

/** In two lanes. */
function copyAll() {
  return app.call(
    calls.copyContacts,
    { params: { ListID: everyone, TargetID: group }, body: { Selection: all } },
    owner,
  );
}

function undo(UndoID: number | null) {
  return app.call(calls.undoContacts, { params: { UndoID: UndoID ?? 0 } }, owner);
}

async function workOf(WorkID: number | null) {
  return (await app.call(workCalls.getWork, { params: { WorkID: WorkID ?? 0 } }, owner)).body;
}

it('continues after kill -9 of the worker, and everybody has joined exactly once', async () => {
  const { body } = await copyAll();
  expect(body).toMatchObject({ Size: many, WorkID: expect.any(Number), UndoID: expect.any(Number) });
  const mine = await app.call(workCalls.listWork, {}, owner);
  expect(mine.body.Items).toMatchObject([
    { WorkID: body.WorkID, Status: 'InProgress', Done: 0, Total: many, UndoID: body.UndoID },
  ]);
  // Added after the request: not part of the selection.
  const late = await app.call(
    calls.addContact,
    { body: { FirstName: 'Late', PrimaryPhone: '4235550300' } },
    owner,
  );

  const first = spawnWorker(app);
  // In the middle of the work: as soon as a slice has committed.
  await waitUntil(async () => (await workOf(body.WorkID)).Done > 0);
  await endProcess(first, 'SIGKILL');
  const second = spawnWorker(app);
  await waitUntil(async () => (await workOf(body.WorkID)).Status === 'Complete');
  await endProcess(second, 'SIGTERM');

  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: many, ErrorMessage: '' });
  expect((await app.call(workCalls.listWork, {}, owner)).body.Items).toEqual([]);
  expect(await sizes()).toEqual({ everyone: many + 1, unfiled: 1, deleted: 0, group: many });
  await checkKeptContacts(app, account.accountId);

  // Many to restore: that is work too, and continues in the background.
  const undone = await undo(body.UndoID);
  expect(undone.body).toEqual({ UndoExecuted: true, UndoID: expect.any(Number) });
  await app.drain();
  expect(await sizes()).toEqual({ everyone: many + 1, unfiled: many + 1, deleted: 0, group: 0 });
  await app.call(calls.deleteContact, { params: { PersonID: late.body.PersonID } }, owner);
  await app.call(
    calls.removeContacts,
    { params: { ListID: -2 }, body: { Selection: { Type: 'SelectedAll' } } },
    owner,
  );
  await checkKeptContacts(app, account.accountId);
});

it('repeats what its lanes have already done, and counts everybody once', async () => {
  await alter(`
    create function fail_once() returns trigger language plpgsql as
      $$ begin if new.cursor is distinct from old.cursor then raise exception 'cut off'; end if; return new; end $$;
    create trigger fail_once before update on work for each row execute function fail_once()`);
  const { body } = await copyAll();
  await app.drain();
  await alter('drop trigger fail_once on work; drop function fail_once');
  // The rows are written, and the work doesn't know about them.
  expect((await workOf(body.WorkID)).Done).toBe(0);
  expect((await sizes()).group).toBe(firstSlice);
  await sql`update work set lease_until = null where work_id = ${body.WorkID}`.execute(app.database.system);
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: many });
  expect(await sizes()).toMatchObject({ unfiled: 0, group: many });
  await checkKeptContacts(app, account.accountId);
  await undo(body.UndoID);
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: many, group: 0 });
});

it('leaves alone people who are already in the group or in another, and so does its undo', async () => {
  const inOther = group;
  await moveAll({}, await thoseNamed('043%'));
  const { body: own } = await app.call(listCalls.addList, { body: { ListName: 'Own' } }, owner);
  group = own.ListID;
  await moveAll({}, await thoseNamed('052%'));
  await app.drain();
  const before = await sizes();
  expect(before).toMatchObject({ unfiled: many - 200, group: 100 });
  const { body } = await copyAll();
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: 0, group: many });
  await checkKeptContacts(app, account.accountId);
  await undo(body.UndoID);
  await app.drain();
  expect(await sizes()).toEqual(before);
  await checkKeptContacts(app, account.accountId);
  for (const ListID of [own.ListID, inOther]) {
    await app.call(listCalls.deleteList, { params: { ListID } }, owner);
  }
  await app.drain();
});

it.each([
  ['one lane', moveAll],
  ['two lanes', copyAll],
])('is undone while it is running, %s', async (_, begin) => {
  const { body } = await begin();
  const [, undone] = await Promise.all([app.drain(), undo(body.UndoID)]);
  expect(undone.body.UndoExecuted).toBe(true);
  await app.drain();
  expect((await workOf(body.WorkID)).Status).toBe('Complete');
  expect(await sizes()).toMatchObject({ unfiled: many, group: 0 });
  await checkKeptContacts(app, account.accountId);
});

it('includes the matches of a search, except the excepted, whatever the slices change', async () => {
  const { Items } = await thoseNamed('04123');
  const { body } = await moveAll({ q: 'person 0' }, { Type: 'SelectedAllExcept', Items });
  // 04001 to 09999, without 04123.
  expect(body).toMatchObject({ Size: 5_998, WorkID: expect.any(Number) });
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({ Status: 'Complete', Done: 5_998 });
  expect(await sizes()).toMatchObject({ unfiled: many - 5_998, group: 5_998 });
  await undo(body.UndoID);
  await app.drain();
});

it('deletes and edits, and restores all of it', async () => {
  const edit = await app.call(
    calls.updateContacts,
    { params: { ListID: everyone }, body: { Selection: all, Update: { Notes: 'Moved house' } } },
    owner,
  );
  await app.drain();
  const noted = async () => {
    const { body } = await app.call(
      calls.listContacts,
      { params: { ListID: everyone }, query: { q: 'moved house' } },
      owner,
    );
    return body.Size;
  };
  expect(await noted()).toBe(many);
  const gone = await app.call(
    calls.removeContacts,
    { params: { ListID: everyone }, body: { Selection: all } },
    owner,
  );
  await app.drain();
  expect(await sizes()).toMatchObject({ everyone: 0, unfiled: 0, deleted: many });
  for (const UndoID of [gone.body.UndoID, edit.body.UndoID]) {
    await undo(UndoID);
    await app.drain();
  }
  expect(await noted()).toBe(0);
  await checkKeptContacts(app, account.accountId);
});

it('empties a deleted group and a deleted field, and fills the group again', async () => {
  await moveAll();
  const field = await app.call(calls.addCustomField, { body: { Name: 'Bus' } }, owner);
  await app.drain();
  await app.call(
    calls.updateContacts,
    { params: { ListID: group }, body: { Selection: all, Update: { CustomData: { Bus: '4' } } } },
    owner,
  );
  await app.drain();
  const { body } = await app.call(listCalls.deleteList, { params: { ListID: group } }, owner);
  // Gone at once for everybody; its members leave it in the background.
  expect((await app.call(listCalls.getList, { params: { ListID: group } }, owner)).status).toBe(404);
  await app.call(calls.deleteCustomField, { params: { FieldID: field.body.FieldID } }, owner);
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: many, group: undefined });
  await checkKeptContacts(app, account.accountId);
  const { rows } = await sql<{ left: number }>`
    select count(*) as left from contacts where account_id = ${account.accountId} and custom_data <> '{}'`.execute(
    app.database.system,
  );
  expect(rows[0]?.left).toBe(0);
  const undone = await undo(body.UndoID);
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: 0, group: many });
  await undo(undone.body.UndoID);
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: many, group: undefined });
});

it('ends with a message when it has become impossible', async () => {
  const { body } = await moveAll();
  await app.call(listCalls.deleteList, { params: { ListID: group } }, owner);
  await app.drain();
  expect(await workOf(body.WorkID)).toMatchObject({
    Status: 'Error',
    ErrorMessage: `That group is no longer here. 0 of ${many} were done; that can be undone.`,
  });
});

it('retries a slice that fails, gives up after a few, and the completed part can be undone', async () => {
  const { Items } = await thoseNamed('05600');
  await alter(`
    create function fail_once() returns trigger language plpgsql as
      $$ begin if new.person_id = ${Items[0]} and new.group_id > 0 then raise exception 'disk on fire'; end if; return new; end $$;
    create trigger fail_once before insert on group_members for each row execute function fail_once()`);
  const { body } = await moveAll();
  for (let tries = 1; tries <= 5; tries += 1) {
    expect((await workOf(body.WorkID)).Status).toBe('InProgress');
    await app.drain();
    // The test doesn't wait for the pause between the tries, but moves its end.
    await sql`update work set lease_until = now() - interval '1 second' where work_id = ${body.WorkID}`.execute(
      app.database.system,
    );
  }
  await alter('drop trigger fail_once on group_members; drop function fail_once');
  expect(await workOf(body.WorkID)).toMatchObject({
    Status: 'Error',
    Done: firstSlice,
    ErrorMessage: `Something went wrong, and trying again didn’t help. ${firstSlice} of ${many} were done; that can be undone.`,
  });
  expect(await sizes()).toMatchObject({ unfiled: many - firstSlice, group: firstSlice });
  await undo(body.UndoID);
  await app.drain();
  expect(await sizes()).toMatchObject({ unfiled: many, group: 0 });
  await checkKeptContacts(app, account.accountId);
});

it('is hidden from others', async () => {
  const { body } = await moveAll();
  const other = await buildAccount(app);
  const params = { WorkID: body.WorkID ?? 0 };
  expect(refusalOf(await app.call(workCalls.getWork, { params }, other.owner)).status).toBe(404);
  expect((await app.call(workCalls.listWork, {}, other.owner)).body.Items).toEqual([]);
});

function alter(statements: string) {
  return asOwner(app.databaseUrl, (client) => client.query(statements));
}
