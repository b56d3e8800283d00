import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '../../../contract/contacts.ts';
import * as listCalls from '../../../contract/lists.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { asAccount } from '../../db.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { findOrCreateFields } from '../change/custom-fields.ts';
import { findOrCreateGroups } from './find-or-create-groups.ts';
import { sweepDeletedGroups } from './sweep-deleted-groups.ts';

let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  owner = account.owner;
});

function add(ListName: string, more: object = {}) {
  return app.call(listCalls.addList, { body: { ListName, ...more } }, owner);
}

function rename(ListID: number, ListName: string, more: object = {}) {
  return app.call(listCalls.updateList, { params: { ListID }, body: { ListName, ...more } }, owner);
}

const inUse = { status: 400, Errors: [{ Field: 'ListName', Message: 'The group name is already in use.' }] };
const Segment = {
  Match: 'all' as const,
  Rules: [{ Kind: 'added' as const, Is: 'within' as const, Days: 3 }],
};

describe('groups', () => {
  it('are created, renamed and colored', async () => {
    const { body } = await add('  Choir ', { Color: 3 });
    expect(body).toEqual({
      ListID: expect.any(Number),
      ListName: 'Choir',
      ListType: 'User',
      RosterCount: 0,
      Color: 3,
      Segment: null,
      PhoneListID: '',
    });
    expect((await rename(body.ListID, 'CHOIR')).body).toMatchObject({ ListName: 'CHOIR', Color: 3 });
    expect((await rename(body.ListID, 'Singers', { Color: 5 })).body).toMatchObject({ Color: 5 });
  });

  it('refuse a name that is missing, too long or in use, also by Everyone', async () => {
    await add('Taken');
    const { body } = await add('Free');
    for (const name of ['taken', ' TAKEN ', 'Everyone', 'unfiled', 'Deleted']) {
      expect(refusalOf(await add(name))).toMatchObject(inUse);
      expect(refusalOf(await rename(body.ListID, name))).toMatchObject(inUse);
    }
    expect(refusalOf(await add(' ')).Message).toBe('Enter a Group Name');
    expect(refusalOf(await add('x'.repeat(51))).Message).toBe('Group Name must be at most 50 characters');
  });

  it('with one name are created once, however many requests there are at once', async () => {
    const replies = await Promise.all(['race', 'Race', 'RACE', 'rAce'].map((name) => add(name)));
    const refused = replies.filter(({ status }) => status !== 200).map(refusalOf);
    expect(refused).toHaveLength(3);
    for (const refusal of refused) expect(refusal).toMatchObject(inUse);
    const [one, two] = [(await add('Race one')).body.ListID, (await add('Race two')).body.ListID];
    const renamed = await Promise.all([rename(one, 'Race three'), rename(two, 'race three')]);
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('with conditions stay segments, and name only existing groups and fields', async () => {
    const { body: segment } = await add('New ones', { Segment });
    expect(segment.Segment).toEqual(Segment);
    const wider = { ...Segment, Rules: [{ Kind: 'added' as const, Is: 'within' as const, Days: 30 }] };
    expect((await rename(segment.ListID, 'New ones', { Segment: wider })).body.Segment).toEqual(wider);
    const { body: plain } = await add('Plain');
    expect((await rename(plain.ListID, 'Plain', { Segment })).status).toBe(422);
    expect((await rename(segment.ListID, 'New ones', { Segment: null })).status).toBe(422);
    const other = await buildAccount(app);
    const theirs = await app.call(listCalls.addList, { body: { ListName: 'Theirs' } }, other.owner);
    const asks = { Rules: [{ Kind: 'group', Is: 'in', ListID: theirs.body.ListID }] };
    expect((await add('Asks theirs', { Segment: asks })).status).toBe(404);
  });

  it('are deleted with their members saved, and restored with them', async () => {
    const { body: group } = await add('Going');
    const { body: contact } = await app.call(
      calls.addContact,
      { body: { PrimaryPhone: '4235550200', ListIDs: [group.ListID] } },
      owner,
    );
    const params = { ListID: group.ListID };
    const { body } = await app.call(listCalls.deleteList, { params }, owner);
    expect((await app.call(listCalls.getList, { params }, owner)).status).toBe(404);
    const get = () => app.call(calls.getContact, { params: { PersonID: contact.PersonID } }, owner);
    expect((await get()).body.Lists).toEqual([]);
    await checkKeptContacts(app, account.accountId);
    const undone = await app.call(calls.undoContacts, { params: { UndoID: body.UndoID ?? 0 } }, owner);
    expect((await app.call(listCalls.getList, { params }, owner)).body.RosterCount).toBe(1);
    expect((await get()).body.Lists).toMatchObject([{ ListName: 'Going' }]);
    // And deleted again.
    const again = await app.call(calls.undoContacts, { params: { UndoID: undone.body.UndoID ?? 0 } }, owner);
    expect((await app.call(listCalls.getList, { params }, owner)).status).toBe(404);
    expect((await get()).body.Lists).toEqual([]);
    // Its name was given to another group meanwhile.
    await add('GOING');
    const late = await app.call(calls.undoContacts, { params: { UndoID: again.body.UndoID ?? 0 } }, owner);
    expect(refusalOf(late)).toMatchObject({ status: 422, Message: 'The group name is already in use.' });
    await checkKeptContacts(app, account.accountId);
  });

  it('that always exist can’t be changed', async () => {
    for (const ListID of [0, -1, -2]) {
      expect((await rename(ListID, 'Mine')).status).toBe(422);
      expect((await app.call(listCalls.deleteList, { params: { ListID } }, owner)).status).toBe(422);
    }
  });

  it('are found or created by name in one request, also by several at once', async () => {
    const there = (await add('Found')).body.ListID;
    await add('A question', { Segment });
    const names = ['found', 'Made', 'MADE', ' Made ', 'Everyone', 'A Question', '', 'x'.repeat(60)];
    const runs = await Promise.all(
      Array.from({ length: 4 }, () =>
        asAccount(app.database, account.accountId, (trx) =>
          findOrCreateGroups(trx, account.accountId, names),
        ),
      ),
    );
    const groups = runs[0]?.groupIds;
    for (const { groupIds } of runs) expect(groupIds).toEqual(groups);
    // Each is created by one of them.
    expect(runs.flatMap(({ made }) => made).sort((one, other) => one.name.localeCompare(other.name))).toEqual(
      [
        { groupId: groups?.get('made'), name: expect.stringMatching(/^made$/i) },
        { groupId: groups?.get('x'.repeat(60)), name: 'x'.repeat(limits.groupName) },
      ],
    );
    expect([...(groups?.keys() ?? [])].sort()).toEqual([' made ', 'found', 'made', 'x'.repeat(60)]);
    expect(groups?.get('found')).toBe(there);
    expect(groups?.get(' made ')).toBe(groups?.get('made'));
    const { body } = await app.call(listCalls.listLists, { query: { q: 'made' } }, owner);
    expect(body.Items).toHaveLength(1);
  });
});

it('groups are sorted the way people count, page by page, on a contact and in a file', async () => {
  const { owner: asked } = await buildAccount(app);
  const natural = [
    'Étude',
    'grade 1',
    'Grade 2',
    'Grade 2b',
    'Grade 10',
    'Grade 10 – Room 9',
    'Grade 10 – Room 11',
  ];
  const ids = new Map<string, number>();
  for (const ListName of natural.toReversed()) {
    const { body } = await app.call(listCalls.addList, { body: { ListName } }, asked);
    ids.set(ListName, body.ListID);
  }
  const paged: string[] = [];
  for (const page of [1, 2, 3, 4]) {
    const { body } = await app.call(listCalls.listLists, { query: { page, pagesize: 3 } }, asked);
    paged.push(...body.Items.filter(({ ListID }) => ListID > 0).map(({ ListName }) => ListName));
  }
  expect(paged).toEqual(natural);
  const person = { FirstName: 'Ann', PrimaryPhone: '4235550177', ListIDs: [...ids.values()] };
  const { body: added } = await app.call(calls.addContact, { body: person }, asked);
  expect(added.Lists.map(({ ListName }) => ListName)).toEqual(natural);
  const { body: file } = await app.call(
    calls.exportContacts,
    { params: { ListID: 0 }, body: { Selection: { Type: 'SelectedAll', Items: [] }, Format: 'csv' } },
    asked,
  );
  const csv = await fetch(app.url + file.Uri, { headers: { cookie: asked.cookie } });
  expect(await csv.text()).toContain(natural.join('; '));
});

describe('groups that were deleted', () => {
  it('are gone for good after a month, with their counts and any members left', async () => {
    const own = await buildAccount(app);
    const made = async (ListName: string) =>
      (await app.call(listCalls.addList, { body: { ListName } }, own.owner)).body.ListID;
    const [long, young, living] = [await made('Long ago'), await made('Lately'), await made('Living')];
    for (const [PrimaryPhone, ListIDs] of [
      ['4235550101', [long]],
      ['4235550102', [long, living]],
    ] as const) {
      const body = { FirstName: 'Ann', PrimaryPhone, ListIDs: [...ListIDs] };
      expect((await app.call(calls.addContact, { body }, own.owner)).status).toBe(200);
    }
    const database = app.database.system;
    // The state after a deletion whose work has failed.
    await sql`update groups set deleted_at = now() - case when group_id = ${long} then interval '31 days' else '29 days' end
      where group_id in (${long}, ${young})`.execute(database);
    await sweepDeletedGroups(app.database);
    const { rows } = await sql<{ group_id: number }>`
      select group_id from groups where account_id = ${own.accountId} order by group_id`.execute(database);
    expect(rows.map(({ group_id }) => group_id)).toEqual([young, living]);
    const { rows: counts } = await sql`
      select list_id, roster_count from list_counts
      where account_id = ${own.accountId} order by list_id`.execute(database);
    expect(counts).toEqual([
      { list_id: -1, roster_count: 1 },
      { list_id: 0, roster_count: 2 },
      { list_id: living, roster_count: 1 },
    ]);
    await checkKeptContacts(app, own.accountId);
  });
});

describe('custom fields', () => {
  const addField = (Name: string, as = owner) => app.call(calls.addCustomField, { body: { Name } }, as);
  const listed = async () => (await app.call(calls.listCustomFields, {}, owner)).body.Items;

  it('are created, renamed and listed', async () => {
    const { body } = await addField(' Bus ');
    expect(body).toEqual({ FieldID: expect.any(Number), Name: 'Bus' });
    const params = { FieldID: body.FieldID };
    const renamed = await app.call(calls.updateCustomField, { params, body: { Name: 'Coach' } }, owner);
    expect(renamed.body).toEqual({ FieldID: body.FieldID, Name: 'Coach' });
    expect(await listed()).toEqual([{ FieldID: body.FieldID, Name: 'Coach' }]);
  });

  it.each([
    ['', 'Enter a Name'],
    ['x'.repeat(51), 'Name must be at most 50 characters'],
    ['coach', 'There is already a custom field with this name.'],
    ['FirstName', 'FirstName is a field of every contact already.'],
    ['first name', 'first name is a field of every contact already.'],
    ['Primary_Phone', 'Primary_Phone is a field of every contact already.'],
    ['a|b', 'A name can’t hold {, } or |: they mark merge fields in a message.'],
  ])('refuse the name %j', async (name, Message) => {
    expect(refusalOf(await addField(name))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'Name', Message }],
    });
  });

  it('are deleted with their values', async () => {
    const { body: field } = await addField('Team');
    const { body: contact } = await app.call(
      calls.addContact,
      { body: { PrimaryPhone: '4235550210', CustomData: { Team: 'Blue', Coach: '2' } } },
      owner,
    );
    const params = { FieldID: field.FieldID };
    const user = await buildUser(app, account.accountId, 'user');
    expect((await app.call(calls.deleteCustomField, { params }, user)).status).toBe(403);
    expect((await app.call(calls.deleteCustomField, { params }, owner)).status).toBe(200);
    const { rows } = await sql<{ values: string[] }>`
      select array(select jsonb_object_values from jsonb_each_text(custom_data) as v(key, jsonb_object_values)) as values
      from contacts where account_id = ${account.accountId} and person_id = ${contact.PersonID}`.execute(
      app.database.system,
    );
    expect(rows[0]?.values).toEqual(['2']);
    const found = await app.call(calls.listContacts, { params: { ListID: 0 }, query: { q: 'blue' } }, owner);
    expect(found.body.Items).toEqual([]);
    expect((await app.call(calls.deleteCustomField, { params }, owner)).status).toBe(404);
    await checkKeptContacts(app, account.accountId);
  });

  it('are found or created by name, and limited to a hundred', async () => {
    const make = (names: string[]) =>
      asAccount(app.database, account.accountId, (trx) => findOrCreateFields(trx, account.accountId, names));
    const before = await listed();
    const fields = await make(['COACH', 'Seat']);
    expect(fields.get('coach')).toBe(before[0]?.FieldID);
    const missing = calls.contactLimits.customFields - (await listed()).length;
    await make(Array.from({ length: missing }, (_, index) => `Field ${index}`));
    await expect(make(['One more'])).rejects.toThrow('You can have at most 100 custom fields.');
    await expect(make(['Notes'])).rejects.toThrow('Notes is a field of every contact already.');
    expect(await listed()).toHaveLength(calls.contactLimits.customFields);
    expect(refusalOf(await addField('One more'))).toMatchObject({
      status: 422,
      Message: 'You can have at most 100 custom fields.',
    });
  });
});
