import { beforeAll, describe, expect, it } from 'vitest';
import { listAccountUsers } from '../../contract/account-users.ts';
import { getUser, updateUser } from '../../contract/accounts.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
});

const change = (body: object, as: { cookie: string } = account.owner) => app.call(updateUser, { body }, as);

describe('your own settings', () => {
  it('are changed one by one, and nobody else’s', async () => {
    const other = await buildUser(app, account.accountId, 'user');
    const signature = { IsEnabled: true, SignatureText: 'Dana, front office' };
    expect((await change({ Signature: signature })).body.Signature).toEqual(signature);
    expect((await change({ BrowserNotificationsDoNotDisturb: true })).body).toMatchObject({
      Signature: signature,
      BrowserNotificationsDoNotDisturb: true,
    });
    expect((await change({ NotificationPhone: '(423) 555-0143' })).body).toMatchObject({
      Signature: signature,
      NotificationPhone: '4235550143',
    });
    expect((await change({ NotificationPhone: '' })).body.NotificationPhone).toBe('');
    expect((await change({})).status).toBe(200);
    expect((await app.call(getUser, {}, other)).body).toMatchObject({
      Signature: { IsEnabled: false, SignatureText: '' },
      BrowserNotificationsDoNotDisturb: false,
    });
  });

  it.each([
    ['123', 'Must be 10 digits; use only numbers'],
    ['8765550143', "This number isn't in the US, Puerto Rico, or Canada"],
    ['4235550100', 'This is a text number of your organization: use your own phone.'],
  ])('%s is not a valid phone for notifications', async (NotificationPhone, Message) => {
    expect(refusalOf(await change({ NotificationPhone }))).toMatchObject({
      status: 400,
      Message,
      Errors: [{ Field: 'NotificationPhone', Message }],
    });
  });

  it('a phone of another country is refused instead of being read as one of this country', async () => {
    expect(
      refusalOf(await change({ CountryID: 14, Phone: '13108207129' })).Errors?.map(({ Field }) => Field),
    ).toEqual(['Phone']);
  });

  it('a signature is at most 80 characters', async () => {
    const Signature = { IsEnabled: true, SignatureText: 'x'.repeat(81) };
    expect((await change({ Signature })).status).toBe(400);
  });
});

describe('the people of the organization', () => {
  it('are listed by name, with the numbers that each may use; all, active ones or those found', async () => {
    const own = await buildAccount(app, { numbers: { '14235550120': 'twilio' } });
    const textNumberId = own.numbers['14235550120'] ?? 0;
    const names = { walter: 'Walter', ada: 'ada', off: 'Zoe' };
    const ids: Record<string, number> = {};
    for (const [key, first_name] of Object.entries(names)) {
      const user = await buildUser(app, own.accountId, 'user', {
        isActive: key !== 'off',
        textNumberIds: key === 'ada' ? [textNumberId] : [],
      });
      ids[key] = user.userId;
      await app.database.system
        .updateTable('users')
        .set({ first_name })
        .where('user_id', '=', user.userId)
        .execute();
    }
    const list = async (query: object = {}) => (await app.call(listAccountUsers, { query }, own.owner)).body;
    const found = async (query: object) => {
      const { Items, Size } = await list(query);
      return { ids: Items.map(({ UserID }) => UserID), Size };
    };
    const owner = own.owner.userId;
    expect(await found({ page: 'all' })).toEqual({ ids: [ids.ada, owner, ids.walter, ids.off], Size: 4 });
    expect(await found({ page: 'all', enabled: true })).toEqual({
      ids: [ids.ada, owner, ids.walter],
      Size: 3,
    });
    expect(await found({ enabled: false })).toEqual({ ids: [ids.off], Size: 1 });
    expect(await found({ pagesize: 2, page: 2 })).toEqual({ ids: [ids.walter, ids.off], Size: 4 });
    expect(await found({ q: 'WALTER n' })).toEqual({ ids: [ids.walter], Size: 1 });
    expect(await found({ q: '%' })).toEqual({ ids: [], Size: 0 });
    const { Items } = await list({ page: 'all', enabled: true });
    expect(Items.map(({ TextNumbers }) => TextNumbers)).toEqual([[textNumberId], [textNumberId], []]);
    const user = await buildUser(app, own.accountId, 'user');
    const seen = (await app.call(listAccountUsers, { query: {} }, user)).body.Items[0];
    expect(Object.keys(seen ?? {}).sort()).toEqual(
      ['FirstName', 'IsActive', 'LastName', 'PictureUrl', 'TextNumbers', 'UserID', 'UserName'].sort(),
    );
  });
});
