import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '../../contract/accounts.ts';
import { listSessions, login, logout, replaceExpiredPassword, revokeSession } from '../../contract/auth.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser, password } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { hashOfNobody } from './hash-password.ts';
import { hashPassword, matchesHash } from './sign-in.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  // Behind a proxy, so that a test can come from an address of its own.
  app = await testApp({}, { TRUST_PROXY: '1' });
  account = await buildAccount(app);
});

const wrong = 'not-the-password-1';
let serial = 0;

/** An address that nothing else in this file comes from. */
function someAddress(): string {
  serial += 1;
  return `198.51.${Math.trunc(serial / 250)}.${serial % 250}`;
}

function signIn(
  UserName: string,
  Password: string,
  options: { address?: string; cookie?: string; KeepSignedIn?: boolean } = {},
) {
  return app.call(
    login,
    { body: { UserName, Password, KeepSignedIn: options.KeepSignedIn ?? false } },
    {
      headers: { 'x-forwarded-for': options.address ?? someAddress() },
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
    },
  );
}

/** The cookie that a reply sets, as a browser sends it back. */
function cookieOf(reply: { headers: Headers }): string {
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function isSignedIn(cookie: string): Promise<boolean> {
  return (await app.call(getUser, {}, { cookie })).status === 200;
}

function user(options: Parameters<typeof buildUser>[3] = {}): Promise<BuiltUser> {
  return buildUser(app, account.accountId, 'user', options);
}

async function sessionsOf(userId: number) {
  return app.database.system.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();
}

describe('name and password', () => {
  it('signs in with the right ones, whatever the letters of the name', async () => {
    const { userId, userName } = await user();
    const reply = await signIn(userName.toUpperCase(), password);
    expect([reply.status, reply.body]).toMatchObject([200, { UserID: userId, AccountID: account.accountId }]);
    expect(await isSignedIn(cookieOf(reply))).toBe(true);
  });

  it('answers an unknown name, a wrong password and a switched-off user with the same bytes', async () => {
    const { userName } = await user();
    const off = await user({ isActive: false });
    const replies = await Promise.all(
      [
        { UserName: userName, Password: wrong },
        { UserName: 'nobody-of-that-name', Password: wrong },
        { UserName: off.userName, Password: password },
      ].map(async (body) => {
        const answer = await fetch(`${app.url}/proxy/public/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': someAddress() },
          body: JSON.stringify(body),
        });
        return [answer.status, answer.headers.get('set-cookie'), await answer.text()];
      }),
    );
    expect(replies[0]).toEqual([400, null, expect.stringContaining('don’t match')]);
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  it('does the same work for an unknown name as for a wrong password', async () => {
    const { userName } = await user();
    const cost = async (name: string) => {
      const before = process.cpuUsage();
      await signIn(name, wrong);
      const { user: userMicros, system } = process.cpuUsage(before);
      return userMicros + system;
    };
    // The minimum of three alternating runs: the server runs in this process, which may also be busy with
    // other work.
    const costs = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let time = 0; time < 3; time += 1) {
      costs.known = Math.min(costs.known, await cost(userName));
      costs.unknown = Math.min(costs.unknown, await cost('nobody-with-this-name'));
    }
    // Without the hash it would be a twentieth.
    expect(costs.unknown / costs.known).toBeGreaterThan(1 / 3);
    expect(costs.unknown / costs.known).toBeLessThan(3);
  });

  it('asks for both in the specification’s words', async () => {
    const reply = refusalOf(await signIn(' ', ''));
    expect(reply).toMatchObject({
      status: 400,
      Errors: [
        { Field: 'UserName', Message: 'Enter a Username' },
        { Field: 'Password', Message: 'Enter a Password' },
      ],
    });
  });

  it('ends the session of somebody who is switched off', async () => {
    const { userId, cookie } = await user();
    await app.database.system
      .updateTable('users')
      .set({ is_active: false })
      .where('user_id', '=', userId)
      .execute();
    expect(await isSignedIn(cookie)).toBe(false);
  });
});

describe('too many attempts', () => {
  const passTime = () =>
    sql`update sign_in_attempts set blocked_until = now() - interval '1 second'`.execute(app.database.system);

  it.each(['a name that exists', 'a name that does not'])('for %s: a wait that grows', async (which) => {
    const { userName } = await user();
    const name = which === 'a name that exists' ? userName : 'no-such-person';
    for (let tries = 1; tries <= 5; tries += 1) {
      expect((await signIn(name, wrong)).status).toBe(400);
    }
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      // From another address each time: it is the name that is counted.
      const reply = await signIn(name, password);
      const refused = refusalOf(reply);
      expect(refused).toMatchObject({ status: 429, ErrorCode: 1002 });
      const { RetryAfterSeconds } = refused.ExtendedData as { RetryAfterSeconds: number };
      expect(reply.headers.get('retry-after')).toBe(String(RetryAfterSeconds));
      waits.push(RetryAfterSeconds);
      await passTime();
      expect((await signIn(name, wrong)).status).toBe(400);
    }
    expect(waits[0]).toBeGreaterThan(5);
    expect(waits[0]).toBeLessThanOrEqual(15);
    expect(waits[1]).toBeGreaterThan(15);
    expect(waits[1]).toBeLessThanOrEqual(30);
    expect(waits[2]).toBeGreaterThan(30);
    expect(waits[2]).toBeLessThanOrEqual(60);
  });

  it('after the wait the right password signs in', async () => {
    const { userName } = await user();
    for (let tries = 1; tries <= 5; tries += 1) await signIn(userName, wrong);
    expect((await signIn(userName, password)).status).toBe(429);
    await passTime();
    expect((await signIn(userName, password)).status).toBe(200);
  });

  it('are counted by address too, and only there', async () => {
    const { userName } = await user();
    const address = someAddress();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signIn(`guess-${index}`, wrong, { address })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(400));
    expect((await signIn(userName, password, { address })).status).toBe(429);
    expect((await signIn(userName, password)).status).toBe(200);
  });

  it('are counted for a whole /64 of IPv6: one attacker has all of it', async () => {
    const { userName } = await user();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signIn(`guess-v6-${index}`, wrong, { address: `2001:db8:7:7::${index.toString(16)}` }),
      ),
    );
    const from = async (address: string) => (await signIn(userName, password, { address })).status;
    expect(await from('2001:db8:7:7:ffff::1')).toBe(429);
    expect(await from('2001:db8:7:8::1')).toBe(200);
  });

  it('an address that a client made up before the proxy saw it is not believed', async () => {
    const { userName } = await user();
    const real = someAddress();
    for (let tries = 0; tries < 20; tries += 1) {
      await signIn(`made-up-${tries}`, wrong, { address: `203.0.113.${tries}, ${real}` });
    }
    expect((await signIn(userName, password, { address: `203.0.113.99, ${real}` })).status).toBe(429);
  });

  it('of fifty at once only five learn that they were wrong', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => signIn('somebody-under-attack', wrong)),
    );
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(400), count(429)]).toEqual([5, 45]);
  });

  it('a success clears the count of the name', async () => {
    const { userName } = await user();
    for (let round = 0; round < 3; round += 1) {
      for (let tries = 0; tries < 4; tries += 1) expect((await signIn(userName, wrong)).status).toBe(400);
      expect((await signIn(userName, password)).status).toBe(200);
    }
  });

  it('the right password many times at once is no attack', async () => {
    const { userName } = await user();
    const replies = await Promise.all(Array.from({ length: 10 }, () => signIn(userName, password)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});

describe('the session', () => {
  it('is a new one at every sign-in; the one that the browser had ends', async () => {
    const { userId, userName, cookie } = await user();
    const again = await signIn(userName, password, { cookie });
    expect(cookieOf(again)).not.toBe(cookie);
    expect(await isSignedIn(cookie)).toBe(false);
    expect(await isSignedIn(cookieOf(again))).toBe(true);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });

  it('is not one that a stranger chose', async () => {
    const { userName } = await user();
    const reply = await signIn(userName, password, { cookie: 'muster-session=chosen-by-somebody' });
    expect(cookieOf(reply)).not.toContain('chosen');
    expect(await isSignedIn('muster-session=chosen-by-somebody')).toBe(false);
  });

  it('keeps only a hash of its token', async () => {
    const { userId, cookie } = await user();
    const token = cookie.slice('muster-session='.length);
    const rows = JSON.stringify(await sessionsOf(userId));
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('lasts twelve hours from the last time it was seen, thirty days where one stays signed in', async () => {
    const { userId, userName } = await user();
    await app.database.system.deleteFrom('sessions').where('user_id', '=', userId).execute();
    for (const [KeepSignedIn, hours] of [
      [false, 12],
      [true, 720],
    ] as const) {
      const reply = await signIn(userName, password, { KeepSignedIn });
      const attributes = reply.headers.getSetCookie()[0]?.split('; ').slice(1);
      const age = KeepSignedIn ? ['Max-Age=2592000'] : [];
      expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Lax', ...age]);
      await sql`update sessions set last_seen_at = now() - interval '2 minutes', expires_at = now() + interval '1 minute'
        where user_id = ${userId}`.execute(app.database.system);
      expect(await isSignedIn(cookieOf(reply))).toBe(true);
      const left = await sql<{ hours: number }>`
        select round(extract(epoch from max(expires_at) - now()) / 3600)::int as hours from sessions
        where user_id = ${userId}`.execute(app.database.system);
      expect(left.rows).toEqual([{ hours }]);
    }
  });

  it('ends when nobody used it for so long', async () => {
    const { userId, cookie } = await user();
    await sql`update sessions set expires_at = now() where user_id = ${userId}`.execute(app.database.system);
    const reply = await app.call(getUser, {}, { cookie });
    expect(refusalOf(reply)).toMatchObject({ status: 401, ErrorType: 'Informational' });
  });

  it('under TLS has a cookie that belongs to this host alone', async () => {
    const secure = await testApp({}, { PUBLIC_URL: 'https://muster.example.org' });
    const { userName } = await user();
    const [row] = await app.database.system
      .selectFrom('users')
      .selectAll()
      .where('user_name', '=', userName)
      .execute();
    const accounts = await secure.database.system
      .insertInto('accounts')
      .values({ company_name: 'Secure' })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    await secure.database.system
      .insertInto('users')
      .values({
        ...accounts,
        user_name: 'secure-user',
        password_hash: row?.password_hash ?? '',
        first_name: 'S',
        last_name: 'U',
        email: 's@example.org',
        role: 'owner',
      })
      .execute();
    const body = { UserName: 'secure-user', Password: password, KeepSignedIn: true };
    const reply = await secure.call(login, { body });
    expect(reply.headers.getSetCookie()[0]).toMatch(
      /^__Host-muster-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
    );
    const plain = await secure.call(login, { body: { ...body, KeepSignedIn: false } });
    expect(plain.headers.get('set-cookie')).toMatch(/; Secure$/);
    expect((await secure.call(getUser, {}, { cookie: cookieOf(reply) })).status).toBe(200);
    const renamed = cookieOf(reply).replace('__Host-', '');
    expect((await secure.call(getUser, {}, { cookie: renamed })).status).toBe(401);
  });
});

describe('an expired password', () => {
  async function expired(): Promise<BuiltUser> {
    const built = await user();
    await sql`update users set password_expires_at = now() where user_id = ${built.userId}`.execute(
      app.database.system,
    );
    return built;
  }
  const replace = (UserName: string, Password: string, NewPassword: string) =>
    app.call(
      replaceExpiredPassword,
      { body: { UserName, Password, NewPassword } },
      { headers: { 'x-forwarded-for': someAddress() } },
    );

  it('signs nobody in, and is told apart only from the right password', async () => {
    const { userName } = await expired();
    const reply = await signIn(userName, password);
    expect(refusalOf(reply)).toMatchObject({ status: 403, ErrorCode: 1004 });
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(refusalOf(await signIn(userName, wrong))).toMatchObject({ status: 400, ErrorCode: 1001 });
  });

  it('is replaced by a new one, which signs in and ends every older session', async () => {
    const { userId, userName, cookie } = await expired();
    const reply = await replace(userName, password, 'quite-new-8');
    expect([reply.status, reply.body]).toMatchObject([200, { UserID: userId, AccountID: account.accountId }]);
    expect(await isSignedIn(cookie)).toBe(false);
    expect(await isSignedIn(cookieOf(reply))).toBe(true);
    expect((await signIn(userName, password)).status).toBe(400);
    expect((await signIn(userName, 'quite-new-8')).status).toBe(200);
  });

  it('is not replaced by itself, by one that breaks the rules, or without the old one', async () => {
    const { userName } = await expired();
    expect(refusalOf(await replace(userName, password, password)).Errors).toEqual([
      { Field: 'NewPassword', Message: 'This already matches the existing value' },
    ]);
    expect(refusalOf(await replace(userName, password, 'only letters')).Errors).toEqual([
      {
        Field: 'NewPassword',
        Message: 'Use at least one letter and number and no spaces, slashes, or quotation marks',
      },
    ]);
    for (const common of ['password1', 'PassW0rd', 'qwerty123'])
      expect(refusalOf(await replace(userName, password, common)).Errors).toEqual([
        {
          Field: 'NewPassword',
          Message: 'Many people use this password, so it is easy to guess. Choose another one.',
        },
      ]);
    expect(refusalOf(await replace(userName, wrong, 'quite-new-8'))).toMatchObject({ ErrorCode: 1001 });
    expect(refusalOf(await signIn(userName, password))).toMatchObject({ ErrorCode: 1004 });
  });

  it('that has not expired is not changed here', async () => {
    const { userId, userName } = await user();
    expect((await replace(userName, password, 'quite-new-8')).status).toBe(409);
    const row = await app.database.system
      .selectFrom('users')
      .select('password_hash')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(userName, password)).status).toBe(200);
  });
});

it('a password is kept as argon2id with a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('same-1'), hashPassword('same-1')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  // A user who doesn't exist has a hash of the same kind, which no password matches.
  expect(hashOfNobody()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(hashOfNobody()).toHaveLength(one.length);
  expect(await matchesHash(hashOfNobody(), 'same-1')).toBe(false);
});

describe('logout', () => {
  it('ends the session and the cookie, and answers the same the second time', async () => {
    const { userId, cookie } = await user();
    for (let time = 0; time < 2; time += 1) {
      const reply = await app.call(logout, {}, { cookie });
      expect([reply.status, reply.body]).toEqual([200, {}]);
      expect(reply.headers.get('set-cookie')).toMatch(/^muster-session=; .*Max-Age=0$/);
    }
    expect(await isSignedIn(cookie)).toBe(false);
    expect(await sessionsOf(userId)).toEqual([]);
    expect((await app.call(logout, {})).status).toBe(200);
  });

  it.each(['cross-site', 'same-site'])('does nothing when a %s page asks for it', async (site) => {
    const { cookie } = await user();
    const reply = await app.call(logout, {}, { cookie, headers: { 'sec-fetch-site': site } });
    expect(refusalOf(reply)).toMatchObject({ status: 403, ErrorCode: 1005 });
    expect(await isSignedIn(cookie)).toBe(true);
  });
});

describe('the places where one is signed in', () => {
  it('are listed with the current one marked, and one of them can be ended', async () => {
    const mine = await user();
    const elsewhere = await app.call(
      login,
      { body: { UserName: mine.userName, Password: password } },
      { headers: { 'user-agent': 'Another device', 'x-forwarded-for': '198.51.100.7' } },
    );
    const list = await app.call(listSessions, {}, mine);
    expect(list.body.Size).toBe(2);
    expect(list.body.Items.filter((item) => item.IsCurrent)).toHaveLength(1);
    const other = list.body.Items.find((item) => !item.IsCurrent);
    expect(other).toMatchObject({ Device: 'Another device', Address: '198.51.100.7' });

    const params = { SessionID: other?.SessionID ?? 0 };
    expect((await app.call(revokeSession, { params }, mine)).status).toBe(200);
    expect(await isSignedIn(cookieOf(elsewhere))).toBe(false);
    expect(await isSignedIn(mine.cookie)).toBe(true);
    expect((await app.call(revokeSession, { params }, mine)).status).toBe(404);
  });

  it('of somebody else are not there, not even for the owner', async () => {
    const mine = await user();
    const [session] = await sessionsOf(mine.userId);
    const params = { SessionID: session?.session_id ?? 0 };
    for (const other of [await user(), account.owner, (await buildAccount(app)).owner]) {
      expect((await app.call(revokeSession, { params }, other)).status).toBe(404);
      const { body } = await app.call(listSessions, {}, other);
      expect(body.Items.map((item) => item.SessionID)).not.toContain(params.SessionID);
    }
    expect(await isSignedIn(mine.cookie)).toBe(true);
  });
});
