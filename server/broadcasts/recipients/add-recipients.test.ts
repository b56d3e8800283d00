/** The sources of recipients: groups, segments, selections, pasted numbers, files; and who may add whom. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as recipientCalls from '../../../contract/draft-recipients.ts';
import * as calls from '../../../contract/drafts.ts';
import { recipientProblemLabels } from '../../../contract/states/recipient-problem.ts';
import { createFileSteps, people } from '../../imports/testing/file-steps.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

let app: TestApp;
let account: BuiltAccount;
let steps: ReturnType<typeof createDraftSteps>;
let draft: number;

beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  account = await buildAccount(app);
  steps = createDraftSteps(app, account);
  draft = await steps.begin();
});

const three = [
  { first: 'Ann', last: 'Adams', phone: '14235550101' },
  { first: 'Bob', last: 'Brown', phone: '14235550102' },
  { first: 'Cy', last: 'Adams', phone: '14235550103' },
];

it('adds groups and segments together, everybody once and under their first source', async () => {
  const [ann = 0, bob = 0, cy = 0] = await steps.addContacts(three);
  const parents = await steps.addGroup('Parents', [ann, bob]);
  const staff = await steps.addGroup('Staff', [bob]);
  const adamses = await steps.addGroup('Adamses', [], {
    Match: 'all',
    Rules: [{ Kind: 'field', Field: 'lastname', Is: 'equals', Value: 'Adams' }],
  });
  const { body } = await steps.addLists(draft, [parents, staff, adamses]);
  expect(body).toMatchObject({ AddedCount: 3, LeftOutCount: 0 });
  const items = await steps.items(draft);
  expect(items.map(({ PersonID, Source }) => [PersonID, Source])).toEqual([
    [ann, 'Parents'],
    [bob, 'Parents'],
    [cy, 'Adamses'],
  ]);
  expect((await steps.summary(draft)).Sources).toMatchObject([
    { Kind: 'lists', Name: 'Parents', Count: 2 },
    { Kind: 'lists', Name: 'Adamses', Count: 1 },
  ]);
});

it('adds Everyone, all groups, and all but some', async () => {
  const [ann = 0, bob = 0] = await steps.addContacts(three);
  await steps.addGroup('Parents', [ann]);
  const staff = await steps.addGroup('Staff', [bob]);
  expect((await steps.addLists(draft, [0])).body.AddedCount).toBe(3);
  const add = async (Selection: object) => {
    const { body } = await app.call(
      recipientCalls.listsToNewDraft,
      { body: { Selection } } as never,
      account.owner,
    );
    return steps.list(body.DraftBroadcastID);
  };
  expect(await add({ Type: 'SelectedAll' })).toEqual([
    ['Ann', null],
    ['Bob', null],
  ]);
  expect(await add({ Type: 'SelectedAllExcept', Items: [{ ListID: staff }] })).toEqual([['Ann', null]]);
});

it('refuses a missing group, one of another account or deleted, and deleted contacts', async () => {
  const other = await buildAccount(app);
  const theirs = await createDraftSteps(app, other).addGroup('Theirs', []);
  expect(refusalOf(await steps.addLists(draft, [theirs])).status).toBe(404);
  expect(refusalOf(await steps.addLists(draft, [-2]))).toMatchObject({
    status: 422,
    Message: 'Deleted contacts get no broadcasts. Restore them first.',
  });
  expect(refusalOf(await steps.addLists(draft, [])).Message).toBe('Please select at least one group.');
});

it('adds a selection in each of its three modes, within the search', async () => {
  const [ann = 0, , cy = 0] = await steps.addContacts(three);
  const add = async (Selection: object, query: object = {}) => {
    const { body } = await app.call(
      recipientCalls.contactsToNewDraft,
      { params: { ListID: 0 }, query, body: { Selection } } as never,
      account.owner,
    );
    return (await steps.list(body.DraftBroadcastID)).map(([name]) => name);
  };
  expect(await add({ Type: 'Selected', Items: [ann, cy, 999_999] })).toEqual(['Ann', 'Cy']);
  // As the specification's objects, and mixed.
  expect(await add({ Type: 'Selected', Items: [{ PersonID: ann }, { PersonID: cy }] })).toEqual([
    'Ann',
    'Cy',
  ]);
  expect(await add({ Type: 'SelectedAllExcept', Items: [{ PersonID: ann }, cy] }, { q: 'adams' })).toEqual(
    [],
  );
  expect(await add({ Type: 'SelectedAll' }, { q: 'adams' })).toEqual(['Ann', 'Cy']);
  expect(await add({ Type: 'SelectedAllExcept', Items: [ann] }, { q: 'adams' })).toEqual(['Cy']);
  const { body } = await app.call(
    recipientCalls.contactsToDraft,
    { params: { ListID: 0, DraftBroadcastID: draft }, body: { Selection: { Type: 'SelectedAll' } } },
    account.owner,
  );
  expect(body).toMatchObject({ DraftBroadcastID: draft, AddedCount: 3 });
  expect((await steps.items(draft)).map(({ Source }) => Source)).toEqual([
    'Everyone',
    'Everyone',
    'Everyone',
  ]);
});

it('begins with a name and the usual number, so that only the text is missing', async () => {
  const numbers = { '14235550190': 'infobip', '14235550191': 'infobip' } as const;
  account = await buildAccount(app, { numbers });
  steps = createDraftSteps(app, account);
  const usual = account.numbers['14235550191'] ?? 0;
  await sql`update text_numbers set is_default = text_number_id = ${usual}
    where account_id = ${account.accountId}`.execute(app.database.system);
  const [ann = 0, bob = 0, cy = 0] = await steps.addContacts(three);
  const long = 'Parents of the third and fourth grade at Riverside';
  const parents = await steps.addGroup(long, [ann, bob]);
  const staff = await steps.addGroup('Staff', [cy]);
  const adamses = await steps.addGroup('Adamses', [], {
    Match: 'all',
    Rules: [{ Kind: 'field', Field: 'lastname', Is: 'equals', Value: 'Adams' }],
  });
  const nameOf = async (DraftBroadcastID: number) => {
    const { body } = await app.call(calls.getDraft, { params: { DraftBroadcastID } }, account.owner);
    expect(body).toMatchObject({ TextNumberID: usual, Step: 3, TextMessage: '' });
    return [body.BroadcastName, body.TextNumberCount];
  };
  const ofLists = async (listIds: number[]) => {
    const Items = listIds.map((ListID) => ({ ListID }));
    const Selection = { Type: 'Selected' as const, Items };
    const { body } = await app.call(recipientCalls.listsToNewDraft, { body: { Selection } }, account.owner);
    return nameOf(body.DraftBroadcastID);
  };
  const ofContacts = async (ListID: number, Selection: object, query: object = {}) => {
    const { body } = await app.call(
      recipientCalls.contactsToNewDraft,
      { params: { ListID }, query, body: { Selection } } as never,
      account.owner,
    );
    return nameOf(body.DraftBroadcastID);
  };
  expect(await ofLists([staff])).toEqual(['Staff', 1]);
  expect(await ofLists([adamses])).toEqual(['Adamses', 2]);
  expect(await ofLists([staff, parents, adamses])).toEqual(['Staff and 2 more groups', 3]);
  expect(await ofLists([parents, staff])).toEqual(['Parents of the third and fourth grade at Riversid…', 3]);
  expect(await ofContacts(0, { Type: 'Selected', Items: [ann, cy] })).toEqual(['2 contacts', 2]);
  expect(await ofContacts(parents, { Type: 'SelectedAll' })).toEqual([long, 2]);
  expect(await ofContacts(0, { Type: 'SelectedAllExcept', Items: [ann] }, { q: 'adams' })).toEqual([
    'Everyone: “adams”',
    1,
  ]);
});

it('lets those who see only their own contacts add only those', async () => {
  const teacher = await buildUser(app, account.accountId, 'user');
  const ids = await steps.addContacts([three[0] ?? {}, { ...three[1], by: teacher.userId }]);
  const group = await steps.addGroup('Class', ids);
  const own = await steps.begin(teacher);
  expect((await steps.addLists(own, [group], teacher)).body.AddedCount).toBe(1);
  expect((await steps.addLists(own, [group, 0], teacher)).body.AddedCount).toBe(1);
  const named = await app.call(
    recipientCalls.contactsToNewDraft,
    { params: { ListID: 0 }, body: { Selection: { Type: 'Selected', Items: ids } } },
    teacher,
  );
  expect(named.body.AddedCount).toBe(1);
  const byHand = await app.call(
    recipientCalls.addDraftContact,
    { params: { DraftBroadcastID: own }, body: { PersonID: ids[0], PrimaryPhone: '4235550199' } },
    teacher,
  );
  expect(byHand.status).toBe(404);
});

it('keeps pasted text: an invalid number is listed as it was pasted', async () => {
  const pasted = [
    '(423) 555-0201',
    '',
    '  ',
    'Jane Doe',
    '423555',
    '+44 20 7946 0958 x',
    '5555555555',
    '14235550202',
  ];
  const { body } = await steps.paste(draft, pasted, 'Mary  Ann O’Neil');
  expect(body).toMatchObject({ AddedCount: 6, LeftOutCount: 4 });
  const items = await steps.items(draft);
  expect(items.map(({ PrimaryPhone, Problem }) => [PrimaryPhone, Problem])).toEqual([
    ['4235550201', null],
    ['Jane Doe', 'invalid'],
    ['423555', 'invalid'],
    ['+44 20 7946 0958 x', 'invalid'],
    ['5555555555', 'invalid'],
    ['4235550202', null],
  ]);
  expect(items[0]).toMatchObject({ FirstName: expect.stringContaining('Mary'), Source: '6 pasted numbers' });
  expect(refusalOf(await steps.paste(draft, [' '])).Message).toBe('Please add a phone number');
});

it('adds the rows of a file with their fields, asks for consent and saves it', async () => {
  await app.database.system
    .updateTable('accounts')
    .set({ require_text_opt_in: true })
    .where('account_id', '=', account.accountId)
    .execute();
  await app.database.system
    .insertInto('phone_consents')
    .values({ account_id: account.accountId, phone: '14235550145', text_state: 'out' })
    .execute();
  const files = createFileSteps(app, account);
  const { FileID } = await files.readFile(people, {
    columns: { CustomData: [{ ColumnNumber: 7, Name: 'Bus' }] },
  });
  const add = (UserIndicatedConsentDeclared: boolean) =>
    app.call(
      recipientCalls.addDraftFile,
      { params: { DraftBroadcastID: draft }, body: { FileID, UserIndicatedConsentDeclared } },
      account.owner,
    );
  expect(refusalOf(await add(false)).Message).toBe('Please confirm you have collected proper consent.');
  expect((await add(true)).body).toMatchObject({ AddedCount: 7, LeftOutCount: 5 });
  const items = await steps.items(draft);
  expect(items.map(({ FirstName, Problem, CustomData }) => [FirstName, Problem, CustomData.Bus])).toEqual([
    ['Jane', null, 'Bus 4'],
    ['José', 'opted_out', undefined],
    ['Ann', null, 'Bus 5'],
    ['Anna', 'duplicate', undefined],
    ['Bob', 'invalid', undefined],
    ['Kim', 'invalid', undefined],
    ['Ivo', 'invalid', undefined],
  ]);
  expect(items[6]?.PrimaryPhone).toBe('2024-01-15');
  expect(items[0]?.Source).toBe('people.csv');
  const { rows } = await sql<{ phones: string[] }>`
    select array_agg(phone::text order by phone) as phones from consent_events
    where account_id = ${account.accountId} and source = 'import' and file_id = ${FileID} and state = 'in'`.execute(
    app.database.system,
  );
  expect(rows[0]?.phones).toEqual(['14235550143', '14235550144', '14235550146']);
  const { body } = await app.call(calls.getDraft, { params: { DraftBroadcastID: draft } }, account.owner);
  expect(body.CustomData).toContain('Bus');
  expect(body).toMatchObject({ TextNumberCount: 2, TotalTextNumberCount: 7 });
});

it('texts the 6,000 of a finished import, each of them once', async () => {
  const many = 6_000;
  const files = createFileSteps(app, account);
  const rows = Array.from({ length: many }, (_, at) => `Person,${at},${4_232_000_000 + at}`);
  const { FileID, Summary } = await files.importFile(['First name,Last name,Cell', ...rows]);
  expect(Summary).toMatchObject({ GoodRecordCount: many, RejectedCount: 0 });
  const { body } = await app.call(
    recipientCalls.addDraftFile,
    { params: { DraftBroadcastID: draft }, body: { FileID, UserIndicatedConsentDeclared: true } },
    account.owner,
  );
  expect(body.AddedCount).toBe(many);
  await app.drain();
  const summary = await steps.summary(draft);
  expect(summary).toMatchObject({ Total: many, Good: many, LeftOut: [] });
  const read = await app.call(calls.getDraft, { params: { DraftBroadcastID: draft } }, account.owner);
  expect(read.body).toMatchObject({ IsAdding: false, TextNumberCount: many });
});

it('finds recipients by name, part of a number or a whole number, and pages by key', async () => {
  const ids = await steps.addContacts([...three, { first: 'Zoë', last: 'Ünal', phone: '14235550101' }]);
  await steps.addLists(draft, [await steps.addGroup('All', ids)]);
  expect(await steps.list(draft, { q: 'adams' })).toEqual([
    ['Ann', null],
    ['Cy', null],
  ]);
  expect(await steps.list(draft, { q: 'zoe unal' })).toEqual([['Zoë', 'duplicate']]);
  expect(await steps.list(draft, { q: '0103' })).toEqual([['Cy', null]]);
  expect(await steps.list(draft, { phonenumber: '(423) 555-0101' })).toEqual([
    ['Ann', null],
    ['Zoë', 'duplicate'],
  ]);
  expect(await steps.list(draft, { problem: 'good', q: 'b' })).toEqual([['Bob', null]]);
  for (const sortby of ['added', '-added', 'name', '-name'] as const) {
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const { body } = await app.call(
        recipientCalls.listDraftContacts,
        { params: { DraftBroadcastID: draft }, query: { pagesize: 1, sortby, next } },
        account.owner,
      );
      expect(body).toMatchObject({ Size: 4, IsMore: false });
      seen.push(...body.Items.map(({ FirstName }) => FirstName));
      next = body.Next ?? undefined;
    } while (next !== undefined);
    const forward = sortby.endsWith('name') ? ['Ann', 'Cy', 'Bob', 'Zoë'] : ['Ann', 'Bob', 'Cy', 'Zoë'];
    expect([sortby, seen]).toEqual([sortby, sortby.startsWith('-') ? forward.toReversed() : forward]);
  }
});

it('downloads a file of those who are left out', async () => {
  await steps.paste(draft, ['4235550301', '4235550301', '=1+1']);
  const path = `/proxy/api/draft-broadcasts/${draft}/leftout.csv`;
  const answer = await fetch(app.url + path, { headers: { cookie: account.owner.cookie } });
  expect((await answer.text()).replace('\uFEFF', '').split('\r\n')).toEqual([
    'First Name,Last Name,Phone Number,Reason,Explanation,From',
    `,,(423) 555-0301,${recipientProblemLabels.duplicate},"One phone, one message. The first name in the group is used.",3 pasted numbers`,
    `,,'=1+1,${recipientProblemLabels.invalid},Must be 10 digits; use only numbers,3 pasted numbers`,
    '',
  ]);
  const other = await buildAccount(app);
  expect((await fetch(app.url + path, { headers: { cookie: other.owner.cookie } })).status).toBe(404);
});
