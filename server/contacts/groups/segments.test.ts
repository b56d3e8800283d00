import { beforeAll, describe, expect, it } from 'vitest';
import { listContacts } from '../../../contract/contacts.ts';
import { countSegment, getList, listLists, type SegmentRule } from '../../../contract/lists.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let teacher: BuiltUser;
let group: number;
let otherGroup: number;
let segment: number;
let field: number;
let foreign: { group: number; field: number };

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers: { '14235550100': 'infobip' } });
  teacher = await buildUser(app, account.accountId, 'user');
  field = await createField(account.accountId, 'Bus');
  const people = await app.database.system
    .insertInto('contacts')
    .values([
      {
        account_id: account.accountId,
        first_name: 'Ana',
        last_name: 'Núñez',
        notes: '100% sure_',
        primary_phone: '14235550101',
        custom_data: JSON.stringify({ [field]: 'Bus 4' }),
        created_at: daysAgo(100),
      },
      {
        account_id: account.accountId,
        first_name: 'Ben',
        last_name: 'Nunes',
        primary_phone: '14235550102',
        secondary_phone: '447700900123',
        created_at: daysAgo(20),
        created_by_user_id: teacher.userId,
      },
      { account_id: account.accountId, first_name: 'Cy', last_name: '', tertiary_phone: '14235550103' },
      { account_id: account.accountId, first_name: 'Dee', last_name: 'Moor' },
      { account_id: account.accountId, first_name: 'Gone', last_name: 'Moor', deleted_at: new Date() },
    ])
    .returning(['person_id', 'sort_name'])
    .execute();
  group = await createGroup(account.accountId, 'Zebras');
  otherGroup = await createGroup(account.accountId, 'antelopes');
  await app.database.system
    .insertInto('group_members')
    .values(
      [0, 1].map((index) => ({
        account_id: account.accountId,
        group_id: group,
        person_id: people[index]?.person_id ?? 0,
        sort_name: people[index]?.sort_name ?? '',
      })),
    )
    .execute();
  segment = await createGroup(account.accountId, 'Numbered', {
    Match: 'all',
    Rules: [{ Kind: 'field', Field: 'phone', Is: 'isnotempty', Value: '' }],
  });
  await app.database.system
    .insertInto('phone_consents')
    .values([
      { account_id: account.accountId, phone: '14235550101', text_state: 'in' },
      { account_id: account.accountId, phone: '14235550102', text_state: 'out', voice_state: 'out' },
    ])
    .execute();
  await texted('14235550101', 40);
  await texted('447700900123', 5);
  // A conversation that was opened and never had a text in it.
  await app.database.system
    .insertInto('conversations')
    .values({ account_id: account.accountId, text_number_id: numberId(), phone: '14235550103' })
    .execute();
  const other = await buildAccount(app);
  foreign = {
    group: await createGroup(other.accountId, 'Theirs'),
    field: await createField(other.accountId, 'Theirs'),
  };
});

function numberId(): number {
  return account.numbers['14235550100'] ?? 0;
}

async function texted(phone: string, days: number): Promise<void> {
  const { message_id } = await app.database.system
    .insertInto('messages')
    .values({
      account_id: account.accountId,
      text_number_id: numberId(),
      phone,
      is_inbound: true,
      status: 'received',
      body: 'Hi',
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  await app.database.system
    .insertInto('conversations')
    .values({
      account_id: account.accountId,
      text_number_id: numberId(),
      phone,
      last_message_id: message_id,
      last_message_at: daysAgo(days),
    })
    .execute();
}

async function createField(account_id: number, name: string): Promise<number> {
  const row = await app.database.system
    .insertInto('custom_fields')
    .values({ account_id, name })
    .returning('field_id')
    .executeTakeFirstOrThrow();
  return row.field_id;
}

async function createGroup(account_id: number, name: string, asked?: object): Promise<number> {
  const row = await app.database.system
    .insertInto('groups')
    .values({ account_id, name, segment: asked === undefined ? null : JSON.stringify(asked) })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  return row.group_id;
}

async function ask(rules: SegmentRule[], Match: 'all' | 'any' = 'all', as: BuiltUser = account.owner) {
  const { status, body } = await app.call(countSegment, { body: { Segment: { Match, Rules: rules } } }, as);
  if (status !== 200) return status;
  expect([body.Size, body.IsMore]).toEqual([body.Items.length, false]);
  return body.Items.map(({ FirstName }) => FirstName).sort();
}

type FieldRule = Extract<SegmentRule, { Kind: 'field' }>;
const text = (Field: FieldRule['Field'], Is: FieldRule['Is'], Value = ''): SegmentRule => ({
  Kind: 'field',
  Field,
  Is,
  Value,
  ...(Field === 'custom' ? { FieldID: field } : {}),
});

describe('a condition finds', () => {
  it.each<[string, () => SegmentRule, string[]]>([
    ['a part of a name, whatever the accents', () => text('lastname', 'contains', 'NUN'), ['Ana', 'Ben']],
    ['a whole name', () => text('lastname', 'equals', 'nunez'), ['Ana']],
    ['a beginning', () => text('firstname', 'startswith', 'd'), ['Dee']],
    ['an empty field', () => text('lastname', 'isempty'), ['Cy']],
    ['a filled field', () => text('notes', 'isnotempty'), ['Ana']],
    ['signs as they are', () => text('notes', 'contains', '0% sure_'), ['Ana']],
    ['no wildcard', () => text('notes', 'contains', '1%sure'), []],
    ['nobody by a value that is not typed yet', () => text('notes', 'contains'), []],
    ['a custom field', () => text('custom', 'equals', 'bus 4'), ['Ana']],
    ['an empty custom field', () => text('custom', 'isempty'), ['Ben', 'Cy', 'Dee']],
    ['a phone as it is dialed', () => text('phone', 'equals', '(423) 555-0103'), ['Cy']],
    ['a phone with its country', () => text('phone', 'equals', '+44 7700 900123'), ['Ben']],
    ['the beginning of a phone', () => text('phone', 'startswith', '423'), ['Ana', 'Ben', 'Cy']],
    ['a part of a phone', () => text('phone', 'contains', '0900'), ['Ben']],
    ['nobody by a phone without digits', () => text('phone', 'contains', 'x'), []],
    ['no phone at all', () => text('phone', 'isempty'), ['Dee']],
    ['any phone', () => text('phone', 'isnotempty'), ['Ana', 'Ben', 'Cy']],
    ['a group', () => ({ Kind: 'group', Is: 'in', ListID: group }), ['Ana', 'Ben']],
    ['who is not in a group', () => ({ Kind: 'group', Is: 'notin', ListID: group }), ['Cy', 'Dee']],
    ['who opted in', () => ({ Kind: 'consent', Is: 'optedin' }), ['Ana']],
    ['who opted out', () => ({ Kind: 'consent', Is: 'optedout' }), ['Ben']],
    ['who was not asked', () => ({ Kind: 'consent', Is: 'notasked' }), []],
    ['who is not to be called', () => ({ Kind: 'consent', Is: 'donotcall' }), ['Ben']],
    ['whom we texted lately, by any phone', () => ({ Kind: 'lastcontact', Is: 'within', Days: 30 }), ['Ben']],
    ['whom we did not', () => ({ Kind: 'lastcontact', Is: 'notwithin', Days: 30 }), ['Ana', 'Cy', 'Dee']],
    ['whom we never texted', () => ({ Kind: 'lastcontact', Is: 'never', Days: 30 }), ['Cy', 'Dee']],
    ['who was added lately', () => ({ Kind: 'added', Is: 'within', Days: 10 }), ['Cy', 'Dee']],
    ['who was added before', () => ({ Kind: 'added', Is: 'notwithin', Days: 50 }), ['Ana']],
  ])('%s', async (_, rule, found) => {
    expect(await ask([rule()])).toEqual(found);
  });

  it('all of its rules, or any', async () => {
    const rules = [text('lastname', 'startswith', 'nun'), text('firstname', 'equals', 'ben')];
    expect(await ask(rules)).toEqual(['Ben']);
    expect(await ask([...rules, text('lastname', 'isempty')], 'any')).toEqual(['Ana', 'Ben', 'Cy']);
  });

  it('only what the user may see', async () => {
    expect(await ask([text('phone', 'isnotempty')], 'all', teacher)).toEqual(['Ben']);
  });

  it('no group or field of others, no deleted one, and no other condition', async () => {
    for (const ListID of [foreign.group, group + 1000, segment]) {
      expect(await ask([{ Kind: 'group', Is: 'notin', ListID }])).toBe(404);
    }
    expect(await ask([{ ...text('custom', 'isempty'), FieldID: foreign.field } as SegmentRule])).toBe(404);
  });
});

describe('the groups', () => {
  it('are listed after Everyone, Unfiled and Deleted, by name, with their sizes', async () => {
    const { body } = await app.call(listLists, {}, account.owner);
    expect(body.Items.map(({ ListName, ListType }) => [ListName, ListType])).toEqual([
      ['Everyone', 'System'],
      ['Unfiled', 'System'],
      ['Deleted', 'System'],
      ['antelopes', 'User'],
      ['Numbered', 'User'],
      ['Zebras', 'User'],
    ]);
    const counts = Object.fromEntries(body.Items.map(({ ListName, RosterCount }) => [ListName, RosterCount]));
    expect(counts).toMatchObject({ Everyone: 4, Unfiled: 2, Deleted: 1, antelopes: 0, Zebras: 2 });
    expect(body.Size).toBe(6);
  });

  it('by a part of their name, and by pages', async () => {
    const found = await app.call(listLists, { query: { q: 'ZEB' } }, account.owner);
    expect([found.body.Items.map(({ ListID }) => ListID), found.body.Size]).toEqual([[group], 1]);
    const last = await app.call(listLists, { query: { page: 3, pagesize: 2 } }, account.owner);
    expect([last.body.Items.map(({ ListName }) => ListName), last.body.Size]).toEqual([
      ['Numbered', 'Zebras'],
      6,
    ]);
    const beyond = await app.call(listLists, { query: { page: 9, pagesize: 2 } }, account.owner);
    expect([beyond.body.Items, beyond.body.Size]).toEqual([[], 6]);
  });

  it('have the counts of what the user sees', async () => {
    const { body } = await app.call(listLists, {}, teacher);
    const counts = Object.fromEntries(body.Items.map(({ ListName, RosterCount }) => [ListName, RosterCount]));
    expect(counts).toEqual({ Everyone: 1, Unfiled: 0, Deleted: 0, antelopes: 0, Numbered: 1, Zebras: 1 });
    const one = await app.call(getList, { params: { ListID: segment } }, teacher);
    expect(one.body.RosterCount).toBe(1);
  });

  it('are found by id, except those of others', async () => {
    const { body } = await app.call(getList, { params: { ListID: otherGroup } }, account.owner);
    expect(body).toEqual({
      ListID: otherGroup,
      ListName: 'antelopes',
      ListType: 'User',
      RosterCount: 0,
      Color: 0,
      Segment: null,
      PhoneListID: '',
    });
    expect((await app.call(getList, { params: { ListID: -1 } }, account.owner)).body.RosterCount).toBe(2);
    const { status } = await app.call(getList, { params: { ListID: foreign.group } }, account.owner);
    expect(status).toBe(404);
  });
});

describe('a segment', () => {
  async function rosterCount(): Promise<number | undefined> {
    const { body } = await app.call(listLists, {}, account.owner);
    return body.Items.find(({ ListID }) => ListID === segment)?.RosterCount;
  }

  it('is evaluated when it is opened or its contacts are listed, and the count is saved', async () => {
    // The number that a restricted user sees is not the count of the segment.
    await app.call(listContacts, { params: { ListID: segment } }, teacher);
    expect(await rosterCount()).toBe(0);
    await app.call(listContacts, { params: { ListID: segment }, query: { q: 'ana' } }, account.owner);
    expect(await rosterCount()).toBe(0);
    await app.call(listContacts, { params: { ListID: segment } }, account.owner);
    expect(await rosterCount()).toBe(3);
    await app.database.system
      .insertInto('contacts')
      .values({ account_id: account.accountId, first_name: 'Eve', primary_phone: '14235550107' })
      .execute();
    expect(await rosterCount()).toBe(3);
    const { body } = await app.call(getList, { params: { ListID: segment } }, account.owner);
    expect([body.RosterCount, await rosterCount()]).toEqual([4, 4]);
  });

  it('finds nobody by a deleted group', async () => {
    const gone = await createGroup(account.accountId, 'Gone');
    const asking = await createGroup(account.accountId, 'Not in Gone', {
      Match: 'all',
      Rules: [{ Kind: 'group', Is: 'notin', ListID: gone }],
    });
    const size = async () =>
      (await app.call(listContacts, { params: { ListID: asking } }, account.owner)).body.Size;
    expect(await size()).toBe(5);
    await app.database.system
      .updateTable('groups')
      .set({ deleted_at: new Date() })
      .where('group_id', '=', gone)
      .execute();
    expect(await size()).toBe(0);
  });
});
