import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addAccountUser,
  getAccountUser,
  getUsersSummary,
  listAccountUsers,
  listScheduledOfUsers,
  type Member,
  updateAccountUser,
  updateAccountUsers,
} from '../../../contract/account-users.ts';
import { getUser, updateUser, validateEmail, validateUserName } from '../../../contract/accounts.ts';
import { login } from '../../../contract/auth.ts';
import type { CallInput } from '../../../contract/call.ts';
import { ownersAndAdmins } from '../../../contract/permissions.ts';
import { asAccount } from '../../db.ts';
import { notify } from '../../notify.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { oneOfEverything } from '../../testing/one-of-everything.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { keyOf, openSocket } from '../../testing/test-socket.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers: { [number]: 'infobip', '14235550101': 'twilio' } });
});

type NewUser = CallInput<typeof addAccountUser>['body'];

function newUser(more: NewUser = {}): NewUser {
  serial += 1;
  return {
    FirstName: 'Nate',
    LastName: `Kowalski ${serial}`,
    Email: `nate-${serial}@example.org`,
    Phone: '(423) 555-0142',
    UserName: `nate.kowalski.${serial}`,
    PinCode: 'blue-horse-77',
    CallerID: '423-555-0142',
    ...more,
  };
}

const add = (body: NewUser, as: { cookie: string } = account.owner) => app.call(addAccountUser, { body }, as);
const change = (UserID: number, body: object, as: { cookie: string } = account.owner) =>
  app.call(updateAccountUser, { params: { UserID }, body }, as);

describe('a new user', () => {
  it('has the spec’s defaults and the dialog’s values, and signs in with the PIN code', async () => {
    const textNumberId = account.numbers[number] ?? 0;
    const body = newUser({
      TextNumbers: [textNumberId],
      CallThrottle: 40,
      IsAccountAdmin: false,
      Permissions: { CanSeeAllRoster: true },
      StopTimeOfDay: { Hour: 17, Minute: 30 },
    });
    const reply = await add(body);
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({
        UserName: body?.UserName,
        Phone: '4235550142',
        CallerID: '4235550142',
        IsActive: true,
        IsMasterUser: false,
        IsAccountAdmin: false,
        CanCreateBroadcast: true,
        Permissions: { CanSeeAllBroadcasts: false, CanSeeAllRoster: true, CanSeeGroupAudio: false },
        CallThrottle: 40,
        Retries: 1,
        MaxMessageLength: 120,
        DefaultSettingCharacterCount: 160,
        DefaultSettingCharacterCountOptions: [160, 320],
        StartTimeOfDay: { Hour: 9, Minute: 0 },
        StopTimeOfDay: { Hour: 17, Minute: 30 },
        TextNumbers: [textNumberId],
        TimeZone: 'America/New_York',
        HasSecondFactor: false,
        Invitation: null,
        LastSeenTimestamp: null,
      }),
    ]);
    const signedIn = await app.call(login, {
      body: { UserName: body?.UserName ?? '', Password: 'blue-horse-77' },
    });
    expect(signedIn.status).toBe(200);
    const { body: seen } = await app.call(
      getAccountUser,
      { params: { UserID: reply.body.UserID } },
      account.owner,
    );
    expect(seen.LastSeenTimestamp).not.toBeNull();
  });

  it('is refused at every invalid field at once, in the spec’s words', async () => {
    const reply = refusalOf(
      await add({
        ...newUser(),
        Email: 'nate',
        UserName: 'nate k',
        Phone: '',
        CallerID: '',
        PinCode: 'short',
        CallingWindowDays: [],
      }),
    );
    expect(Object.fromEntries((reply.Errors ?? []).map(({ Field, Message }) => [Field, Message]))).toEqual({
      Email: 'Use a valid Email',
      UserName: 'Username cannot contain any spaces',
      Phone: 'Enter a Phone Number',
      CallerID: 'Enter a Caller ID',
      PinCode: 'PIN Code must be at least 8 characters',
      CallingWindowDays: 'Select at least one Calling Day',
    });
  });

  it.each([
    ['UserName', { UserName: 'short.1' }, 'Username must be at least 8 characters'],
    ['PinCode', { PinCode: 'password1' }, /^Many people use this password/],
    ['PinCode', { UserName: 'nate.k.1999', PinCode: 'Nate.K.1999' }, 'PIN Code must not be your username'],
    ['TextNumbers', { TextNumbers: [987_654] }, /^One of these text numbers is no longer yours/],
    ['TimeZoneOffset', { TimeZoneOffset: 77, ObservesDaylightSavings: true }, 'Select a time zone'],
  ])('%s: %o', async (Field, body, Message) => {
    const reply = refusalOf(await add(newUser(body)));
    expect(reply.Errors).toEqual([{ Field, Message: expect.stringMatching(Message) }]);
  });

  it('can’t have the username of another user, nor an email of somebody in the organization', async () => {
    const other = await buildAccount(app);
    const body = newUser({ UserName: other.owner.userName.padEnd(8, 'x') });
    await app.database.system
      .updateTable('users')
      .set({ user_name: body?.UserName ?? '' })
      .where('user_id', '=', other.owner.userId)
      .execute();
    expect(refusalOf(await add(body)).Errors).toEqual([
      { Field: 'UserName', Message: 'This username is already in use.' },
    ]);
    const mail = `${account.owner.userName}@example.org`;
    expect(refusalOf(await add(newUser({ Email: mail.toUpperCase() }))).Errors).toEqual([
      { Field: 'Email', Message: 'This email is already in use.' },
    ]);
    // A person may work for two organizations.
    expect((await add(newUser({ Email: `${other.owner.userName}@example.org` }))).status).toBe(200);
    const off = await buildUser(app, account.accountId, 'user', { isActive: false });
    expect(refusalOf(await add(newUser({ Email: `${off.userName}@example.org` }))).Message).toMatch(
      /^This email is already in use\. Pat Number \d+ is deactivated: activate that user instead\.$/,
    );
  });

  it('is added once by two admins at the same time', async () => {
    const admin = await buildUser(app, account.accountId, 'admin');
    const body = newUser();
    const replies = await Promise.all([
      add(body),
      add({ ...body, UserName: `${body?.UserName}-two` }, admin),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is checked while typing', async () => {
    const ask = async (
      call: typeof validateUserName | typeof validateEmail,
      Source: string,
      UserID?: number,
    ) => (await app.call(call, { body: { Source, ...(UserID ? { UserID } : {}) } }, account.owner)).body;
    expect(await ask(validateUserName, 'free.name.1')).toEqual({ Success: true, ErrorMessage: '' });
    expect(await ask(validateUserName, 'abc')).toMatchObject({ Success: false });
    const { userName, userId } = account.owner;
    expect(await ask(validateUserName, userName.toUpperCase())).toEqual({
      Success: false,
      ErrorMessage: 'This username is already in use.',
    });
    expect(await ask(validateUserName, userName, userId)).toMatchObject({ Success: true });
    expect(await ask(validateEmail, `${userName}@example.org`, userId)).toMatchObject({ Success: true });
    expect(await ask(validateEmail, `${userName}@example.org`)).toMatchObject({ Success: false });
    expect(await ask(validateEmail, 'nobody@')).toEqual({
      Success: false,
      ErrorMessage: 'Use a valid Email',
    });
  });
});

describe('the list', () => {
  it('is complete for managers, and brief for others', async () => {
    const own = await buildAccount(app);
    const user = await buildUser(app, own.accountId, 'user');
    await buildUser(app, own.accountId, 'admin', { isActive: false });
    const list = async (query: object, as = own.owner) =>
      (await app.call(listAccountUsers, { query }, as)).body;
    expect((await list({ role: 'admin' })).Size).toBe(1);
    expect((await list({ enabled: 'false' })).Size).toBe(1);
    const [first] = (await list({ q: `${user.userName}@EXAMPLE` })).Items as Member[];
    expect(first).toMatchObject({ UserID: user.userId, Email: `${user.userName}@example.org`, Version: 1 });
    expect((await list({ q: `${user.userName}@example` }, user)).Size).toBe(0);
    const seen = await list({ page: 'all' }, user);
    expect(Object.keys(seen.Items[0] ?? {})).not.toContain('Email');
    expect((await app.call(getUsersSummary, {}, own.owner)).body).toEqual({
      All: 3,
      Enabled: 2,
      Disabled: 1,
      Invited: 0,
    });
    expect(refusalOf(await app.call(getUsersSummary, {}, user))).toMatchObject({
      status: 403,
      Message: ownersAndAdmins,
    });
  });
});

describe('changing a user', () => {
  it('keeps fields that aren’t given, and warns the second of two who save at once', async () => {
    const { body: made } = await add(newUser());
    const first = await change(made.UserID, { FirstName: 'Nathan', Version: made.Version });
    expect(first.body).toMatchObject({
      FirstName: 'Nathan',
      LastName: made.LastName,
      Version: made.Version + 1,
    });
    const second = refusalOf(await change(made.UserID, { LastName: 'Lost', Version: made.Version }));
    expect(second).toMatchObject({
      status: 409,
      Message: 'Somebody else changed this user in the meantime.',
      ExtendedData: { FirstName: 'Nathan', Version: made.Version + 1 },
    });
    const again = await change(made.UserID, { LastName: 'Kept', Version: made.Version + 1 });
    expect(again.body).toMatchObject({ FirstName: 'Nathan', LastName: 'Kept' });
    const { changes } = await app.database.system
      .selectFrom('events')
      .select('changes')
      .where('kind', '=', 'user.updated')
      .where('subject_id', '=', made.UserID)
      .orderBy('event_id', 'desc')
      .executeTakeFirstOrThrow();
    expect(changes).toEqual({ LastName: [made.LastName, 'Kept'] });
  });

  it('warns one of two admins who save at the same moment, and what they typed can be saved', async () => {
    const { body: made } = await add(newUser());
    const admin = await buildUser(app, account.accountId, 'admin');
    const [one, two] = await Promise.all([
      change(made.UserID, { FirstName: 'First', Version: made.Version }),
      change(made.UserID, { FirstName: 'Second', Version: made.Version }, admin),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    const [told, by, wanted] =
      one.status === 409 ? ([one, account.owner, 'First'] as const) : ([two, admin, 'Second'] as const);
    const { ExtendedData } = refusalOf(told);
    const { Version } = ExtendedData as { Version: number };
    expect((await change(made.UserID, { FirstName: wanted, Version }, by)).body.FirstName).toBe(wanted);
  });

  it('a manager’s new PIN code ends the user’s sessions', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    expect((await change(user.userId, { PinCode: 'green-horse-88' })).status).toBe(200);
    expect((await app.call(getUser, {}, user)).status).toBe(401);
    expect(refusalOf(await change(account.owner.userId, { PinCode: 'green-horse-88' })).Message).toBe(
      'Change your own PIN code in your profile.',
    );
  });

  it('admins can’t make or change owners', async () => {
    const own = await buildAccount(app);
    const admin = await buildUser(app, own.accountId, 'admin');
    const user = await buildUser(app, own.accountId, 'user');
    for (const [userId, body] of [
      [user.userId, { IsMasterUser: true }],
      [own.owner.userId, { FirstName: 'Changed' }],
      [own.owner.userId, { IsActive: false }],
    ] as const) {
      expect((await change(userId, body, admin)).status).toBe(403);
    }
    expect((await add(newUser({ IsMasterUser: true }), admin)).status).toBe(403);
    expect((await change(user.userId, { IsAccountAdmin: true }, admin)).body.IsAccountAdmin).toBe(true);
  });

  it('the last active owner can’t be removed; with another one an owner may step down', async () => {
    const own = await buildAccount(app);
    const { userId } = own.owner;
    const demote = { IsMasterUser: false, IsAccountAdmin: true };
    const needsOwner = /^Your organization needs at least one active account owner/;
    expect(refusalOf(await change(userId, demote, own.owner)).Message).toMatch(needsOwner);
    const off = await buildUser(app, own.accountId, 'owner', { isActive: false });
    expect(refusalOf(await change(userId, demote, own.owner)).Message).toMatch(needsOwner);
    expect((await change(off.userId, { IsActive: true }, own.owner)).status).toBe(200);
    expect((await change(userId, demote, own.owner)).body).toMatchObject({
      IsMasterUser: false,
      IsAccountAdmin: true,
    });
    // From then on they have an admin's rights.
    expect((await change(off.userId, { FirstName: 'No' }, own.owner)).status).toBe(403);
  });

  it('if two owners deactivate each other at once, one stays', async () => {
    const own = await buildAccount(app);
    const other = await buildUser(app, own.accountId, 'owner');
    const replies = await Promise.all([
      change(other.userId, { IsActive: false }, own.owner),
      change(own.owner.userId, { IsActive: false }, other),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await sql<{ active: number }>`
      select count(*) as active from users where account_id = ${own.accountId} and is_active`.execute(
      app.database.system,
    );
    expect(rows[0]?.active).toBe(1);
  });
});

describe('deactivating', () => {
  it('skips the actor and invited users among many, and ends sessions', async () => {
    const own = await buildAccount(app);
    const users = [await buildUser(app, own.accountId, 'user'), await buildUser(app, own.accountId, 'admin')];
    const { body: invited } = await app.call(
      addAccountUser,
      { body: newUser({ Invite: true, PinCode: '' }) },
      own.owner,
    );
    const input = { body: { Selection: { Type: 'SelectedAll' as const }, Update: { IsActive: false } } };
    const reply = await app.call(updateAccountUsers, input, own.owner);
    expect(reply.body).toMatchObject({
      Size: 2,
      LeftOut: [
        { UserID: own.owner.userId, Message: expect.stringMatching(/^You can’t deactivate yourself/) },
      ],
    });
    for (const user of users) expect((await app.call(getUser, {}, user)).status).toBe(401);
    const back = {
      body: {
        Selection: { Type: 'Selected' as const, Items: [users[0]?.userId ?? 0, invited.UserID] },
        Update: { IsActive: true },
      },
    };
    expect((await app.call(updateAccountUsers, back, own.owner)).body).toMatchObject({
      Size: 1,
      LeftOut: [{ UserID: invited.UserID }],
    });
    // Users who are activated again have to sign in again.
    expect((await app.call(getUser, {}, users[0])).status).toBe(401);
  });

  it('closes open pages at once', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const [socket, bystander] = await Promise.all(
      [user, account.owner].map(async (each) => openSocket(app.url, await keyOf(app, each))),
    );
    await change(user.userId, { IsActive: false });
    // Later notices don't reach them.
    await asAccount(app.database, account.accountId, (trx) =>
      notify(trx, account.accountId, [{ type: 'tags.changed' }]),
    );
    await bystander?.heard({ type: 'tags.changed' });
    await socket?.closed;
    expect(socket?.packets.flat()).not.toContainEqual({ type: 'tags.changed' });
  });

  it('an admin can’t deactivate an owner among many, nor themselves alone', async () => {
    const own = await buildAccount(app);
    const admin = await buildUser(app, own.accountId, 'admin');
    const input = { body: { Selection: { Type: 'SelectedAll' as const }, Update: { IsActive: false } } };
    const { body } = await app.call(updateAccountUsers, input, admin);
    expect([body.Size, body.LeftOut.length]).toEqual([0, 2]);
    expect(refusalOf(await change(admin.userId, { IsActive: false }, admin)).Message).toMatch(
      /^You can’t deactivate yourself/,
    );
  });

  it('shows what they had scheduled', async () => {
    const own = await buildAccount(app);
    await oneOfEverything(app, own.accountId);
    await sql`update sequences set status = 'running', name = 'New families', next_at = now() + interval '1 day'
      where account_id = ${own.accountId}`.execute(app.database.system);
    await sql`insert into report_views (account_id, user_id, report, name, schedule, next_mail_at)
      values (${own.accountId}, ${own.owner.userId}, 'text-activity', 'Texts of the week', 'weekly', now() + interval '2 days')`.execute(
      app.database.system,
    );
    const Selection = { Type: 'Selected' as const, Items: [own.owner.userId] };
    const { body } = await app.call(listScheduledOfUsers, { body: { Selection } }, own.owner);
    expect(body.Items.map(({ Kind, StillSends }) => [Kind, StillSends]).sort()).toEqual([
      ['Broadcast', true],
      ['Drip campaign', false],
      ['Mailed report', false],
      ['Repeating broadcast', false],
      ['Scheduled text', false],
    ]);
    expect(body.Size).toBe(5);
    expect(body.Items.find(({ Kind }) => Kind === 'Drip campaign')).toMatchObject({
      Title: 'New families',
      StartTimestamp: expect.stringMatching(/^20/),
    });
    const other = await buildAccount(app);
    expect((await app.call(listScheduledOfUsers, { body: { Selection } }, other.owner)).body.Size).toBe(0);
  });
});

describe('your own settings', () => {
  it('cover the whole user; a short username is fine here, and a zone by the spec’s offset', async () => {
    const own = await buildAccount(app);
    const reply = await app.call(
      updateUser,
      {
        body: {
          UserID: own.owner.userId,
          CountryID: 1,
          FirstName: ' Dana ',
          Phone: '423 555 0150',
          UserName: `d${own.accountId}.w`.padEnd(4, 'x'),
          TimeZoneOffset: -1,
          ObservesDaylightSavings: false,
          DefaultSettingCharacterCount: 320,
          CallingWindowDays: ['Monday'],
          MaxMessageLength: 60,
        },
      },
      own.owner,
    );
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({
        FirstName: 'Dana',
        Phone: '4235550150',
        TimeZone: 'America/Phoenix',
        TimeZoneOffset: -1,
        ObservesDaylightSavings: false,
        DefaultSettingCharacterCount: 320,
        CallingWindowDays: ['Monday'],
        MaxMessageLength: 60,
      }),
    ]);
    const set = async (body: object, as: { cookie: string } = own.owner) =>
      refusalOf(await app.call(updateUser, { body }, as));
    expect((await set({ UserID: own.owner.userId + 1 })).status).toBe(403);
    expect((await set({ UserName: account.owner.userName })).Message).toBe(
      'This username is already in use.',
    );
    expect((await set({ DefaultSettingCharacterCount: 200 })).Errors?.[0]?.Field).toBe(
      'DefaultSettingCharacterCount',
    );
    expect((await set({ IsMasterUser: true })).Message).toBe('This can’t be changed here.');
    const user = await buildUser(app, own.accountId, 'user');
    expect((await app.call(updateUser, { body: { CallThrottle: 5 } }, user)).body.CallThrottle).toBe(5);
    await change(user.userId, { CanCreateBroadcast: false }, own.owner);
    expect((await set({ CallThrottle: 10 }, user)).status).toBe(403);
    expect((await set({ Email: `${own.owner.userName}@example.org` }, user)).Errors?.[0]?.Field).toBe(
      'Email',
    );
  });
});
