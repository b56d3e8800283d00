import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAccountUser, updateAccountUser } from '../../contract/account-users.ts';
import { getUser, updateUser } from '../../contract/accounts.ts';
import { getOnboarding, resendVerification, verifyEmail } from '../../contract/onboarding.ts';
import { confirmIdentity } from '../../contract/second-factors.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser, password } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const needsConfirmation = { status: 403, ErrorCode: 1014 };
/** Simulates ten minutes at an unattended computer. */
const leave = (user: BuiltUser) =>
  sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${user.userId}`.execute(
    app.database.system,
  );
const confirm = (user: BuiltUser) => app.call(confirmIdentity, { body: { Password: password } }, user);
const change = (body: object, as: BuiltUser) => app.call(updateUser, { body }, as);
const manage = (UserID: number, body: object) =>
  app.call(updateAccountUser, { params: { UserID }, body }, account.owner);
const needsVerification = async (user: BuiltUser) =>
  (await app.call(getUser, {}, user)).body.NeedsEmailVerification;
const subjectsTo = async (address: string) =>
  (await app.sandbox.mails(address)).map(({ Subject }) => Subject);

async function linkTo(address: string): Promise<string> {
  const text = await app.until(async () => (await app.sandbox.mails(address)).at(-1)?.Text ?? false);
  return /verify-email\?token=([\w-]+)/.exec(text)?.[1] ?? '';
}

describe('your own email', () => {
  it('needs the password, is verified by a link, and the old address is told', async () => {
    const me = await buildUser(app, account.accountId, 'user');
    const old = `${me.userName}@example.org`;
    await leave(me);
    expect(refusalOf(await change({ Email: 'mine@example.net' }, me))).toMatchObject(needsConfirmation);
    // A different spelling is the same address, and other settings are not sensitive.
    expect((await change({ Email: old.toUpperCase(), FirstName: 'Ana' }, me)).status).toBe(200);
    expect(await needsVerification(me)).toBe(false);

    expect((await confirm(me)).status).toBe(200);
    const { body } = await change({ Email: 'mine@example.net' }, me);
    expect(body).toMatchObject({ Email: 'mine@example.net', NeedsEmailVerification: true });
    const Token = await linkTo('mine@example.net');
    await app.drain();
    expect(await subjectsTo(old)).toEqual(['Your email in Muster was changed']);

    // After a correction only the newest link works.
    await leave(me);
    const Email = 'really-mine@example.net';
    expect(refusalOf(await app.call(resendVerification, { body: { Email } }, me))).toMatchObject(
      needsConfirmation,
    );
    await confirm(me);
    expect((await app.call(resendVerification, { body: { Email } }, me)).status).toBe(200);
    const { rows } = await sql<{ changes: unknown }>`
      select changes from events where kind = 'email.verificationSent' and user_id = ${me.userId}`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ changes: { Email: ['mine@example.net', Email] } }]);
    const newest = await linkTo(Email);
    expect((await app.call(verifyEmail, { body: { Token } })).status).toBe(422);
    expect((await app.call(verifyEmail, { body: { Token: newest } })).status).toBe(200);
    expect(await needsVerification(me)).toBe(false);
  });

  it('can’t be taken by two at once', async () => {
    const [me, joining, other] = [
      await buildUser(app, account.accountId, 'user'),
      await buildUser(app, account.accountId, 'user'),
      await buildUser(app, account.accountId, 'user'),
    ];
    await sql`update users set needs_email_verification = true where user_id = ${joining.userId}`.execute(
      app.database.system,
    );
    const Email = `both-${me.userId}@example.net`;
    const waiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(app.database.system);
      return rows.length > 1;
    };
    const tried = await app.database.system.transaction().execute(async (trx) => {
      await sql`select from accounts where account_id = ${account.accountId} for no key update`.execute(trx);
      await sql`update users set email = ${Email} where user_id = ${other.userId}`.execute(trx);
      const changing = [
        change({ Email }, me),
        app.call(resendVerification, { body: { Email } }, joining),
      ] as const;
      await Promise.race([Promise.all(changing), app.until(waiting)]);
      return changing;
    });
    for (const reply of await Promise.all(tried))
      expect(refusalOf(reply).Errors).toEqual([{ Field: 'Email', Message: 'This email is already in use.' }]);
  });

  it('shows the reason when it bounces, and does not lock the user out', async () => {
    const me = await buildUser(app, account.accountId, 'user');
    await change({ Email: 'nobody@example.org' }, me);
    await app.drain();
    const { body } = await app.call(getOnboarding, {}, me);
    expect(body.EmailProblem).toMatch(/No such mailbox/);
    expect(body.Steps.map(({ Name }) => Name)).toEqual(['terms']);
  });

  it('cannot be a colleague’s, in either way', async () => {
    const me = await buildUser(app, account.accountId, 'user');
    const other = await buildUser(app, account.accountId, 'user');
    const Email = `${other.userName}@example.org`;
    expect(refusalOf(await change({ Email }, me)).Errors?.[0]?.Field).toBe('Email');
    await change({ Email: 'of-nobody@example.net' }, me);
    expect(refusalOf(await app.call(resendVerification, { body: { Email } }, me)).Errors).toEqual([
      { Field: 'Email', Message: 'This email is already in use.' },
    ]);
  });
});

describe('changes that would let another person sign in', () => {
  it('a manager confirms a new email, PIN code or role, and a new admin', async () => {
    const { owner } = account;
    const other = await buildUser(app, account.accountId, 'user');
    const old = `${other.userName}@example.org`;
    await leave(owner);
    for (const body of [
      { Email: 'new@example.net' },
      { PinCode: 'blue-horse-77' },
      { IsAccountAdmin: true },
    ]) {
      expect(refusalOf(await manage(other.userId, body))).toMatchObject(needsConfirmation);
    }
    const person = {
      ...{ FirstName: 'Nate', LastName: 'Kowalski', Email: 'nate@example.org', Phone: '(423) 555-0142' },
      ...{ UserName: 'nate.kowalski', PinCode: 'blue-horse-77', CallerID: '(423) 555-0142' },
    };
    const add = (more: object) => app.call(addAccountUser, { body: { ...person, ...more } }, owner);
    expect(refusalOf(await add({ IsAccountAdmin: true }))).toMatchObject(needsConfirmation);
    expect((await add({})).status).toBe(200);
    expect((await manage(other.userId, { FirstName: 'Bo', IsAccountAdmin: false })).status).toBe(200);

    await confirm(owner);
    const { body } = await manage(other.userId, { Email: 'new@example.net' });
    // Those who manage users decide which address belongs to whom.
    expect(body).toMatchObject({ Email: 'new@example.net', NeedsEmailVerification: false });
    await app.until(async () => (await subjectsTo(old)).length > 0);
    expect(await subjectsTo('new@example.net')).toEqual([]);
  });

  it('verify their own address like everybody else', async () => {
    await confirm(account.owner);
    const { body } = await manage(account.owner.userId, { Email: 'owner@example.net' });
    expect(body.NeedsEmailVerification).toBe(true);
  });
});
