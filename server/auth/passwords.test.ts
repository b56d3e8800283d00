import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '../../contract/accounts.ts';
import { login } from '../../contract/auth.ts';
import { changePassword, forgotPassword, resetPassword, resetSession } from '../../contract/passwords.ts';
import { type BuiltAccount, buildAccount, buildUser, password } from '../testing/builders.ts';
import { refusalOf, type TestApp, type TestReply, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const newPassword = 'another-horse-8';
const user = () => buildUser(app, account.accountId, 'user');
const signIn = (UserName: string, Password: string) =>
  app.call(login, { body: { UserName, Password } }).then((reply) => reply.status);
const isSignedIn = async (cookie: string) => (await app.call(getUser, {}, { cookie })).status === 200;
const cookieOf = (reply: TestReply<unknown>) => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

async function linkTo(email: string): Promise<string> {
  const mails = await app.until(async () => {
    const came = await app.sandbox.mails(email);
    return came.length > 0 && came;
  });
  return /reset-password\?token=([\w-]+)/.exec(mails.at(-1)?.Text ?? '')?.[1] ?? '';
}

describe('a forgotten password', () => {
  it('is replaced by a link that comes by mail, works once and ends all sessions', async () => {
    const { userName, cookie } = await user();
    const asked = await app.call(forgotPassword, { body: { UserName: userName.toUpperCase() } });
    expect(asked).toMatchObject({ status: 200, body: {} });
    const Token = await linkTo(`${userName}@example.org`);
    const weak = await app.call(resetPassword, { body: { Token, NewPassword: 'password1' } });
    expect(refusalOf(weak)).toMatchObject({ status: 400, Errors: [{ Field: 'NewPassword' }] });
    const changed = await app.call(resetPassword, { body: { Token, NewPassword: newPassword } });
    expect(changed).toMatchObject({ status: 200, body: { UserName: userName } });
    expect(changed.headers.get('set-cookie')).toBeNull();
    expect(await isSignedIn(cookie)).toBe(false);
    expect([await signIn(userName, password), await signIn(userName, newPassword)]).toEqual([400, 200]);
    const again = await app.call(resetPassword, { body: { Token, NewPassword: 'third-horse-9' } });
    expect(refusalOf(again)).toMatchObject({
      status: 422,
      Message: 'This link was used already. If you need another one, ask for a new password again.',
    });
  });

  it('answers the same to everybody, and mails only those who exist', async () => {
    const asked = await app.call(forgotPassword, { body: { UserName: 'nobody@example.org' } });
    expect(asked).toMatchObject({ status: 200, body: {} });
    await app.drain();
    expect(await app.sandbox.mails('nobody@example.org')).toEqual([]);
  });

  it('is not replaced by a link that is an hour old, nor for somebody who was deactivated', async () => {
    const { userName, userId } = await user();
    await app.call(forgotPassword, { body: { UserName: `${userName}@example.org` } });
    const Token = await linkTo(`${userName}@example.org`);
    await sql`update users set is_active = false where user_id = ${userId}`.execute(app.database.system);
    const closed = await app.call(resetPassword, { body: { Token, NewPassword: newPassword } });
    expect(refusalOf(closed).status).toBe(422);
    await sql`update users set is_active = true where user_id = ${userId}`.execute(app.database.system);
    await sql`update user_tokens set expires_at = now() where user_id = ${userId}`.execute(
      app.database.system,
    );
    const late = await app.call(resetPassword, { body: { Token, NewPassword: newPassword } });
    expect(refusalOf(late)).toMatchObject({
      status: 422,
      Message: 'This link has expired. Ask for a new password again, and we’ll send you another one.',
    });
    expect(await signIn(userName, password)).toBe(200);
  });

  it('can be asked for five times an hour, whether or not the name exists', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      const { status } = await app.call(forgotPassword, { body: { UserName: 'nobody-at-all' } });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('a changed password', () => {
  it('ends other sessions, and gives this browser a new one for the token', async () => {
    const mine = await user();
    const elsewhere = cookieOf(
      await app.call(login, { body: { UserName: mine.userName, Password: password } }),
    );
    const body = { UserID: mine.userId, ExistingPinCode: password, PinCode: newPassword };
    const unequal = await app.call(changePassword, { body: { ...body, ConfirmPinCode: 'x' } }, mine);
    expect(refusalOf(unequal).Errors).toEqual([
      { Field: 'ConfirmPinCode', Message: 'Passwords should match.' },
    ]);
    const wrong = await app.call(
      changePassword,
      { body: { ...body, ExistingPinCode: 'not-it-1', ConfirmPinCode: newPassword } },
      mine,
    );
    expect(refusalOf(wrong).Errors).toEqual([
      { Field: 'ExistingPinCode', Message: 'This is not your existing Password.' },
    ]);
    expect(await isSignedIn(elsewhere)).toBe(true);

    const changed = await app.call(changePassword, { body: { ...body, ConfirmPinCode: newPassword } }, mine);
    expect(changed.status).toBe(200);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(mine.cookie)).toBe(true);

    const AuthToken = changed.body.AuthToken;
    const stranger = await app.call(resetSession, { body: { AuthToken } }, account.owner);
    expect(refusalOf(stranger).status).toBe(422);
    expect(refusalOf(await app.call(resetSession, { body: { AuthToken } })).status).toBe(422);
    const reset = await app.call(resetSession, { body: { AuthToken } }, mine);
    expect(reset.status).toBe(200);
    expect(await isSignedIn(mine.cookie)).toBe(false);
    expect(await isSignedIn(cookieOf(reset))).toBe(true);
    const twice = await app.call(resetSession, { body: { AuthToken } }, { cookie: cookieOf(reset) });
    expect(refusalOf(twice).Message).toBe('This took too long. Sign in with your new password.');
    expect([await signIn(mine.userName, password), await signIn(mine.userName, newPassword)]).toEqual([
      400, 200,
    ]);
  });

  it('is the user’s own choice, and not one that others could guess', async () => {
    const mine = await user();
    const other = { ExistingPinCode: password, PinCode: newPassword, ConfirmPinCode: newPassword };
    const foreign = await app.call(
      changePassword,
      { body: { ...other, UserID: account.owner.userId } },
      mine,
    );
    expect(refusalOf(foreign).Message).toBe('You can change your own password only.');
    const email = `${mine.userName}@example.org`;
    const guessable = await app.call(
      changePassword,
      { body: { ...other, PinCode: email, ConfirmPinCode: email } },
      mine,
    );
    expect(refusalOf(guessable).Errors).toEqual([
      { Field: 'PinCode', Message: 'Password must not be your email' },
    ]);
  });
});
