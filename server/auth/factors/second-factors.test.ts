import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccountUser } from '../../../contract/account-users.ts';
import { getUser } from '../../../contract/accounts.ts';
import { getSocketKey, listSessions, login, revokeOtherSessions } from '../../../contract/auth.ts';
import {
  activateTotp,
  addPasskey,
  askConfirmation,
  beginPasskey,
  beginTotp,
  confirmIdentity,
  createRecoveryCodes,
  type FactorAsked,
  finishSignIn,
  getAccountSecurity,
  listSecondFactors,
  removePasskey,
  removeTotp,
  resetSecondFactors,
  updateAccountSecurity,
} from '../../../contract/second-factors.ts';
import { nowMs, shiftClock } from '../../clock.ts';
import {
  type BuiltAccount,
  type BuiltUser,
  buildAccount,
  buildUser,
  password,
} from '../../testing/builders.ts';
import { softwarePasskey } from '../../testing/software-passkey.ts';
import { refusalOf, type TestApp, type TestReply, testApp } from '../../testing/test-app.ts';
import { totpCode, totpStep } from './rules.ts';

const place = { origin: 'http://muster.test', rpID: 'muster.test' };
/** The installation has a name; requests come to it by that name or to the machine itself. */
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({}, { PUBLIC_URL: place.origin });
  account = await buildAccount(app);
});

const newcomer = () => buildUser(app, account.accountId, 'user');
const query = (text: ReturnType<typeof sql>) => text.execute(app.database.system);

function secretOf(base32: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...base32].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
const stepMs = 30_000;
let shifted = 0;
afterAll(() => shiftClock(-shifted));

/** The code of a step, with most of the current step still ahead: it doesn't expire before it is checked. */
function codeAt(secret: Buffer, off = 0): string {
  const left = stepMs - (nowMs() % stepMs);
  if (left < 25_000) {
    shiftClock(left);
    shifted += left;
  }
  return totpCode(secret, totpStep(nowMs()) + off);
}

async function withTotp(user: BuiltUser): Promise<{ secret: Buffer; codes: string[] }> {
  const begun = (await app.call(beginTotp, {}, user)).body;
  const secret = secretOf(begun.Secret);
  // The step before: the code of now is left for the sign-in that follows.
  const body = { Token: begun.Token, Code: codeAt(secret, -1) };
  const { body: done } = await app.call(activateTotp, { body }, user);
  return { secret, codes: done.RecoveryCodes ?? [] };
}

async function withPasskey(user: BuiltUser) {
  const key = softwarePasskey();
  const { Token, Options } = (await app.call(beginPasskey, {}, user)).body;
  const body = { Token, Name: 'Laptop', Response: key.create(Options.challenge, place) as never };
  const reply = await app.call(addPasskey, { body }, user);
  expect(reply.status).toBe(200);
  return { key, codes: reply.body.RecoveryCodes, PasskeyID: reply.body.PasskeyID };
}

const passwordOf = (user: BuiltUser) =>
  app.call(login, { body: { UserName: user.userName, Password: password } });
async function asked(user: BuiltUser): Promise<FactorAsked> {
  const reply = await passwordOf(user);
  expect(refusalOf(reply)).toMatchObject({ status: 403, ErrorCode: 1013 });
  expect(reply.headers.get('set-cookie')).toBeNull();
  return refusalOf(reply).ExtendedData as FactorAsked;
}
const finish = (body: object) => app.call(finishSignIn, { body: body as never });
const cookieOf = ({ headers }: TestReply<unknown>) =>
  /muster-session=[^;]+/.exec(headers.getSetCookie().join())?.[0] ?? '';
const unconfirm = (user: BuiltUser) =>
  query(sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${user.userId}`);

describe('an authenticator app', () => {
  it('is asked for after the password, and a code of it opens the session, once', async () => {
    const user = await newcomer();
    expect((await passwordOf(user)).status).toBe(200);
    const { secret, codes } = await withTotp(user);
    expect(codes).toHaveLength(10);
    const { Token, Methods } = await asked(user);
    expect(Methods).toEqual(['totp', 'recovery']);
    const Code = codeAt(secret);
    const entered = await finish({ Token, Code });
    expect(entered.status).toBe(200);
    const cookie = cookieOf(entered);
    expect((await app.call(getUser, {}, { cookie })).body.UserID).toBe(user.userId);
    const { body } = await app.call(listSessions, {}, { cookie });
    expect(body.Items.find(({ IsCurrent }) => IsCurrent)).toMatchObject({
      Method: 'totp',
      Place: 'This computer',
    });
    // Neither the step nor the code is good a second time.
    expect(refusalOf(await finish({ Token, Code })).status).toBe(422);
    const again = await asked(user);
    expect(refusalOf(await finish({ Token: again.Token, Code }))).toMatchObject({ ErrorCode: 1016 });
    expect((await finish({ Token: again.Token, Code: codeAt(secret, 1) })).status).toBe(200);
  });

  it('takes effect only after a code of it was entered, and its secret is never in plain text', async () => {
    const user = await newcomer();
    const begun = (await app.call(beginTotp, {}, user)).body;
    const wrong = await app.call(activateTotp, { body: { Token: begun.Token, Code: '000000' } }, user);
    expect(refusalOf(wrong)).toMatchObject({ status: 400, ErrorCode: 1016 });
    expect((await passwordOf(user)).status).toBe(200);
    const secret = secretOf(begun.Secret);
    const body = { Token: begun.Token, Code: codeAt(secret) };
    expect((await app.call(activateTotp, { body }, user)).status).toBe(200);
    const { rows } = await sql<{ sealed: Buffer }>`
      select sealed from totp_secrets where user_id = ${user.userId}`.execute(app.database.system);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed.includes(secret)).toBe(false);
    const { rows: tokens } = await sql<{ all: string }>`
      select coalesce(string_agg(t::text, ' '), '') as all from one_time_tokens t`.execute(
      app.database.system,
    );
    expect(tokens[0]?.all).not.toContain(begun.Secret);
  });

  it('prevents guessing: after five wrong codes the user has to wait, even with the right one', async () => {
    const user = await newcomer();
    const { secret } = await withTotp(user);
    const { Token } = await asked(user);
    const tries = [];
    for (let each = 0; each < 5; each += 1) tries.push((await finish({ Token, Code: '000000' })).status);
    expect(tries).toEqual([400, 400, 400, 400, 400]);
    const blocked = refusalOf(await finish({ Token, Code: codeAt(secret) }));
    expect(blocked).toMatchObject({ status: 429, ErrorCode: 1002 });
    // Another sign-in doesn't restart the count.
    const other = await asked(user);
    expect((await finish({ Token: other.Token, Code: codeAt(secret) })).status).toBe(429);
    await query(sql`delete from sign_in_attempts`);
    expect((await finish({ Token: other.Token, Code: codeAt(secret) })).status).toBe(200);
  });

  it('tells nobody who lacks the password whether a user has one', async () => {
    const user = await newcomer();
    await withTotp(user);
    const body = { UserName: user.userName, Password: 'wrong-horse-1' };
    const known = refusalOf(await app.call(login, { body }));
    const unknown = refusalOf(await app.call(login, { body: { ...body, UserName: 'nobody-here' } }));
    expect(known).toEqual(unknown);
    expect(known.ErrorCode).toBe(1001);
  });

  it('a recovery code works once, with or without dashes, and new ones replace the old', async () => {
    const user = await newcomer();
    const { codes } = await withTotp(user);
    const [first = '', second = '', third = ''] = codes;
    const entered = await finish({ Token: (await asked(user)).Token, Code: first.toUpperCase() });
    expect(entered.body).toMatchObject({ UserID: user.userId, RecoveryCodesLeft: 9 });
    const again = await asked(user);
    expect((await finish({ Token: again.Token, Code: first })).status).toBe(400);
    expect((await finish({ Token: again.Token, Code: second.replaceAll('-', '') })).status).toBe(200);
    const { body } = await app.call(createRecoveryCodes, {}, user);
    expect(body.RecoveryCodes).toHaveLength(10);
    const later = await asked(user);
    expect((await finish({ Token: later.Token, Code: third })).status).toBe(400);
    const { rows } = await sql<{ hash: string }>`
      select encode(code_hash, 'escape') as hash from recovery_codes where user_id = ${user.userId}`.execute(
      app.database.system,
    );
    expect(rows).toHaveLength(10);
  });
});

describe('a passkey', () => {
  it('opens the session, and an answer of another origin, key or challenge does not', async () => {
    const user = await newcomer();
    const { key, codes } = await withPasskey(user);
    expect(codes).toHaveLength(10);
    const { Token, Methods, Passkey } = await asked(user);
    expect(Methods).toEqual(['passkey', 'recovery']);
    const challenge = String(Passkey?.challenge);
    const elsewhere = { origin: 'http://muster.test.example', rpID: 'muster.test' };
    const stranger = softwarePasskey();
    for (const Wrong of [
      key.get(challenge, elsewhere),
      key.get(challenge, { ...place, rpID: 'example.org' }),
      stranger.get(challenge, place),
      { ...stranger.get(challenge, place), id: key.id },
    ]) {
      expect(refusalOf(await finish({ Token, Passkey: Wrong })).ErrorCode).toBe(1016);
    }
    await query(sql`delete from sign_in_attempts`);
    const answer = key.get(challenge, place);
    expect((await finish({ Token, Passkey: answer })).status).toBe(200);
    const later = await asked(user);
    expect(refusalOf(await finish({ Token: later.Token, Passkey: answer })).ErrorCode).toBe(1016);
  });

  it('of another origin is not added, nor the same one twice, and a long key fits', async () => {
    const user = await newcomer();
    const { key, PasskeyID } = await withPasskey(user);
    const begin = async () => (await app.call(beginPasskey, {}, user)).body;
    const foreign = await begin();
    const bad = softwarePasskey().create(foreign.Options.challenge, { ...place, origin: 'http://evil.test' });
    const refused = await app.call(
      addPasskey,
      { body: { Token: foreign.Token, Name: 'Bad', Response: bad as never } },
      user,
    );
    expect(refusalOf(refused).status).toBe(422);
    const second = await begin();
    const same = key.create(second.Options.challenge, place);
    const twice = await app.call(
      addPasskey,
      { body: { Token: second.Token, Name: 'Same', Response: same as never } },
      user,
    );
    expect(refusalOf(twice)).toMatchObject({ status: 409, Message: 'This passkey is here already.' });
    await query(sql`update passkeys set public_key = ${Buffer.alloc(1322)} where passkey_id = ${PasskeyID}`);
    const { body } = await app.call(listSecondFactors, {}, user);
    expect(body).toMatchObject({ Passkeys: [{ PasskeyID, Name: 'Laptop' }], CanUsePasskeys: true });
    expect((await app.call(removePasskey, { params: { PasskeyID } }, user)).status).toBe(200);
    expect((await passwordOf(user)).status).toBe(200);
  });

  it('is not offered where the installation is reached by its address', async () => {
    const plain = await testApp();
    const other = await buildAccount(plain);
    const { body } = await plain.call(listSecondFactors, {}, other.owner);
    expect(body.CanUsePasskeys).toBe(false);
    expect(refusalOf(await plain.call(beginPasskey, {}, other.owner)).status).toBe(422);
  });
});

describe('an account that asks everybody for a second factor', () => {
  it('leads those without one to set one up at the next sign-in, and nothing else is open before', async () => {
    const own = await buildAccount(app);
    const user = await buildUser(app, own.accountId, 'user');
    const admin = await buildUser(app, own.accountId, 'admin');
    const body = { RequiresSecondFactor: true };
    expect((await app.call(updateAccountSecurity, { body }, admin)).status).toBe(403);
    expect((await app.call(updateAccountSecurity, { body }, own.owner)).status).toBe(200);
    expect((await app.call(getAccountSecurity, {}, own.owner)).body).toEqual({
      RequiresSecondFactor: true,
      Users: 3,
      UsersWithoutSecondFactor: 3,
    });
    // Nobody in the middle of their work is signed out.
    expect((await app.call(getUser, {}, user)).status).toBe(200);
    const entered = await passwordOf(user);
    expect(entered.body.MustSetUpSecondFactor).toBe(true);
    const limited = { ...user, cookie: cookieOf(entered) };
    for (const reply of [await app.call(getUser, {}, limited), await app.call(getSocketKey, {}, limited)]) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, ErrorCode: 1015 });
    }
    expect((await app.call(listSecondFactors, {}, limited)).body.IsRequired).toBe(true);
    await withTotp(limited);
    expect((await app.call(getUser, {}, limited)).status).toBe(200);
    const last = refusalOf(await app.call(removeTotp, {}, limited));
    expect(last).toMatchObject({ status: 422 });
    expect(last.Message).toContain('asks everybody');
    expect((await app.call(listSecondFactors, {}, limited)).body.Totp).not.toBeNull();
  });

  it('lets a manager reset a user who lost theirs, but no admin the owner’s', async () => {
    const own = await buildAccount(app);
    const admin = await buildUser(app, own.accountId, 'admin');
    const user = await buildUser(app, own.accountId, 'user');
    await withTotp(user);
    await withTotp(own.owner);
    const reset = (who: BuiltUser, by: BuiltUser) =>
      app.call(resetSecondFactors, { params: { UserID: who.userId } }, by);
    const hasFactor = async () => {
      const reply = await app.call(getAccountUser, { params: { UserID: user.userId } }, admin);
      return reply.body.HasSecondFactor;
    };
    expect(refusalOf(await reset(own.owner, admin)).status).toBe(422);
    expect(await hasFactor()).toBe(true);
    expect((await reset(user, admin)).status).toBe(200);
    expect(await hasFactor()).toBe(false);
    expect((await app.call(getUser, {}, user)).status).toBe(401);
    expect((await passwordOf(user)).status).toBe(200);
    expect((await reset(account.owner, own.owner)).status).toBe(404);
  });
});

describe('a sensitive change', () => {
  it('asks again after ten minutes, for the password, a code or a passkey', async () => {
    const user = await newcomer();
    const { secret } = await withTotp(user);
    const { key } = await withPasskey(user);
    const change = () => app.call(createRecoveryCodes, {}, user);
    expect((await change()).status).toBe(200);
    await unconfirm(user);
    expect(refusalOf(await change())).toMatchObject({ status: 403, ErrorCode: 1014 });
    // Other changes still work.
    expect((await app.call(listSessions, {}, user)).status).toBe(200);
    const options = (await app.call(askConfirmation, {}, user)).body;
    expect(options.Methods).toEqual(['password', 'totp', 'passkey']);
    const confirm = (body: object) => app.call(confirmIdentity, { body: body as never }, user);
    const wrong = refusalOf(await confirm({ Password: 'wrong-horse-1' }));
    expect(wrong).toMatchObject({
      status: 400,
      Message: 'That isn’t your password. Check it and try again.',
    });
    expect((await change()).status).toBe(403);
    const Passkey = key.get(String(options.Passkey?.challenge), place);
    for (const proof of [
      { Password: password },
      { Code: codeAt(secret) },
      { Token: options.Token, Passkey },
    ]) {
      await unconfirm(user);
      expect((await confirm(proof)).status).toBe(200);
      expect((await change()).status).toBe(200);
    }
    // A passkey's challenge is good once.
    await unconfirm(user);
    expect((await confirm({ Token: options.Token, Passkey })).status).toBe(400);
    expect((await change()).status).toBe(403);
  });

  it('another session is not confirmed with it', async () => {
    const user = await newcomer();
    const other = { cookie: cookieOf(await passwordOf(user)) };
    await unconfirm(user);
    expect((await app.call(confirmIdentity, { body: { Password: password } }, user)).status).toBe(200);
    expect((await app.call(beginTotp, {}, user)).status).toBe(200);
    expect((await app.call(beginTotp, {}, other)).status).toBe(403);
  });
});

describe('sessions and devices', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
  const signInWith = (user: BuiltUser, agent: string, cookie?: string) =>
    app.call(
      login,
      { body: { UserName: user.userName, Password: password } },
      { headers: { 'user-agent': agent }, ...(cookie === undefined ? {} : { cookie }) },
    );
  const mailsTo = async (user: BuiltUser) => {
    const { rows } = await sql<{ subject: string; body_text: string }>`
      select subject, body_text from mails where user_id = ${user.userId} order by mail_id`.execute(
      app.database.system,
    );
    return rows;
  };

  it('a mail tells of a device that was never seen before, and of no other', async () => {
    const user = await newcomer();
    const first = await signInWith(user, chrome);
    expect(await mailsTo(user)).toEqual([]);
    await signInWith(user, chrome);
    expect(await mailsTo(user)).toEqual([]);
    // The same browser, which calls itself something else since its last update.
    const device = /muster-device=[^;]+/.exec(first.headers.getSetCookie().join())?.[0] ?? '';
    await signInWith(user, 'curl/8.5.0', device);
    expect(await mailsTo(user)).toEqual([]);
    await signInWith(user, firefox);
    const [mail, ...others] = await mailsTo(user);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('New sign-in to Muster: Firefox on Mac');
    expect(mail?.body_text).toContain('This computer');
    expect(mail?.body_text).toContain(`${place.origin}/settings/security`);
    await signInWith(user, firefox);
    expect(await mailsTo(user)).toHaveLength(1);
  });

  it('lists browser, place and last use, and signs out everywhere else', async () => {
    const user = await newcomer();
    const one = { cookie: cookieOf(await signInWith(user, chrome)) };
    const two = { cookie: cookieOf(await signInWith(user, firefox)) };
    const { body } = await app.call(listSessions, {}, one);
    expect(body.Items.map(({ Browser }) => Browser).sort()).toEqual([
      'Chrome on Windows',
      'Firefox on Mac',
      'Unknown device',
    ]);
    expect((await app.call(revokeOtherSessions, {}, one)).body).toEqual({ Ended: 2 });
    expect((await app.call(listSessions, {}, two)).status).toBe(401);
    expect((await app.call(listSessions, {}, one)).body.Size).toBe(1);
    expect((await app.call(revokeOtherSessions, {}, one)).body).toEqual({ Ended: 0 });
  });
});
