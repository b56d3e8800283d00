import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../contract/imports.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
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
  it('adds, joins who is there, separates what is no number, and can be undone', async () => {
    const own = await buildAccount(app);
    await steps.importFile(['Name,Phone', 'Jane Doe,4235550143'], { as: own.owner });
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
            ],
          },
        },
        own.owner,
      );
    expect(refusalOf(await paste(false))).toMatchObject({ status: 400 });
    const { body } = await paste(true);
    expect(body).toEqual({
      CreatedCount: 1,
      ExistingCount: 1,
      Invalid: [{ Position: 4, Message: 'Must be 10 digits; use only numbers' }],
      UndoID: expect.any(Number),
    });
    expect(await steps.contactsOf(own.accountId)).toMatchObject([
      { first_name: 'Jane', last_name: 'Doe' },
      { first_name: 'Mary Ann', last_name: 'Lee' },
    ]);
    await checkKeptContacts(app, own.accountId);
    expect((await app.call(calls.listFiles, {}, own.owner)).body.Items).toHaveLength(1);

    await app.call(calls.undoFile, { params: { UndoID: body.UndoID ?? 0 } }, own.owner);
    await app.drain();
    const after = await steps.everything(own.accountId);
    expect([after.contacts, after.members]).toEqual([before.contacts, before.members]);
  });
});
