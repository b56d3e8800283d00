import { beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '../../contract/accounts.ts';
import { getTextNumber, listTextNumbers } from '../../contract/numbers.ts';
import { defaultNotificationSetting } from '../../contract/time/notification-window.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let ids: Record<string, number>;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
  const number = (name: string, phone: string, more: object = {}) => ({
    account_id: account.accountId,
    name,
    phone,
    aggregator_id: 5 as 2 | 5,
    ...more,
  });
  const rows = await app.database.system
    .insertInto('text_numbers')
    .values([
      number('office', '14235550103', { is_default: true, registration_status: 'Registered' }),
      number('Buses', '14235550105', { flat_rate_status: 'Active', aggregator_id: 2 }),
      number('Office 2', '18005550101'),
      number('Given back', '14235550104', { released_at: new Date() }),
    ])
    .returning(['text_number_id', 'name'])
    .execute();
  ids = Object.fromEntries(rows.map((row) => [row.name, row.text_number_id]));
});

async function list(
  query: { q?: string; page?: number; pagesize?: number; sortby?: 'name' | 'textphonenumber' } = {},
  as: { cookie: string } = account.owner,
) {
  const { body } = await app.call(listTextNumbers, { query }, as);
  return { names: body.Items.map((item) => item.Name), Size: body.Size, Items: body.Items };
}

it('lists the account’s numbers by name, ignoring case; not those that were released', async () => {
  expect(await list()).toMatchObject({ names: ['Buses', 'office', 'Office 2'], Size: 3 });
  expect(await list({ sortby: 'textphonenumber' })).toMatchObject({ names: ['office', 'Buses', 'Office 2'] });
});

it('of one name, lists them by number', async () => {
  const other = await buildAccount(app, { numbers: {}, credits: 0 });
  // Added in another order.
  for (const phone of ['14235550113', '14235550111', '14235550112'])
    await app.database.system
      .insertInto('text_numbers')
      .values({
        account_id: other.accountId,
        name: phone.endsWith('2') ? 'office' : 'Office',
        phone,
        aggregator_id: 5,
      })
      .execute();
  const { Items } = await list({ sortby: 'name' }, other.owner);
  expect(Items.map(({ TextPhoneNumber }) => TextPhoneNumber)).toEqual([
    '4235550111',
    '4235550112',
    '4235550113',
  ]);
});

it('returns a number with all its fields', async () => {
  const { Items } = await list();
  expect(Items[0]).toEqual({
    TextNumberID: ids.Buses,
    Name: 'Buses',
    TextPhoneNumber: '4235550105',
    Description: '',
    RegistrationStatus: 'Not Registered',
    IsDefault: false,
    IsBlocked: false,
    CanCreateBroadcast: true,
    // Not before it is registered.
    CanText: false,
    FlatRateConversation: true,
    FlatRateConversationStatus: 'Active',
    FlatRateSubscriptionEndDate: null,
    AggregatorID: 2,
    RcsAgent: null,
    ReleaseDate: null,
    Notifications: defaultNotificationSetting,
    BrowserNotificationsEnabled: true,
    AudioNotificationsEnabled: false,
  });
  const one = await app.call(getTextNumber, { params: { TextNumberID: ids.Buses ?? 0 } }, account.owner);
  expect(one.body).toEqual(Items[0]);
});

it('by pages, with the total', async () => {
  expect(await list({ pagesize: 2 })).toMatchObject({ names: ['Buses', 'office'], Size: 3 });
  expect(await list({ pagesize: 2, page: 2 })).toMatchObject({ names: ['Office 2'], Size: 3 });
});

describe('search', () => {
  it.each([
    ['OFFICE', ['office', 'Office 2']],
    ['(423) 555', ['Buses', 'office']],
    ['1 800 555 0101', ['Office 2']],
    ['2', ['Office 2']],
    ['given', []],
    ['%', []],
  ])('%j', async (q, found) => {
    expect(await list({ q })).toMatchObject({ names: found, Size: found.length });
  });

  it('returns the total of all matches with a page of them', async () => {
    expect(await list({ q: 'office', pagesize: 1 })).toMatchObject({ names: ['office'], Size: 2 });
    expect(await list({ q: 'office', pagesize: 1, page: 2 })).toMatchObject({ names: ['Office 2'], Size: 2 });
  });
});

it('a user sees the numbers assigned to them, an admin all', async () => {
  const user = await buildUser(app, account.accountId, 'user', { textNumberIds: [ids.Buses ?? 0] });
  expect(await list({}, user)).toMatchObject({ names: ['Buses'], Size: 1 });
  const params = { TextNumberID: ids.office ?? 0 };
  expect((await app.call(getTextNumber, { params }, user)).status).toBe(404);
  expect((await app.call(getUser, {}, user)).body).toMatchObject({
    TextNumbers: [ids.Buses],
    HasTextNumberAssigned: true,
    IsMasterUser: false,
    IsAccountAdmin: false,
  });

  const admin = await buildUser(app, account.accountId, 'admin');
  expect((await list({}, admin)).Size).toBe(3);
  const nobody = await buildUser(app, account.accountId, 'user');
  expect(await list({}, nobody)).toMatchObject({ names: [], Size: 0 });
  expect((await app.call(getUser, {}, nobody)).body.HasTextNumberAssigned).toBe(false);
});

it('a released one is not found', async () => {
  const params = { TextNumberID: ids['Given back'] ?? 0 };
  expect((await app.call(getTextNumber, { params }, account.owner)).status).toBe(404);
});
