import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { checkKeptContacts } from '../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { createFileSteps } from './testing/file-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createFileSteps>;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  steps = createFileSteps(app, account);
});

describe('pasteContacts', () => {
  it('adds, joins existing ones, separates invalid numbers, and can be undone', async () => {
    const own = await buildAccount(app);
    await steps.importFile(['Name,Phone,Home', 'Jane Doe,4235550143,', 'Lee Ode,4235550170,4235550171'], {
      as: own.owner,
      columns: { Phone2: 3 },
    });
    const [jane, lee] = await app.database.system
      .selectFrom('contacts')
      .select('person_id')
      .where('account_id', '=', own.accountId)
      .orderBy('person_id')
      .execute();
    const { group_id: ListID } = await app.database.system
      .insertInto('groups')
      .values({ account_id: own.accountId, name: 'Pasted' })
      .returning('group_id')
      .executeTakeFirstOrThrow();
    const before = await steps.everything(own.accountId);
    const paste = (UserIndicatedConsentDeclared: boolean) =>
      app.call(
        calls.pasteContacts,
        {
          params: { ListID },
          body: {
            UserIndicatedConsentDeclared,
            Items: [
              { Name: 'Jane X', PrimaryPhone: '423-555-0143' },
              { Name: 'Mary Ann Lee', PrimaryPhone: '4235550160' },
              { Name: 'Mary again', PrimaryPhone: '1 423 555 0160' },
              { PrimaryPhone: '911' },
              { Name: 'Home', PrimaryPhone: '423.555.0171' },
            ],
          },
        },
        own.owner,
      );
    expect(refusalOf(await paste(false))).toMatchObject({ status: 400 });
    const { body } = await paste(true);
    expect(body).toEqual({
      CreatedCount: 1,
      ExistingCount: 2,
      // By their saved names, also by a second phone.
      Existing: [
        { Position: 1, PersonID: jane?.person_id, FirstName: 'Jane', LastName: 'Doe' },
        { Position: 5, PersonID: lee?.person_id, FirstName: 'Lee', LastName: 'Ode' },
      ],
      Invalid: [{ Position: 4, Message: 'Must be 10 digits; use only numbers' }],
      UndoID: expect.any(Number),
    });
    expect(await steps.contactsOf(own.accountId)).toMatchObject([
      { first_name: 'Jane', last_name: 'Doe' },
      { first_name: 'Lee', last_name: 'Ode' },
      { first_name: 'Mary Ann', last_name: 'Lee' },
    ]);
    await checkKeptContacts(app, own.accountId);
    expect((await app.call(calls.listFiles, {}, own.owner)).body.Items).toHaveLength(1);

    await app.call(calls.undoFile, { params: { UndoID: body.UndoID ?? 0 } }, own.owner);
    await app.drain();
    const after = await steps.everything(own.accountId);
    expect([after.contacts, after.members]).toEqual([before.contacts, before.members]);
  });

  it('names nobody whom the user doesn’t see', async () => {
    const own = await buildAccount(app);
    await steps.importFile(['Name,Phone', 'Jane Doe,4235550143'], { as: own.owner });
    const teacher = await buildUser(app, own.accountId, 'user');
    const { body } = await app.call(
      calls.pasteContacts,
      {
        params: { ListID: 0 },
        body: {
          UserIndicatedConsentDeclared: true,
          Items: [{ Name: 'My Jane', PrimaryPhone: '4235550143' }],
        },
      },
      teacher,
    );
    expect(body).toMatchObject({ CreatedCount: 1, ExistingCount: 0, Existing: [] });
  });
});
