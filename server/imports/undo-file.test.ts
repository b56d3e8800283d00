import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as contactCalls from '../../contract/contacts.ts';
import * as calls from '../../contract/imports.ts';
import * as listCalls from '../../contract/lists.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { bus, createFileSteps, people } from './testing/file-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createFileSteps>;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  steps = createFileSteps(app, account);
});

describe('undoFile', () => {
  it('undoes a whole import, including its changes of existing contacts', async () => {
    const own = await buildAccount(app);
    await steps.importFile(['First name,Phone,Groups', 'Janet,4235550143,Choir', 'Joe,4235550150,'], {
      as: own.owner,
    });
    const before = await steps.everything(own.accountId);
    const file = await steps.importFile(people, { as: own.owner, columns: bus });
    expect(file.Summary).toMatchObject({ CreatedCount: 2, UpdatedCount: 1 });
    const undo = () => app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, own.owner);
    expect((await undo()).body).toEqual({ UndoExecuted: true, UndoID: null });
    await app.drain();
    expect(await steps.getFile(file.FileID, own.owner)).toMatchObject({
      Stage: 'undone',
      UndoID: null,
      ErrorMessage: '',
    });
    const { fields: _, counts: __, consents, events, ...rest } = await steps.everything(own.accountId);
    const { contacts, members, search, groups } = before;
    expect(rest).toEqual({ contacts, members, search, groups });
    expect(consents.filter((row) => (row as { text_state: string }).text_state !== null)).toEqual(
      before.consents,
    );
    expect(
      events
        .slice(before.events.length)
        .map((row) => (row as { state: string }).state)
        .sort(),
    ).toEqual(['in', 'in', 'in', 'none', 'none', 'none']);
    await checkKeptContacts(app, own.accountId);
    // A second click does nothing.
    expect((await undo()).body).toEqual({ UndoExecuted: false, UndoID: null });
  });

  it('keeps contacts that were changed since', async () => {
    const own = await buildAccount(app);
    const file = await steps.importFile(people, { as: own.owner });
    await sql`update contacts set notes = 'Called', updated_at = now()
      where account_id = ${own.accountId} and first_name = 'Jane'`.execute(app.database.system);
    await app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, own.owner);
    await app.drain();
    expect(await steps.getFile(file.FileID, own.owner)).toMatchObject({
      Stage: 'undone',
      ErrorMessage: '1 contact stays: it was changed since the import.',
    });
    expect(await steps.contactsOf(own.accountId)).toMatchObject([{ first_name: 'Jane', notes: 'Called' }]);
    await checkKeptContacts(app, own.accountId);
  });
});

describe('groups that an import created', () => {
  const lines = [
    'First name,Phone,Groups',
    'Jane,4235550143,Choir; Band; Chess; Drama',
    'Joe,4235550150,Elves',
  ];
  const undo = async (file: calls.FileUpload, as: BuiltAccount) => {
    await app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, as.owner);
    await app.drain();
    expect(await steps.getFile(file.FileID, as.owner)).toMatchObject({ Stage: 'undone' });
  };
  const namesOf = async ({ owner }: BuiltAccount) =>
    (await app.call(listCalls.listLists, {}, owner)).body.Items.filter(({ ListID }) => ListID > 0).map(
      ({ ListName }) => ListName,
    );
  const idOf = async ({ accountId }: BuiltAccount, name: string) => {
    const { group_id } = await app.database.system
      .selectFrom('groups')
      .select('group_id')
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return group_id;
  };

  it('are deleted with it, including counts; existing ones stay, even if empty', async () => {
    const own = await buildAccount(app);
    await app.call(listCalls.addList, { body: { ListName: 'Choir' } }, own.owner);
    const before = await steps.everything(own.accountId);
    const file = await steps.importFile(lines, { as: own.owner });
    expect(await namesOf(own)).toEqual(['Band', 'Chess', 'Choir', 'Drama', 'Elves']);
    await undo(file, own);
    const after = await steps.everything(own.accountId);
    expect(after.groups).toEqual(before.groups);
    expect(after.counts.filter((row) => (row as { list_id: number }).list_id > 0)).toEqual([
      expect.objectContaining({ list_id: await idOf(own, 'Choir'), roster_count: 0 }),
    ]);
    await checkKeptContacts(app, own.accountId);
    // The names are free again.
    const { status } = await app.call(listCalls.addList, { body: { ListName: 'Band' } }, own.owner);
    expect(status).toBe(200);
  });

  it('stay if a user renamed them, added people, uses them, or may restore people into them', async () => {
    const own = await buildAccount(app);
    const file = await steps.importFile(lines, { as: own.owner });
    const idByName = async (name: string) => ({ ListID: await idOf(own, name) });
    await app.call(
      listCalls.updateList,
      { params: await idByName('Band'), body: { ListName: 'Big band' } },
      own.owner,
    );
    const add = async (FirstName: string, PrimaryPhone: string, group: string) =>
      app.call(
        contactCalls.addContact,
        { body: { FirstName, PrimaryPhone, ListIDs: [await idOf(own, group)] } },
        own.owner,
      );
    await add('Kit', '4235550160', 'Chess');
    await add('Lou', '4235550161', 'Elves');
    const Rule = { Kind: 'group' as const, Is: 'notin' as const, ...(await idByName('Drama')) };
    await app.call(
      listCalls.addList,
      { body: { ListName: 'No drama', Segment: { Match: 'all', Rules: [Rule] } } },
      own.owner,
    );
    await app.call(
      contactCalls.removeContacts,
      {
        params: await idByName('Elves'),
        query: { removefromeveryone: 'true' },
        body: { Selection: { Type: 'SelectedAll' } },
      },
      own.owner,
    );
    await undo(file, own);
    expect(await namesOf(own)).toEqual(['Big band', 'Chess', 'Drama', 'Elves', 'No drama']);
    await checkKeptContacts(app, own.accountId);
  });

  it('stay for the next import, which waits and relies on them', async () => {
    const own = await buildAccount(app);
    const file = await steps.importFile(lines, { as: own.owner });
    const next = await steps.readFile(['First name,Phone,Groups', 'Kim,4235550161,Elves'], { as: own.owner });
    // Started in this order, they run in this order.
    await app.call(calls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, own.owner);
    await steps.startImport(next.FileID, 0, own.owner);
    await app.drain();
    expect(await steps.getFile(file.FileID, own.owner)).toMatchObject({ Stage: 'undone' });
    expect(await steps.getFile(next.FileID, own.owner)).toMatchObject({ Stage: 'imported' });
    expect(await namesOf(own)).toEqual(['Elves']);
    const { body } = await app.call(
      contactCalls.listContacts,
      { params: { ListID: await idOf(own, 'Elves') } },
      own.owner,
    );
    expect(body.Items.map(({ FirstName }) => FirstName)).toEqual(['Kim']);
    await checkKeptContacts(app, own.accountId);
  });

  it('are also deleted when the import is canceled midway', async () => {
    const own = await buildAccount(app);
    const file = await steps.readFile(lines, { as: own.owner });
    await steps.startImport(file.FileID, 0, own.owner);
    await app.call(calls.cancelFile, { params: { FileID: file.FileID } }, own.owner);
    await app.drain();
    expect(await namesOf(own)).toEqual([]);
  });
});

describe('cancelFile', () => {
  it('cancels before it starts, and undoes a running import', async () => {
    const own = await buildAccount(app);
    const read = await steps.readFile(people, { as: own.owner });
    const cancel = (FileID: number) => app.call(calls.cancelFile, { params: { FileID } }, own.owner);
    expect((await cancel(read.FileID)).body).toMatchObject({ Stage: 'canceled', Status: 'Complete' });
    await app.drain();
    const { rows } = await sql`select from file_rows where file_id = ${read.FileID}`.execute(
      app.database.system,
    );
    expect(rows).toEqual([]);
    expect(refusalOf(await steps.startImport(read.FileID, 0, own.owner))).toMatchObject({
      status: 409,
      Message: 'The file was canceled.',
    });

    const file = await steps.readFile(people, { as: own.owner });
    await steps.startImport(file.FileID, 0, own.owner);
    expect((await cancel(file.FileID)).body).toMatchObject({ Stage: 'undoing', Status: 'InProgress' });
    await app.drain();
    expect(await steps.getFile(file.FileID, own.owner)).toMatchObject({ Stage: 'canceled' });
    expect(await steps.contactsOf(own.accountId)).toEqual([]);

    const imported = await steps.importFile(people, { as: own.owner });
    expect(refusalOf(await cancel(imported.FileID))).toMatchObject({ status: 409 });
  });
});
