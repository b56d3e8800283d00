import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  addAccountUser,
  getAccountUser,
  getInvitation,
  updateAccountUser,
} from '../../contract/account-users.ts';
import { getUser, validateEmail } from '../../contract/accounts.ts';
import { listAuditLog } from '../../contract/audit-log.ts';
import { listSessions, login } from '../../contract/auth.ts';
import { useGroupCode } from '../../contract/group-codes.ts';
import { askConfirmation } from '../../contract/second-factors.ts';
import {
  createLoginToken,
  deleteSso,
  finishSso,
  getSso,
  redeemLoginToken,
  startSso,
  updateSso,
} from '../../contract/sso.ts';
import { type BuiltAccount, buildAccount, buildUser, password } from '../testing/builders.ts';
import { refusalOf, type TestApp, type TestReply, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';

const clientSecret = 'a-secret-of-thirty-two-characters!';
/** The directory's users, by their sign-in names there. */
const people: Record<string, Record<string, unknown>> = {
  ann: {
    email: 'ann@school.example',
    email_verified: true,
    given_name: 'Ann',
    family_name: 'Lee',
    groups: ['staff'],
  },
  bob: {
    email: 'bob@school.example',
    email_verified: true,
    name: 'Bob Ray Moss',
    groups: ['office', 'staff'],
  },
  owner: { email: 'own@school.example', email_verified: true, groups: ['staff'] },
  eve: { email: 'eve@school.example', email_verified: false },
  mal: { email: 'mal@elsewhere.example', email_verified: true },
  off: { email: 'off@school.example', email_verified: true },
};

let app: TestApp;
let account: BuiltAccount;
let directory: Server;
let issuer: string;
/** A server with scripted responses. */
let liar: Server;
let liarHost: string;
let lies: () => [number, unknown] = () => [500, {}];

beforeAll(async () => {
  const listen = async (server: Server) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  liar = createServer((_request, response) => {
    const [status, body] = lies();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  liarHost = await listen(liar);
  directory = createServer((request, response) => void handle(request, response));
  const host = await listen(directory);
  issuer = `http://${host}`;
  app = await testApp(
    {},
    { SSO_ALLOWED_HOSTS: `${host},${liarHost}`, SSO_ONLY_GROUP_CODES: 'ford', SIGNUP: '0' },
  );
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'muster', client_secret: clientSecret, redirect_uris: [`${app.url}/sso/callback`] },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name'],
      groups: ['groups'],
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
    cookies: { keys: ['only-for-this-test'] },
  });
  const handle = provider.callback();
  account = await buildAccount(app);
  await sql`update users set email = 'own@school.example' where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );
  expect((await save()).status).toBe(200);
});
afterAll(() => {
  directory.close();
  liar.close();
});
beforeEach(async () => {
  await sql`delete from sign_in_attempts`.execute(app.database.system);
});

const settings = () => ({
  IsEnabled: true,
  Issuer: issuer,
  ClientID: 'muster',
  ClientSecret: clientSecret,
  Domains: ['School.example'],
  CreatesUsers: true,
  DefaultRole: 'user' as const,
  GroupsClaim: 'groups',
  GroupRoles: [{ Group: 'office', Role: 'admin' as const }],
});
const save = (change: Partial<ReturnType<typeof settings>> = {}, by = account.owner) =>
  app.call(updateSso, { body: { ...settings(), ...change } }, by);
const cookieOf = ({ headers }: TestReply<unknown>, name: string) =>
  new RegExp(`${name}=[^;]+`).exec(headers.getSetCookie().join())?.[0] ?? '';
const start = (Email: string) => app.call(startSso, { body: { Email } });

/**
 * A browser at the directory: keeps cookies, follows redirects, fills in its forms, and stops when it is sent
 * back to us.
 */
async function signInThere(address: string, name: string): Promise<string> {
  const jar = new Map<string, string>();
  let next = address;
  let form: string | undefined;
  for (let hop = 0; hop < 20; hop += 1) {
    if (next.startsWith(app.url)) return new URL(next).search;
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    form = undefined;
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const to = answer.headers.get('location');
    if (to !== null) {
      next = new URL(to, next).href;
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`the directory says: ${page.slice(0, 300)}`);
    form = new URLSearchParams({ prompt: prompt ?? '', login: name, password: 'any' }).toString();
    next = new URL(action, next).href;
  }
  throw new Error('the directory never sent the browser back');
}

async function signInAs(name: string) {
  const begun = await start(`${name}@school.example`);
  expect(begun.status).toBe(200);
  const Query = await signInThere(begun.body.Url, name);
  const cookie = cookieOf(begun, 'muster-sso');
  return { Query, cookie, reply: await app.call(finishSso, { body: { Query } }, { cookie }) };
}

const invitee = {
  FirstName: 'Ivy',
  LastName: 'Park',
  Phone: '4235550143',
  CallerID: '4235550143',
  Invite: true,
};

describe('single sign-on', () => {
  it('creates a user at the first sign-in, with the role of their group, and finds them later', async () => {
    const { reply } = await signInAs('ann');
    expect(reply.status).toBe(200);
    const ann = { cookie: cookieOf(reply, 'muster-session') };
    const { body: user } = await app.call(getUser, {}, ann);
    expect(user).toMatchObject({ FirstName: 'Ann', LastName: 'Lee', Email: 'ann@school.example' });
    expect([user.IsAccountAdmin, user.UserName]).toEqual([false, 'ann0']);
    expect((await app.call(listSessions, {}, ann)).body.Items[0]?.Method).toBe('sso');
    // They have no password: a sensitive change requires something else.
    expect((await app.call(askConfirmation, {}, ann)).body.Methods).toEqual([]);
    // Their address changed there; they are the same person.
    people.ann = { ...people.ann, email: 'ann.lee@school.example' };
    expect((await signInAs('ann')).reply.body.UserID).toBe(user.UserID);
    const { reply: bob } = await signInAs('bob');
    const asBob = { cookie: cookieOf(bob, 'muster-session') };
    expect((await app.call(getUser, {}, asBob)).body).toMatchObject({
      ...{ FirstName: 'Bob', LastName: 'Ray Moss', IsAccountAdmin: true },
    });
    const { body: log } = await app.call(listAuditLog, { query: { who: bob.body.UserID } }, account.owner);
    expect(log.Items.map(({ Kind }) => Kind)).toEqual(['session.started', 'user.created']);
  });

  it('an existing user is found by mail, and an owner stays owner, whatever their groups', async () => {
    const { reply } = await signInAs('owner');
    expect(reply.body.UserID).toBe(account.owner.userId);
    const { body } = await app.call(getUser, {}, { cookie: cookieOf(reply, 'muster-session') });
    expect(body.IsMasterUser).toBe(true);
  });

  it('fails after one use, in another browser, and with another state', async () => {
    const { Query, cookie } = await signInAs('ann');
    const again = await app.call(finishSso, { body: { Query } }, { cookie });
    expect(refusalOf(again)).toMatchObject({
      ...{ status: 422, Message: 'This sign-in is over. Start again from the sign-in page.' },
    });
    const begun = await start('ann@school.example');
    const came = await signInThere(begun.body.Url, 'ann');
    expect((await app.call(finishSso, { body: { Query: came } })).status).toBe(422);
    const forged = came.replace(/state=[^&]+/, 'state=forged');
    const own = { cookie: cookieOf(begun, 'muster-sso') };
    const refused = await app.call(finishSso, { body: { Query: forged } }, own);
    expect(refusalOf(refused).Message).toContain('can’t be trusted');
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('is refused without a verified address of its domains, and for a deactivated user', async () => {
    expect(refusalOf((await signInAs('eve')).reply).Message).toContain('verified email');
    expect(refusalOf((await signInAs('mal')).reply).Message).toContain('isn’t of a domain');
    const off = await buildUser(app, account.accountId, 'user', { isActive: false });
    await sql`update users set email = 'off@school.example' where user_id = ${off.userId}`.execute(
      app.database.system,
    );
    expect(refusalOf((await signInAs('off')).reply).Message).toContain('was turned off');
    await save({ CreatesUsers: false });
    people.new = { email: 'new@school.example', email_verified: true };
    expect(refusalOf((await signInAs('new')).reply).Message).toContain('Ask your account owner to add you');
    await save();
  });

  it('admits somebody with an open invitation, even if the directory creates no users', async () => {
    await save({ CreatesUsers: false });
    people.ivy = { email: 'ivy@school.example', email_verified: true };
    const body = { ...invitee, UserName: 'ivy.invited', Email: 'ivy@school.example' };
    const invited = (await app.call(addAccountUser, { body }, account.owner)).body;
    const { reply } = await signInAs('ivy');
    expect(reply.body).toMatchObject({ UserID: invited.UserID });
    const params = { UserID: invited.UserID };
    const member = (await app.call(getAccountUser, { params }, account.owner)).body;
    expect(member).toMatchObject({ IsActive: true, Invitation: null });
    const { body: log } = await app.call(listAuditLog, { query: { who: invited.UserID } }, account.owner);
    expect(log.Items.map(({ Kind }) => Kind)).toEqual(['session.started', 'invitation.accepted']);
    // Switched off later, they stay out.
    await app.call(updateAccountUser, { params, body: { IsActive: false } }, account.owner);
    expect(refusalOf((await signInAs('ivy')).reply).Message).toContain('was turned off');
    await save();
  });

  it('of an unknown domain or a directory that is off says to use the password', async () => {
    expect(refusalOf(await start('x@nowhere.example')).Message).toContain('Sign in with your username');
    await save({ IsEnabled: false });
    expect((await start('ann@school.example')).status).toBe(422);
    await save();
  });

  it('a directory that is down or has a wrong issuer: a message, and nobody gets in', async () => {
    const set = (Issuer: string) =>
      sql`update sso_providers set issuer = ${Issuer} where account_id = ${account.accountId}`.execute(
        app.database.system,
      );
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const other = await testApp({}, { SSO_ALLOWED_HOSTS: `127.0.0.1:${port}`, SIGNUP: '0' });
    const elsewhere = await buildAccount(other);
    const down = await other.call(
      updateSso,
      { body: { ...settings(), Issuer: `http://127.0.0.1:${port}` } },
      elsewhere.owner,
    );
    expect(refusalOf(down).Message).toContain('doesn’t answer');
    const lying = `http://${liarHost}`;
    for (const [answer, sentence] of [
      [[503, {}], 'doesn’t answer'],
      [[200, { issuer: 'https://login.example.org', authorization_endpoint: lying }], 'can’t be trusted'],
      [[200, { issuer: lying, authorization_endpoint: 'javascript:alert(1)' }], 'where people sign in'],
      [[200, 'not a description'], 'can’t be trusted'],
      [[302, {}], 'can’t be trusted'],
    ] as const) {
      lies = () => answer as never;
      expect(refusalOf(await save({ Issuer: lying })).Message).toContain(sentence);
      await set(lying);
      const refused = await start('ann@school.example');
      expect(refusalOf(refused).status).toBe(422);
      expect(refusalOf(refused).Message).toContain(sentence);
      await set(issuer);
    }
  });

  it('only accesses public addresses by https, unless the operator allows the host', async () => {
    for (const [Issuer, sentence] of [
      ['http://login.example.org', 'https://'],
      ['https://127.0.0.1:8443', 'private network'],
      ['https://169.254.169.254/latest', 'private network'],
      ['https://localhost:8443', 'private network'],
      ['https://[::1]:8443', 'private network'],
    ] as const) {
      expect(refusalOf(await save({ Issuer })).Message).toContain(sentence);
    }
  });
});

describe('its settings', () => {
  it('are the owner’s, keep the secret encrypted, and no two accounts have one domain', async () => {
    const admin = await buildUser(app, account.accountId, 'admin');
    expect((await save({}, admin)).status).toBe(403);
    const { body } = await app.call(getSso, {}, account.owner);
    expect(body.Provider).toMatchObject({ Issuer: issuer, ClientID: 'muster', Domains: ['school.example'] });
    expect(body.CallbackUrl).toBe(`${app.url}/sso/callback`);
    expect(JSON.stringify(body)).not.toContain(clientSecret);
    const { rows } = await sql<{ all: string }>`
      select concat(p::text, (select string_agg(e::text, ' ') from events e)) as all from sso_providers p
      where account_id = ${account.accountId}`.execute(app.database.system);
    expect(rows[0]?.all).not.toContain(clientSecret);
    // Without a new secret the old one stays, but is never sent to another issuer.
    expect((await save({ ClientSecret: '' })).status).toBe(200);
    expect((await signInAs('ann')).reply.status).toBe(200);
    const moved = refusalOf(await save({ ClientSecret: '', Issuer: `http://${liarHost}` }));
    expect(moved.Errors?.[0]?.Field).toBe('ClientSecret');
    const other = await buildAccount(app);
    const taken = refusalOf(await save({}, other.owner));
    expect(taken.Errors).toEqual([
      { Field: 'Domains', Message: 'Another organization here uses school.example already.' },
    ]);
    expect(refusalOf(await save({ Domains: ['not a domain'] })).Errors?.[0]?.Field).toBe('Domains.0');
  });

  it('a group code with IsSsoLoginOnly refuses passwords, once there is a directory', async () => {
    const own = await buildAccount(app);
    await sql`update accounts set group_code = 'Ford' where account_id = ${own.accountId}`.execute(
      app.database.system,
    );
    const enter = () => app.call(login, { body: { UserName: own.owner.userName, Password: password } });
    expect((await enter()).status).toBe(200);
    expect((await save({ Domains: ['ford.example'] }, own.owner)).status).toBe(200);
    const refused = refusalOf(await enter());
    expect(refused.status).toBe(422);
    expect(refused.Message).toContain('single sign-on');
    expect((await app.call(getSso, {}, own.owner)).body.IsSsoLoginOnly).toBe(true);
    // Whoever invites sees a warning about an address that the directory doesn't let in.
    const warned = async (Source: string, as = own.owner) =>
      (await app.call(validateEmail, { body: { Source } }, as)).body;
    expect(await warned('kim@ford.example')).toEqual({ Success: true, ErrorMessage: '' });
    expect(await warned('kim@gmail.com')).toEqual({
      ...{ Success: true, ErrorMessage: '' },
      Warning:
        'They won’t be able to sign in: single sign-on is required here, and it is only for emails of ford.example.',
    });
    const plain = await buildUser(app, own.accountId, 'user');
    expect(await warned('kim@gmail.com', plain)).toEqual({ Success: true, ErrorMessage: '' });
    await sql`update sso_providers set proved_domains = '{}' where account_id = ${own.accountId}`.execute(
      app.database.system,
    );
    expect((await warned('kim@ford.example')).Warning).toContain('none of its email domains is confirmed');
    await sql`update sso_providers set proved_domains = domains where account_id = ${own.accountId}`.execute(
      app.database.system,
    );
    // An invitation tells them to sign in there, and its link stays good.
    const Email = `kim-${own.accountId}@ford.example`;
    const body = { ...invitee, UserName: `kim.invited.${own.accountId}`, Email };
    const { UserID } = (await app.call(addAccountUser, { body }, own.owner)).body;
    await app.drain();
    const [mail] = await app.sandbox.mails(Email);
    expect(mail?.Text).toContain('Sign in with single sign-on');
    expect(mail?.Text).not.toContain('password');
    const Token = /\/invitation\/([\w-]+)/.exec(mail?.Text ?? '')?.[1] ?? '';
    const accepted = await app.call(acceptInvitation, {
      params: { Token },
      body: { Password: 'blue-horse-77' },
    });
    expect(refusalOf(accepted).Message).toContain('single sign-on');
    const opened = await app.call(getInvitation, { params: { Token } });
    expect(opened.body).toMatchObject({ FirstName: 'Ivy', IsSsoLoginOnly: true });
    const kim = await app.call(getAccountUser, { params: { UserID } }, own.owner);
    expect(kim.body).toMatchObject({ IsActive: false, Invitation: { IsExpired: false } });
    // A promo code adds its credits, and leaves the rule.
    const promo = await app.call(useGroupCode, { body: { Name: 'WELCOME' } }, own.owner);
    expect(promo.body).toMatchObject({ FreeCredits: 100, IsSsoLoginOnly: false });
    expect((await enter()).status).toBe(422);
    const { rows } = await sql<{ changes: unknown }>`
      select changes from events where account_id = ${own.accountId} and kind = 'groupCode.used'`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ changes: { Name: 'WELCOME', FreeCredits: 100 } }]);
    expect((await app.call(deleteSso, {}, own.owner)).status).toBe(200);
    expect((await enter()).status).toBe(200);
  });

  it('a group code marked in the table refuses passwords too', async () => {
    const own = await buildAccount(app);
    await asOwner(app.databaseUrl, (client) =>
      client.query(`insert into group_codes (name, is_sso_login_only) values ('District', true)`),
    );
    const use = (Name: string) => app.call(useGroupCode, { body: { Name } }, own.owner);
    expect((await use('district')).body).toMatchObject({ Name: 'District', IsSsoLoginOnly: true });
    expect((await save({ Domains: ['district.example'] }, own.owner)).status).toBe(200);
    const enter = () => app.call(login, { body: { UserName: own.owner.userName, Password: password } });
    expect(refusalOf(await enter()).Message).toContain('single sign-on');
    expect((await app.call(getSso, {}, own.owner)).body.IsSsoLoginOnly).toBe(true);
    expect((await use('WELCOME')).status).toBe(200);
    expect((await enter()).status).toBe(422);
  });
});

it('a token for Labs is valid once, for a minute, for users with the feature', async () => {
  const user = await buildUser(app, account.accountId, 'user');
  expect((await app.call(createLoginToken, {}, user)).status).toBe(403);
  await sql`update users set features = '{LabsUser}' where user_id = ${user.userId}`.execute(
    app.database.system,
  );
  const make = async () => (await app.call(createLoginToken, {}, user)).body.LoginToken;
  const redeem = (LoginToken: string) => app.call(redeemLoginToken, { body: { LoginToken } });
  const token = await make();
  expect((await redeem(token)).body).toMatchObject({ UserID: user.userId, AccountID: account.accountId });
  expect(refusalOf(await redeem(token)).Message).toBe('There was an error signing you in to Labs.');
  const late = await make();
  await sql`update one_time_tokens set expires_at = expires_at - interval '60 seconds'`.execute(
    app.database.system,
  );
  expect((await redeem(late)).status).toBe(422);
  expect((await redeem('1.made-up')).status).toBe(422);
});
