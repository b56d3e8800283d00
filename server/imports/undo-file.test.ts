import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
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
  it('takes a whole import back, also what it changed', async () => {
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
    const {
      groups: _,
      fields: __,
      consents,
      events,
      counts: ___,
      ...rest
    } = await steps.everything(own.accountId);
    expect(rest).toEqual({ contacts: before.contacts, members: before.members, search: before.search });
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

  it('leaves those that somebody has changed since', async () => {
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

describe('cancelFile', () => {
  it('cancels before, and takes an import under way back', async () => {
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
