import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  addAccountUser,
  getAccountUser,
  getInvitation,
  listAccountUsers,
  resendInvitation,
  updateAccountUser,
  withdrawInvitation,
} from '../../../contract/account-users.ts';
import { getUser } from '../../../contract/accounts.ts';
import { login } from '../../../contract/auth.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let account: BuiltAccount;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

async function invite(given?: string) {
  serial += 1;
  const Email = given ?? `ada-${serial}@example.org`;
  const body = {
    FirstName: 'Ada',
    LastName: 'Park',
    Email,
    Phone: '4235550143',
    UserName: `ada.park.${serial}`,
    CallerID: '4235550143',
    Invite: true,
  };
  return (await app.call(addAccountUser, { body }, account.owner)).body;
}

/** The token of the last mail to an address. */
async function tokenTo(email: string): Promise<string> {
  await app.drain();
  const mails = await app.sandbox.mails(email);
  return /\/invitation\/([\w-]+)/.exec(mails.at(-1)?.Text ?? '')?.[1] ?? '';
}

const accept = (Token: string, Password = 'blue-horse-77') =>
  app.call(acceptInvitation, { params: { Token }, body: { Password } });
const open = (Token: string) => app.call(getInvitation, { params: { Token } });

describe('an invitation', () => {
  it('comes by mail, sets the password once, and signs in', async () => {
    const ada = await invite();
    expect(ada).toMatchObject({ IsActive: false, Invitation: { IsExpired: false, Problem: null } });
    const token = await tokenTo(ada.Email);
    const [mail] = await app.sandbox.mails(ada.Email);
    expect(mail?.Subject).toMatch(/^Pat Number \d+ invited you to Organization \d+ on Muster$/);
    expect(mail?.Text).toContain(`Your username is ${ada.UserName}.`);
    expect((await open(token)).body).toMatchObject({ UserName: ada.UserName, FirstName: 'Ada' });
    // She can't sign in before that.
    expect(
      (await app.call(login, { body: { UserName: ada.UserName, Password: 'blue-horse-77' } })).status,
    ).toBe(400);

    expect(refusalOf(await accept(token, ada.UserName)).Message).toBe('Password must not be your username');
    expect(refusalOf(await accept(token, 'password1')).Errors?.[0]?.Field).toBe('Password');
    const replies = await Promise.all([accept(token), accept(token)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
    const cookie =
      replies
        .find(({ status }) => status === 200)
        ?.headers.get('set-cookie')
        ?.split(';')[0] ?? '';
    expect((await app.call(getUser, {}, { cookie })).body).toMatchObject({
      UserName: ada.UserName,
      IsActive: true,
    });
    expect(refusalOf(await open(token)).Message).toBe(
      'You have already accepted this invitation. Sign in with your password.',
    );
    const { body } = await app.call(getAccountUser, { params: { UserID: ada.UserID } }, account.owner);
    expect(body).toMatchObject({ IsActive: true, Invitation: null, LastSeenTimestamp: expect.any(String) });
  });

  it('expires after a week, and can be sent again: the earlier link stops working', async () => {
    const ada = await invite();
    const first = await tokenTo(ada.Email);
    await sql`update invitations set expires_at = now() - interval '1 second' where user_id = ${ada.UserID}`.execute(
      app.database.system,
    );
    expect(refusalOf(await accept(first)).Message).toMatch(
      /^This invitation has expired\. Ask Pat Number \d+ to send it again\.$/,
    );
    const { body } = await app.call(
      listAccountUsers,
      { query: { invited: 'true', q: ada.Email } },
      account.owner,
    );
    expect(body.Items).toMatchObject([{ UserID: ada.UserID, Invitation: { IsExpired: true } }]);

    const again = await app.call(resendInvitation, { params: { UserID: ada.UserID } }, account.owner);
    expect(again.body.Invitation).toMatchObject({ IsExpired: false });
    const second = await tokenTo(ada.Email);
    expect(second).not.toBe(first);
    expect(refusalOf(await open(first)).Message).toMatch(/^This invitation is no longer valid/);
    expect((await accept(second)).status).toBe(200);
    const late = await app.call(resendInvitation, { params: { UserID: ada.UserID } }, account.owner);
    expect(refusalOf(late)).toMatchObject({
      status: 404,
      Message: 'This invitation has been accepted or withdrawn.',
    });
  });

  it('can be withdrawn: the link stops working, and name and address are free again', async () => {
    const ada = await invite();
    const token = await tokenTo(ada.Email);
    const params = { UserID: ada.UserID };
    expect((await app.call(withdrawInvitation, { params }, account.owner)).status).toBe(200);
    expect((await accept(token)).status).toBe(422);
    expect((await app.call(getAccountUser, { params }, account.owner)).status).toBe(404);
    expect((await invite(ada.Email)).UserID).toBeGreaterThan(ada.UserID);
    const active = await buildUser(app, account.accountId, 'user');
    const refused = await app.call(withdrawInvitation, { params: { UserID: active.userId } }, account.owner);
    expect(refused.status).toBe(404);
  });

  it('to another address goes there, and the link to the old one stops working', async () => {
    const ada = await invite();
    const old = await tokenTo(ada.Email);
    const Email = `moved-${ada.UserID}@example.org`;
    await app.call(updateAccountUser, { params: { UserID: ada.UserID }, body: { Email } }, account.owner);
    const token = await tokenTo(Email);
    expect((await open(old)).status).toBe(422);
    expect((await accept(token)).status).toBe(200);
  });

  it('is shown with the mail server’s error if it bounced', async () => {
    const ada = await invite('nobody@example.org');
    await app.drain();
    const { body } = await app.call(getAccountUser, { params: { UserID: ada.UserID } }, account.owner);
    expect(body.Invitation?.Problem).toMatch(/No such mailbox/);
  });

  it('to a user who is already active is refused with what to do', async () => {
    const ada = await invite();
    const body = { ...ada, UserName: `${ada.UserName}.b` };
    const { FirstName, LastName, Email, Phone, UserName, CallerID } = body;
    const reply = await app.call(
      addAccountUser,
      { body: { FirstName, LastName, Email, Phone, UserName, CallerID, Invite: true } },
      account.owner,
    );
    expect(refusalOf(reply).Errors).toEqual([
      {
        Field: 'Email',
        Message:
          'This email is already in use. Ada Park has been invited already: send that invitation again.',
      },
    ]);
  });
});
