import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '../../../contract/contacts.ts';
import { createConversation } from '../../../contract/conversations.ts';
import * as listCalls from '../../../contract/lists.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { checkKeptContacts } from '../../testing/check-kept-contacts.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let owner: BuiltUser;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
});

beforeEach(async () => {
  account = await buildAccount(app);
  owner = account.owner;
});

async function add(body: object, as = owner): Promise<number> {
  const reply = await app.call(calls.addContact, { body: { AllowDuplicate: true, ...body } as never }, as);
  expect(reply.status).toBe(200);
  return reply.body.PersonID;
}

async function get(PersonID: number) {
  return (await app.call(calls.getContact, { params: { PersonID } }, owner)).body;
}

function merge(PersonIDs: number[], more: object = {}, as = owner) {
  return app.call(calls.mergeContacts, { body: { PersonIDs, ...more } }, as);
}

describe('merging', () => {
  it('keeps the first one’s values, fills its gaps, combines the groups, and is undone', async () => {
    for (const Name of ['Bus', 'Seat']) await app.call(calls.addCustomField, { body: { Name } }, owner);
    const groups = [];
    for (const ListName of ['Band', 'Choir']) {
      groups.push((await app.call(listCalls.addList, { body: { ListName } }, owner)).body.ListID);
    }
    const first = await add({
      FirstName: 'Ann',
      Notes: 'Tall',
      PrimaryPhone: '4235550500',
      CustomData: { Bus: '4' },
      ListIDs: groups.slice(0, 1),
    });
    const second = await add({
      FirstName: 'Anna',
      LastName: 'Lee',
      Notes: 'Sings',
      PrimaryPhone: '4235550501',
      SecondaryPhone: '4235550500',
      CustomData: { Bus: '9', Seat: '12' },
      ListIDs: groups,
    });
    const third = await add({ PrimaryPhone: '4235550502', SecondaryPhone: '4235550503' });
    const before = await Promise.all([first, second, third].map(get));

    const preview = await merge([first, second, third], { IsPreview: true });
    expect(preview.body.UndoID).toBeNull();
    expect(await Promise.all([first, second, third].map(get))).toEqual(before);

    const { body } = await merge([first, second, third]);
    expect(body.DroppedPhones).toEqual(['4235550503']);
    expect(body.Contact).toMatchObject({
      PersonID: first,
      FirstName: 'Ann',
      LastName: 'Lee',
      Notes: 'Tall; Sings',
      PrimaryPhone: '4235550500',
      SecondaryPhone: '4235550501',
      TertiaryPhone: '4235550502',
      CustomData: { Bus: '4', Seat: '12' },
      Lists: [{ ListName: 'Band' }, { ListName: 'Choir' }],
    });
    const still = ({ UpdateTimestamp: _, ...contact }: { UpdateTimestamp: string }) => contact;
    expect(still(preview.body.Contact)).toEqual(still(body.Contact));
    expect((await get(second)).IsDeleted).toBe(true);
    await checkKeptContacts(app, account.accountId);

    const undone = await app.call(calls.undoContacts, { params: { UndoID: body.UndoID ?? 0 } }, owner);
    expect((await Promise.all([first, second, third].map(get))).map(still)).toEqual(before.map(still));
    await app.call(calls.undoContacts, { params: { UndoID: undone.body.UndoID ?? 0 } }, owner);
    expect(still(await get(first))).toEqual(still(body.Contact));
    await checkKeptContacts(app, account.accountId);
  });

  it('is recorded with the contacts it changed, and a preview is not', async () => {
    const first = await add({ FirstName: 'Ann', PrimaryPhone: '4235550530' });
    const second = await add({ FirstName: 'Bo', PrimaryPhone: '4235550531' });
    await merge([first, second], { IsPreview: true });
    const { body } = await merge([first, second]);
    const { rows } = await sql`
      select kind, subject_id, changes from events
      where account_id = ${account.accountId} and kind in ('contact.merged', 'contact.deleted')
      order by event_id`.execute(app.database.system);
    expect(rows).toEqual([
      {
        kind: 'contact.merged',
        subject_id: first,
        changes: { SecondaryPhone: [null, '14235550531'] },
      },
      {
        kind: 'contact.deleted',
        subject_id: second,
        changes: { FirstName: ['Bo', null], PrimaryPhone: ['14235550531', null] },
      },
    ]);
    expect(body.UndoID).not.toBe(first);
    const history = await app.call(calls.listContactHistory, { params: { PersonID: first } }, owner);
    expect(history.body.Items.filter(({ Kind }) => Kind === 'edited')).toMatchObject([
      { Message: 'Merged contacts' },
    ]);
  });

  it('keeps the first notes if all of them together don’t fit', async () => {
    const first = await add({ PrimaryPhone: '4235550510', Notes: 'x'.repeat(30) });
    const second = await add({ PrimaryPhone: '4235550511', Notes: 'y'.repeat(30) });
    expect((await merge([first, second])).body.Contact.Notes).toBe('x'.repeat(30));
  });

  it('refuses one contact, and does not find one that is deleted or of another account', async () => {
    const first = await add({ PrimaryPhone: '4235550512' });
    expect(refusalOf(await merge([first, first]))).toMatchObject({
      status: 422,
      Message: 'Choose at least two contacts',
    });
    expect(refusalOf(await merge([first]))).toMatchObject({
      status: 400,
      Message: 'Choose at least two contacts',
    });
    const second = await add({ PrimaryPhone: '4235550513' });
    const other = await buildAccount(app);
    expect((await merge([first, second], {}, other.owner)).status).toBe(404);
    await app.call(calls.deleteContact, { params: { PersonID: second } }, owner);
    expect((await merge([first, second])).status).toBe(404);
  });
});

describe('duplicates', () => {
  it('are phones that several contacts have in any of the three fields, page by page', async () => {
    const a = await add({ PrimaryPhone: '4235550520', TertiaryPhone: '4235550522' });
    const b = await add({ PrimaryPhone: '4235550520' });
    const c = await add({ PrimaryPhone: '4235550521', SecondaryPhone: '4235550522' });
    await add({ PrimaryPhone: '4235550523' });
    const gone = await add({ PrimaryPhone: '4235550523' });
    await app.call(calls.deleteContact, { params: { PersonID: gone } }, owner);
    const page = async (query: object) => {
      const { body } = await app.call(calls.listDuplicates, { query }, owner);
      const items = body.Items.map(({ PhoneNumber, Contacts }) => [
        PhoneNumber,
        Contacts.map(({ PersonID }) => PersonID),
      ]);
      return { items, next: body.Next };
    };
    expect(await page({})).toEqual({
      items: [
        ['4235550520', [a, b]],
        ['4235550522', [a, c]],
      ],
      next: null,
    });
    const first = await page({ pagesize: 1 });
    expect(first.items).toEqual([['4235550520', [a, b]]]);
    expect(await page({ pagesize: 1, next: first.next })).toEqual({
      items: [['4235550522', [a, c]]],
      next: null,
    });
  });
});

describe('history', () => {
  it('lists texts, consents and the origin, the latest first, page by page', async () => {
    const withNumber = await buildAccount(app, { numbers: { [number]: 'infobip' } });
    owner = withNumber.owner;
    const TextNumberID = withNumber.numbers[number] ?? 0;
    const PersonID = await add({
      FirstName: 'Ann',
      PrimaryPhone: '4235550530',
      SecondaryPhone: '4235550531',
    });
    const params = { PersonID };
    for (const [phone, Message] of [
      ['4235550530', 'First'],
      ['4235550531', 'Second'],
    ] as const) {
      const started = await app.call(
        createConversation,
        { body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone: phone }, Message } } },
        owner,
      );
      expect(started.status).toBe(200);
      await app.drain();
    }
    await app.sandbox.text('14235550530', number, 'STOP');
    const history = (query: object, as = owner) =>
      app.call(calls.listContactHistory, { params, query }, as).then((reply) => reply.body);
    await app.until(async () => (await history({})).Items.some(({ Kind }) => Kind === 'consent'));
    const { Items, Next } = await history({});
    expect(Next).toBeNull();
    expect(Items.filter(({ Kind }) => Kind === 'consent')).toMatchObject([
      { ConsentState: 'out', ConsentChannel: 'text', ConsentSource: 'inbound', PhoneNumber: '4235550530' },
    ]);
    const texts = Items.filter(({ Kind }) => Kind === 'text');
    expect(texts.map(({ Message }) => Message)).toEqual(expect.arrayContaining(['STOP', 'Second', 'First']));
    expect(texts.at(-1)).toMatchObject({
      Message: 'First',
      PhoneNumber: '4235550530',
      IsInbound: false,
      ConversationID: expect.any(Number),
      TextMessageID: expect.any(Number),
      UserName: expect.stringContaining('Pat'),
    });
    expect(Items.at(-1)).toMatchObject({ Kind: 'added', UserName: expect.stringContaining('Pat') });
    const paged = [];
    let next: string | null | undefined;
    do {
      const page = await history({ pagesize: 1, ...(next === undefined ? {} : { next }) });
      paged.push(...page.Items);
      next = page.Next;
    } while (next !== null);
    expect(paged).toEqual(Items);
    // Users who may not use the number don't see its texts.
    const user = await buildUser(app, withNumber.accountId, 'user', { canSeeAllRoster: true });
    const seen = await history({}, user);
    expect(seen.Items.map(({ Kind }) => Kind)).toEqual(['consent', 'added']);
  });
});
