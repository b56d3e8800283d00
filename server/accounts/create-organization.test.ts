import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import { createOrganization, getSetup } from '../../contract/auth.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const good = {
  CompanyName: 'Harlow Creek Schools',
  FirstName: 'Dana',
  LastName: 'Okafor',
  Email: 'dana@example.org',
  UserName: 'dana.okafor',
  Password: 'harlow-creek-1',
  CountryID: 2,
  TimeZone: 'America/Chicago',
};

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

const create = (body: Partial<typeof good>) =>
  app.call(createOrganization, { body: body as typeof good }, {});

async function howMany(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from accounts`.execute(
    app.database.system,
  );
  return rows[0]?.count ?? 0;
}

it('an empty installation says that it has no organization yet', async () => {
  expect((await app.call(getSetup, {})).body).toEqual({ NeedsOrganization: true, CanSignUp: false });
});

it.each([
  [{ CompanyName: ' ' }, 'CompanyName', 'Enter an Account Name'],
  [{ CompanyName: 'x'.repeat(42) }, 'CompanyName', 'Account Name must be at most 41 characters'],
  [{ FirstName: '' }, 'FirstName', 'Enter a First Name'],
  [{ LastName: 'x'.repeat(51) }, 'LastName', 'Last Name must be at most 50 characters'],
  [{ Email: '' }, 'Email', 'Enter an Email'],
  [{ Email: 'dana' }, 'Email', 'Use a valid Email'],
  [{ UserName: '' }, 'UserName', 'Enter a Username'],
  [{ UserName: 'dana okafor' }, 'UserName', 'Username cannot contain any spaces'],
  [{ UserName: 'abc' }, 'UserName', "Use alphanumeric characters or ._~!@#$%^&*-/+'?"],
  [{ Password: '' }, 'Password', 'Enter a Password'],
  [
    { Password: 'no-digit-here' },
    'Password',
    'Use at least one letter and number and no spaces, slashes, or quotation marks',
  ],
  [
    { Password: 'Password123' },
    'Password',
    'Many people use this password, so it is easy to guess. Choose another one.',
  ],
  [{ TimeZone: 'Mars/Olympus' }, 'TimeZone', 'Select a time zone'],
  [{ CountryID: 18 }, 'CountryID', 'Select a country'],
  [{ TimeZone: '+05:00' }, 'TimeZone', 'Select a time zone'],
])('%j: %s %s', async (change, Field, Message) => {
  const refused = refusalOf(await create({ ...good, ...change }));
  expect(refused).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
  expect(await howMany()).toBe(0);
});

it('lists everything that is missing at once', async () => {
  const { Errors = [] } = refusalOf(await create({}));
  expect(Errors.map(({ Field }) => Field)).toEqual([
    'CompanyName',
    'FirstName',
    'LastName',
    'Email',
    'UserName',
    'Password',
  ]);
});

it('is created once with its owner signed in, even if two ask at once; then never again', async () => {
  const replies = await Promise.all([create(good), create({ ...good, UserName: 'somebody.else' })]);
  const [made] = replies.filter(({ status }) => status === 200);
  const [refused] = replies.filter(({ status }) => status !== 200);
  expect(await howMany()).toBe(1);
  expect(refused && refusalOf(refused)).toMatchObject({
    status: 409,
    Message: 'This installation has its organization already. Sign in instead.',
  });
  expect(refused?.headers.get('set-cookie')).toBeNull();

  const cookie = made?.headers.get('set-cookie')?.split(';')[0] ?? '';
  const mine = await app.call(getAccount, { query: { include: 'currentuser' } }, { cookie });
  expect(mine.body).toMatchObject({
    AccountID: made?.body.AccountID,
    CompanyName: 'Harlow Creek Schools',
    CountryID: 2,
    TimeZone: 'America/Chicago',
    CallBalance: 0,
    CurrentUser: {
      UserID: made?.body.UserID,
      FirstName: 'Dana',
      IsMasterUser: true,
      TimeZone: 'America/Chicago',
      Permissions: { CanSeeAllBroadcasts: true, CanSeeAllRoster: true, CanSeeGroupAudio: true },
      AgreedToTermsOfUse: true,
    },
  });

  expect((await app.call(getSetup, {})).body).toEqual({ NeedsOrganization: false, CanSignUp: true });
  expect((await create({ ...good, UserName: 'third.person' })).status).toBe(409);
  expect(await howMany()).toBe(1);
});
