import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../../contract/contacts.ts';
import * as listCalls from '../../../contract/lists.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  owner = account.owner;
  await app.call(calls.addCustomField, { body: { Name: 'Bus' } }, owner);
});

function add(body: object, as: { cookie: string; headers?: Record<string, string> } = owner) {
  return app.call(calls.addContact, { body }, as);
}

async function addGroup(ListName: string): Promise<number> {
  return (await app.call(listCalls.addList, { body: { ListName } }, owner)).body.ListID;
}

function get(PersonID: number) {
  return app.call(calls.getContact, { params: { PersonID } }, owner);
}

describe('adding a contact', () => {
  it('parses the typed values and returns the whole contact', async () => {
    const ListID = await addGroup('Swimmers');
    const { status, body } = await add({
      FirstName: '  José ',
      LastName: 'Ortega',
      Notes: 'Left-handed',
      PrimaryPhone: '(423) 555-0143',
      SecondaryPhone: '+1 423 555 0144',
      TertiaryPhone: '423.555.0143',
      CustomData: { bus: ' 4 ' },
      ListIDs: [ListID],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      FirstName: 'José',
      LastName: 'Ortega',
      Notes: 'Left-handed',
      PrimaryPhone: '4235550143',
      SecondaryPhone: '4235550144',
      // A number typed twice is one number.
      TertiaryPhone: '',
      CustomData: { Bus: '4' },
      Lists: [{ ListID, ListName: 'Swimmers' }],
      IsDeleted: false,
    });
    expect((await get(body.PersonID)).body).toEqual(body);
    const found = await app.call(calls.listContacts, { params: { ListID }, query: { q: 'jose 4' } }, owner);
    expect(found.body.Items.map(({ PersonID }) => PersonID)).toEqual([body.PersonID]);
    await checkKeptContacts(app, account.accountId);
  });

  it.each([
    [{}, 'PrimaryPhone', 'Enter a Phone Number'],
    [{ PrimaryPhone: '423555' }, 'PrimaryPhone', expect.stringContaining('10')],
    [{ PrimaryPhone: '4235550150', SecondaryPhone: '0005550150' }, 'SecondaryPhone', expect.any(String)],
    [
      { PrimaryPhone: '4235550150', FirstName: 'x'.repeat(51) },
      'FirstName',
      'First Name must be at most 50 characters',
    ],
    [
      { PrimaryPhone: '4235550150', LastName: 'x'.repeat(51) },
      'LastName',
      'Last Name must be at most 50 characters',
    ],
    [{ PrimaryPhone: '4235550150', Notes: 'x'.repeat(51) }, 'Notes', 'Notes must be at most 50 characters'],
    [
      { PrimaryPhone: '4235550150', CustomData: { Coach: '1' } },
      'CustomData.Coach',
      'There is no custom field Coach.',
    ],
    [
      { PrimaryPhone: '4235550150', CustomData: { Bus: 'x'.repeat(501) } },
      'CustomData.Bus',
      'Bus must be at most 500 characters',
    ],
  ])('refuses %j at %s', async (body, Field, Message) => {
    expect(refusalOf(await add(body))).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
  });

  it('refuses a phone that a contact has in any of its three fields, and says whose', async () => {
    const first = await add({
      PrimaryPhone: '4235550160',
      SecondaryPhone: '4235550161',
      TertiaryPhone: '4235550162',
    });
    for (const phone of ['4235550160', '4235550161', '4235550162']) {
      expect(refusalOf(await add({ PrimaryPhone: '4235550163', TertiaryPhone: phone }))).toMatchObject({
        status: 422,
        Message: 'Contact already exists in the Everyone group.',
        ExtendedData: { PersonID: first.body.PersonID },
      });
    }
    const allowed = await add({ PrimaryPhone: '4235550160', AllowDuplicate: true });
    expect(allowed.status).toBe(200);
    expect(allowed.body.Phones[0]).toMatchObject({ PhoneNumber: '4235550160', SharedWith: 1 });
  });

  it('accepts a phone of a contact that was deleted', async () => {
    const first = await add({ PrimaryPhone: '4235550165' });
    await app.call(calls.deleteContact, { params: { PersonID: first.body.PersonID } }, owner);
    expect((await add({ PrimaryPhone: '4235550165' })).status).toBe(200);
  });

  it('does not reveal other people’s contacts to a user who can’t see them', async () => {
    await add({ PrimaryPhone: '4235550166' });
    const user = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: false });
    expect((await add({ PrimaryPhone: '4235550166' }, user)).status).toBe(200);
    expect((await add({ PrimaryPhone: '4235550166' }, user)).status).toBe(422);
  });

  it('adds one contact when one phone is added many times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => add({ PrimaryPhone: '4235550170' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });

  it('adds one contact for one Idempotency-Key', async () => {
    const as = { cookie: owner.cookie, headers: { 'idempotency-key': 'add-1' } };
    const [first, second] = await Promise.all([
      add({ PrimaryPhone: '4235550171' }, as),
      add({ PrimaryPhone: '4235550171' }, as),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.PersonID).toBe(second.body.PersonID);
  });
});

describe('changing a contact', () => {
  it('replaces its values and groups, and undoes it', async () => {
    const [bus, choir] = [await addGroup('Bus riders'), await addGroup('Choir')];
    const { body: before } = await add({
      FirstName: 'Ann',
      PrimaryPhone: '4235550180',
      SecondaryPhone: '4235550181',
      CustomData: { Bus: '4' },
      ListIDs: [bus],
    });
    const params = { PersonID: before.PersonID };
    const { status, body: after } = await app.call(
      calls.updateContact,
      { params, body: { FirstName: 'Anna', LastName: 'Lee', PrimaryPhone: '4235550182', ListIDs: [choir] } },
      owner,
    );
    expect(status).toBe(200);
    expect(after).toMatchObject({
      FirstName: 'Anna',
      LastName: 'Lee',
      PrimaryPhone: '4235550182',
      SecondaryPhone: '',
      CustomData: {},
      Lists: [{ ListID: choir }],
    });
    const shape = ({ UpdateTimestamp: _, ...contact }: { UpdateTimestamp: string }) => contact;
    const undone = await app.call(calls.undoContacts, { params: { UndoID: after.UndoID ?? 0 } }, owner);
    expect(shape((await get(before.PersonID)).body)).toEqual(shape(before));
    await app.call(calls.undoContacts, { params: { UndoID: undone.body.UndoID ?? 0 } }, owner);
    const { UndoID: _, ...changed } = after;
    expect(shape((await get(before.PersonID)).body)).toEqual(shape(changed));
    await checkKeptContacts(app, account.accountId);
  });

  it('keeps the groups when they are not given, and has nothing to undo without a change', async () => {
    const ListID = await addGroup('Walkers');
    const { body } = await add({ PrimaryPhone: '4235550185', ListIDs: [ListID] });
    const again = await app.call(
      calls.updateContact,
      { params: { PersonID: body.PersonID }, body: { PrimaryPhone: '4235550185' } },
      owner,
    );
    expect(again.body).toMatchObject({ UndoID: null, Lists: [{ ListID }] });
  });

  it('refuses a deleted contact, and does not find one of another account', async () => {
    const { body } = await add({ PrimaryPhone: '4235550186' });
    const input = { params: { PersonID: body.PersonID }, body: { PrimaryPhone: '4235550187' } };
    const other = await buildAccount(app);
    expect((await app.call(calls.updateContact, input, other.owner)).status).toBe(404);
    await app.call(calls.deleteContact, { params: { PersonID: body.PersonID } }, owner);
    expect(refusalOf(await app.call(calls.updateContact, input, owner))).toMatchObject({
      status: 422,
      Message: 'This contact is deleted. Restore it to change it.',
    });
  });
});

describe('deleting a contact', () => {
  it('moves it to Deleted, and its undo returns it to its groups', async () => {
    const ListID = await addGroup('Divers');
    const { body } = await add({ PrimaryPhone: '4235550190', ListIDs: [ListID] });
    const params = { PersonID: body.PersonID };
    const gone = await app.call(calls.deleteContact, { params }, owner);
    expect((await get(body.PersonID)).body).toMatchObject({ IsDeleted: true, Lists: [] });
    const twice = await app.call(calls.deleteContact, { params }, owner);
    expect([twice.status, twice.body]).toEqual([200, { UndoID: null }]);
    await app.call(calls.undoContacts, { params: { UndoID: gone.body.UndoID ?? 0 } }, owner);
    expect((await get(body.PersonID)).body).toMatchObject({ IsDeleted: false, Lists: [{ ListID }] });
    await checkKeptContacts(app, account.accountId);
  });
});
