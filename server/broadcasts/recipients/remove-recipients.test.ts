/** Removing recipients and changing them: who moves up, who is remembered, what is counted. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import * as recipientCalls from '../../../contract/draft-recipients.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
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

async function addPeople(people: Parameters<typeof steps.addContacts>[0]): Promise<number[]> {
  const personIds = await steps.addContacts(people);
  const Selection = { Type: 'Selected' as const, Items: personIds };
  await app.call(
    recipientCalls.contactsToDraft,
    { params: { ListID: 0, DraftBroadcastID: draft }, body: { Selection } },
    account.owner,
  );
  return (await steps.items(draft)).map(({ RecipientID }) => RecipientID);
}

const pair = [
  { first: 'Ann', phone: '14235550101' },
  { first: 'Bob', phone: '14235550101' },
  { first: 'Cy', phone: '14235550101' },
  { first: 'Dee', phone: '14235550102' },
];

it('promotes the next one with the same phone when the one who gets it is removed', async () => {
  const [ann = 0, bob = 0, cy = 0] = await addPeople(pair);
  expect((await steps.remove(draft, { Type: 'Selected', Items: [ann] })).body).toMatchObject({
    RemovedCount: 1,
    WorkID: null,
  });
  expect(await steps.list(draft)).toEqual([
    ['Bob', null],
    ['Cy', 'duplicate'],
    ['Dee', null],
  ]);
  expect((await steps.items(draft))[1]?.DuplicateOf).toEqual({ RecipientID: bob, Name: 'Bob' });
  await steps.remove(draft, { Type: 'Selected', Items: [bob, cy] });
  expect(await steps.list(draft)).toEqual([['Dee', null]]);
  expect(await steps.summary(draft)).toMatchObject({ Total: 1, Good: 1, LeftOut: [] });
});

it('removes the rows of a search, or all of them except some, and nobody else', async () => {
  const [ann = 0] = await addPeople(pair);
  await steps.remove(draft, { Type: 'SelectedAll' }, { problem: 'duplicate', q: 'cy' });
  expect((await steps.list(draft)).map(([name]) => name)).toEqual(['Ann', 'Bob', 'Dee']);
  await steps.remove(draft, { Type: 'SelectedAllExcept', Items: [ann] });
  expect(await steps.list(draft)).toEqual([['Ann', null]]);
  const other = await buildAccount(app);
  const theirs = createDraftSteps(app, other);
  const foreign = await theirs.begin();
  await theirs.paste(foreign, ['4235550199']);
  const [row] = await theirs.items(foreign);
  await steps.remove(draft, { Type: 'Selected', Items: [row?.RecipientID ?? 0] });
  expect(await theirs.list(foreign)).toEqual([['4235550199', null]]);
});

it('remembers people who were removed from a group, and forgets all when everybody is removed', async () => {
  const personIds = await steps.addContacts(pair);
  const group = await steps.addGroup('Parents', personIds);
  await steps.addLists(draft, [group]);
  const [ann] = await steps.items(draft);
  await steps.remove(draft, { Type: 'Selected', Items: [ann?.RecipientID ?? 0] });
  expect(await steps.list(draft)).toEqual([
    ['Bob', null],
    ['Cy', 'duplicate'],
    ['Dee', null],
  ]);
  expect(await steps.list(draft, { problem: 'excluded' })).toEqual([['Ann', 'excluded']]);
  expect(await steps.summary(draft)).toMatchObject({
    Total: 4,
    Good: 2,
    LeftOut: [
      { Problem: 'duplicate', Count: 1 },
      { Problem: 'excluded', Count: 1 },
    ],
    Sources: [{ Name: 'Parents', Count: 3 }],
  });
  expect((await steps.remove(draft, { Type: 'SelectedAll' })).body.RemovedCount).toBe(3);
  expect(await steps.summary(draft)).toEqual({
    ...{ Total: 0, Good: 0, LeftOut: [], Zones: [], Sources: [] },
    IsFrequencySetAside: false,
  });
});

it('removes a whole source, including people who are also in another one, and remembers nobody', async () => {
  const personIds = await steps.addContacts([
    ...pair.slice(0, 1),
    ...pair.slice(3),
    { first: 'Eve', phone: '14235550103' },
  ]);
  const [ann = 0, dee = 0, eve = 0] = personIds;
  const both = [await steps.addGroup('Parents', [ann, dee, eve]), await steps.addGroup('Drivers', [dee])];
  await steps.addLists(draft, both);
  await steps.paste(draft, ['4235550103', '4235550104'], 'Typed');
  const [first] = (await steps.items(draft)).map(({ RecipientID }) => RecipientID);
  await steps.remove(draft, { Type: 'Selected', Items: [first ?? 0] });
  const { Sources } = await steps.summary(draft);
  expect(Sources.map(({ Name, Count }) => [Name, Count])).toEqual([
    ['Parents', 2],
    ['2 pasted numbers', 2],
  ]);
  const sourceId = Sources[0]?.SourceID ?? 0;
  expect((await steps.remove(draft, { Type: 'SelectedAll' }, { sourceId })).body).toMatchObject({
    RemovedCount: 1,
    WorkID: null,
  });
  // Dee now belongs to the other group; Eve's pasted number, a duplicate before, takes her place; Ann is
  // forgotten.
  expect(await steps.list(draft)).toEqual([
    ['Dee', null],
    ['Typed', null],
    ['Typed', null],
  ]);
  expect(await steps.summary(draft)).toMatchObject({
    Total: 3,
    LeftOut: [],
    Sources: [
      { Name: 'Drivers', Count: 1 },
      { Name: '2 pasted numbers', Count: 2 },
    ],
  });
  const left = await app.database.system
    .selectFrom('broadcast_sources')
    .select('name')
    .where('broadcast_id', '=', draft)
    .execute();
  expect(left).toHaveLength(2);
});

it('changes a person in the draft only; another number is checked again and keeps its place', async () => {
  const [ann = 0, bob = 0, cy = 0] = await addPeople(pair);
  const update = (RecipientID: number, body: { FirstName: string; PrimaryPhone: string }) =>
    app.call(
      recipientCalls.updateDraftContact,
      { params: { DraftBroadcastID: draft }, body: { RecipientID, ...body, CustomData: { Bus: '4' } } },
      account.owner,
    );
  const moved = await update(ann, { FirstName: 'Anna', PrimaryPhone: '423 555 0103' });
  expect(moved.body).toMatchObject({
    RecipientID: ann,
    PersonID: null,
    Problem: null,
    CustomData: { Bus: '4' },
  });
  expect(await steps.list(draft)).toEqual([
    ['Anna', null],
    ['Bob', null],
    ['Cy', 'duplicate'],
    ['Dee', null],
  ]);
  // The same number with another name stays unchanged.
  expect((await update(cy, { FirstName: 'Cyrus', PrimaryPhone: '4235550101' })).body).toMatchObject({
    FirstName: 'Cyrus',
    Problem: 'duplicate',
    DuplicateOf: { RecipientID: bob },
  });
  expect(refusalOf(await update(cy, { FirstName: 'Cy', PrimaryPhone: '4235550102' }))).toMatchObject({
    status: 400,
    Errors: [{ Field: 'PrimaryPhone', Message: 'This number has already been added to your broadcast.' }],
  });
  expect(refusalOf(await update(999_999, { FirstName: 'Cy', PrimaryPhone: '4235550109' })).status).toBe(404);
  expect(await steps.leftOut(draft)).toEqual({ duplicate: 1 });
  const contact = await app.database.system
    .selectFrom('contacts')
    .select('first_name')
    .where('account_id', '=', account.accountId)
    .where('primary_phone', '=', '14235550101')
    .orderBy('person_id')
    .executeTakeFirst();
  expect(contact?.first_name).toBe('Ann');
});

it('maintains counts equal to a fresh count', async () => {
  await addPeople(pair);
  await steps.paste(draft, ['2125550101', 'nonsense', '4235550102']);
  const kept = await steps.summary(draft);
  await app.database.system
    .updateTable('broadcasts')
    .set({ summary_version: null })
    .where('broadcast_id', '=', draft)
    .execute();
  expect(await steps.summary(draft)).toEqual(kept);
  expect(kept).toMatchObject({ Total: 7, Good: 3 });
});

it('changes nothing that was sent or belongs to another account', async () => {
  const [ann = 0] = await addPeople(pair);
  const other = await buildAccount(app);
  const params = { DraftBroadcastID: draft };
  const Selection = { Type: 'Selected' as const, Items: [ann] };
  expect(
    (await app.call(recipientCalls.removeDraftContacts, { params, body: { Selection } }, other.owner)).status,
  ).toBe(404);
  await app.database.system
    .updateTable('broadcasts')
    .set({ status: 'scheduled' })
    .where('broadcast_id', '=', draft)
    .execute();
  expect(refusalOf(await steps.remove(draft, Selection)).status).toBe(409);
  expect(refusalOf(await steps.paste(draft, ['4235550155'])).status).toBe(409);
  expect((await app.call(recipientCalls.listDraftContacts, { params }, account.owner)).status).toBe(404);
});
