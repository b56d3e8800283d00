/** Changes of many contacts at once in the history of each of their phones. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import * as calls from '../../contract/contacts.ts';
import * as fileCalls from '../../contract/imports.ts';
import { addList } from '../../contract/lists.ts';
import { listPhoneHistory } from '../../contract/reports.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { createFileSteps } from '../imports/testing/file-steps.ts';
import { buildAccount, buildUser } from '../testing/builders.ts';
import { testApp } from '../testing/test-app.ts';

const { everyone } = calls.specialGroups;
const all: SelectionOfIds = { Type: 'SelectedAll', Items: [] };
const phone = '4235550143';

it('lists what was done to a selection, imports of a known contact and undoing, each once', async () => {
  const app = await testApp();
  const account = await buildAccount(app);
  const as = account.owner;
  const steps = createFileSteps(app, account);
  const add = async (FirstName: string, PrimaryPhone: string) =>
    (await app.call(calls.addContact, { body: { FirstName, PrimaryPhone } }, as)).body.PersonID;
  // Two contacts have the phone: what reached both is one line.
  await add('Ana', phone);
  await add('Ben', phone);
  await add('Cay', '4235550144');
  const group = (await app.call(addList, { body: { ListName: 'Choir' } }, as)).body.ListID;
  const lines = async (typed = phone, who = as) =>
    (await app.call(listPhoneHistory, { params: { Number: typed }, query: {} }, who)).body.Items.filter(
      ({ Kind }) => Kind === 'edited' || Kind === 'imported',
    );
  const words = async (typed = phone) =>
    (await lines(typed)).map(({ Message, FileName }) => Message || FileName);

  const change = { body: { Selection: all } };
  await app.call(calls.copyContacts, { params: { ListID: everyone, TargetID: group }, ...change }, as);
  await app.call(
    calls.updateContacts,
    { params: { ListID: group }, query: {}, body: { Selection: all, Update: { Notes: 'Reads' } } },
    as,
  );
  const removal = { params: { ListID: everyone }, query: { removefromeveryone: true }, ...change };
  const { body } = await app.call(calls.removeContacts, removal, as);
  await app.call(calls.undoContacts, { params: { UndoID: body.UndoID ?? 0 } }, as);
  const expected = ['A change was undone', 'Deleted', 'Notes', 'Added to Choir'];
  expect(await words()).toEqual(expected);
  expect(await words('4235550144')).toEqual(expected);
  expect((await lines()).every(({ UserName }) => UserName !== '')).toBe(true);

  const file = await steps.importFile(['First name,Phone,Notes', `Ana,${phone},Sings`, 'Dan,4235550150,'], {
    as,
  });
  expect((await words())[0]).toBe('people.csv');
  expect(await words('4235550144')).toEqual(expected);
  await app.call(fileCalls.undoFile, { params: { UndoID: file.UndoID ?? 0 } }, as);
  await app.drain();
  expect((await words()).slice(0, 2)).toEqual(['An import was undone', 'people.csv']);

  // Somebody who sees only their own contacts reads nothing of others'.
  const clerk = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: false });
  const refused = await app.call(listPhoneHistory, { params: { Number: phone }, query: {} }, clerk);
  expect(refused.status).toBe(404);
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from mass_changes where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(rows[0]?.many).toBe(6);
});

it('says nothing to another organization, and nothing of what reached nobody', async () => {
  const app = await testApp();
  const [one, two] = [await buildAccount(app), await buildAccount(app)];
  for (const { owner } of [one, two])
    await app.call(calls.addContact, { body: { FirstName: 'Ana', PrimaryPhone: phone } }, owner);
  const { body: list } = await app.call(addList, { body: { ListName: 'Band' } }, one.owner);
  await app.call(
    calls.copyContacts,
    { params: { ListID: everyone, TargetID: list.ListID }, body: { Selection: all } },
    one.owner,
  );
  const kinds = async ({ owner }: typeof one) =>
    (await app.call(listPhoneHistory, { params: { Number: phone }, query: {} }, owner)).body.Items.map(
      ({ Kind }) => Kind,
    );
  expect(await kinds(one)).toEqual(['edited', 'added']);
  expect(await kinds(two)).toEqual(['added']);
});
