import { beforeAll, describe, expect, it } from 'vitest';
import { listContacts } from '../../contract/contacts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let teacher: BuiltUser;
let group: number;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  teacher = await buildUser(app, account.accountId, 'user');
  const other = await buildAccount(app);
  const contact = (first_name: string, last_name: string, more: object = {}) => ({
    account_id: account.accountId,
    first_name,
    last_name,
    ...more,
  });
  const rows = await app.database.system
    .insertInto('contacts')
    .values([
      contact('Ana', 'de Souza', { primary_phone: '14235550101', notes: 'Bus 4' }),
      contact('ben', 'Adams', { primary_phone: '14235550102', secondary_phone: '18655550102' }),
      contact('Cy', 'adams', { primary_phone: '447700900123', created_by_user_id: teacher.userId }),
      contact('Dee', 'Zed_100%', {}),
      contact('Gone', 'Long Ago', { primary_phone: '14235550104', deleted_at: new Date() }),
      { account_id: other.accountId, first_name: 'Foreign', last_name: 'Person' },
    ])
    .returning('person_id')
    .execute();
  const made = await app.database.system
    .insertInto('groups')
    .values({ account_id: account.accountId, name: 'Bus riders' })
    .returning('group_id')
    .executeTakeFirstOrThrow();
  group = made.group_id;
  await app.database.system
    .insertInto('group_members')
    .values(
      [0, 2, 4].map((index) => ({
        account_id: account.accountId,
        group_id: group,
        person_id: rows[index]?.person_id ?? 0,
      })),
    )
    .execute();
  await app.database.system
    .insertInto('phone_consents')
    .values({ account_id: account.accountId, phone: '14235550101', text_state: 'out' })
    .execute();
});

async function list(
  query: { q?: string; page?: number; pagesize?: number } = {},
  as: BuiltUser = account.owner,
  ListID = 0,
) {
  const { body } = await app.call(listContacts, { params: { ListID }, query }, as);
  return { names: body.Items.map((item) => item.FirstName), Size: body.Size, Items: body.Items };
}

it('lists everyone of the account by last name, then first, whatever the letters; nobody who was deleted', async () => {
  const { names, Size } = await list();
  expect([names, Size]).toEqual([['ben', 'Cy', 'Ana', 'Dee'], 4]);
});

it('gives phones as they travel, and says who has opted out', async () => {
  const { Items } = await list();
  expect(Items.find((item) => item.FirstName === 'Ana')).toEqual({
    PersonID: expect.any(Number),
    FirstName: 'Ana',
    LastName: 'de Souza',
    Notes: 'Bus 4',
    PrimaryPhone: '4235550101',
    SecondaryPhone: '',
    TertiaryPhone: '',
    PrimaryPhoneOptedOut: true,
  });
  expect(Items.find((item) => item.FirstName === 'ben')).toMatchObject({
    SecondaryPhone: '8655550102',
    PrimaryPhoneOptedOut: false,
  });
  expect(Items.find((item) => item.FirstName === 'Cy')).toMatchObject({ PrimaryPhone: '447700900123' });
});

it('by pages, with the size of the whole', async () => {
  expect(await list({ pagesize: 3 })).toMatchObject({ names: ['ben', 'Cy', 'Ana'], Size: 4 });
  expect(await list({ pagesize: 3, page: 2 })).toMatchObject({ names: ['Dee'], Size: 4 });
  expect(await list({ pagesize: 3, page: 3 })).toMatchObject({ names: [], Size: 4 });
});

describe('search', () => {
  it.each([
    ['ADAMS', ['ben', 'Cy']],
    ['ben ad', ['ben']],
    ['souza', ['Ana']],
    ['(423) 555-0101', ['Ana']],
    ['+1 865 555 0102', ['ben']],
    ['865', ['ben']],
    ['7700 900', ['Cy']],
    ['_', ['Dee']],
    ['100%', ['Dee']],
    ['%', ['Dee']],
    ['gone', []],
    ['foreign', []],
  ])('%j', async (q, found) => {
    expect(await list({ q })).toMatchObject({ names: found, Size: found.length });
  });

  it('keeps the size of all that was found beside a page of it', async () => {
    expect(await list({ q: 'adams', pagesize: 1 })).toMatchObject({ names: ['ben'], Size: 2 });
  });
});

it('of a group: its members', async () => {
  expect(await list({}, account.owner, group)).toMatchObject({ names: ['Cy', 'Ana'], Size: 2 });
});

it('who doesn’t see all contacts sees those one has added', async () => {
  expect(await list({}, teacher)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({}, teacher, group)).toMatchObject({ names: ['Cy'], Size: 1 });
  expect(await list({ q: 'ben' }, teacher)).toMatchObject({ names: [], Size: 0 });
  const seesAll = await buildUser(app, account.accountId, 'user', { canSeeAllRoster: true });
  expect((await list({}, seesAll)).Size).toBe(4);
});

it('a group that isn’t there is not found', async () => {
  const { status } = await app.call(listContacts, { params: { ListID: group + 1000 } }, account.owner);
  expect(status).toBe(404);
});
