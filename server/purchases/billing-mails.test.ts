import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addInvoiceAddress,
  createInvoice,
  listInvoices,
  previewInvoice,
  updateInvoice,
} from '../../contract/invoices.ts';
import { addCreditCard } from '../../contract/purchases.ts';
import { asAccount } from '../db.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { testCredentials } from '../testing/test-sandbox.ts';
import { mailOwners } from './mail-owners.ts';
import { buyCredits, openTill, setUpCard } from './testing/pay.ts';

let app: TestApp;
const { withCard, putBack } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ '14235550100': 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

async function mailedTo({ accountId }: BuiltAccount, kind: 'billing' | 'invoice'): Promise<string[]> {
  const rows = await app.database.system
    .selectFrom('mails')
    .select('to_address')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('mail_id')
    .execute();
  return rows.map(({ to_address }) => to_address);
}

const emailOf = ({ userName }: { userName: string }) => `${userName}@example.org`;

async function setUser(userId: number, set: { is_active?: boolean; email?: string }) {
  await app.database.system.updateTable('users').set(set).where('user_id', '=', userId).execute();
}

describe('mail about money', () => {
  it('goes to every owner who can sign in, and to nobody else', async () => {
    const account = await withCard();
    const { accountId, owner } = account;
    const second = await buildUser(app, accountId, 'owner');
    await buildUser(app, accountId, 'owner', { isActive: false });
    await buildUser(app, accountId, 'admin');
    const silent = await buildUser(app, accountId, 'owner');
    await setUser(silent.userId, { email: '' });
    await asAccount(app.database, accountId, (trx) =>
      mailOwners(trx, { accountId, publicUrl: 'https://muster.example' }, { title: 'A title', lines: [] }),
    );
    expect(await mailedTo(account, 'billing')).toEqual([emailOf(owner), emailOf(second)]);
  });

  it('leaves out an owner who was deactivated', async () => {
    const account = await withCard();
    const second = await buildUser(app, account.accountId, 'owner');
    await setUser(account.owner.userId, { is_active: false });
    const bought = await buyCredits(app, { ...account, owner: second }, 1000);
    expect(bought.body).toMatchObject({ Status: 'Paid' });
    expect(await mailedTo(account, 'billing')).toEqual([emailOf(second)]);
  });

  it('has the processor know an owner who can be reached', async () => {
    const account = await buildAccount(app);
    const second = await buildUser(app, account.accountId, 'owner');
    await setUser(account.owner.userId, { is_active: false });
    await setUpCard(app, { ...account, owner: second });
    const { customer_id } = await app.database.system
      .selectFrom('payers')
      .select('customer_id')
      .where('account_id', '=', account.accountId)
      .executeTakeFirstOrThrow();
    const answer = await fetch(`${app.sandbox.url}/v1/customers/${customer_id}`, {
      headers: { authorization: `Bearer ${testCredentials.STRIPE_SECRET_KEY}` },
    });
    expect(await answer.json()).toMatchObject({ email: emailOf(second) });
  });
});

describe('an invoice', () => {
  const address = {
    ...{ Address1: 'Harlow Creek School District', Address2: '', Address3: '410 Mill Street', Address4: '' },
    ...{ City: 'Chattanooga', State: 'TN', PostalCode: '37402' },
  };

  async function ready(account: BuiltAccount) {
    const params = { AccountID: account.accountId };
    const { body } = await app.call(addInvoiceAddress, { params, body: address }, account.owner);
    return { NumberOfCredits: 1000, InvoiceAddressID: body.AddressID };
  }
  const resend = (as: { cookie: string }, InvoiceID: number) =>
    app.call(updateInvoice, { params: { InvoiceID }, body: { NewStatus: 'Resent' } }, as);

  it('says before and after whether it is mailed, and whose prices it has', async () => {
    const account = await buildAccount(app);
    const body = await ready(account);
    const ask = async (SendEmail: boolean) => {
      const { body: shown } = await app.call(previewInvoice, { body: { ...body, SendEmail } }, account.owner);
      const { body: made } = await app.call(createInvoice, { body: { ...body, SendEmail } }, account.owner);
      return [shown.SendEmail, made.SendEmail, shown.CustomPricing, made.CustomPricing];
    };
    expect(await ask(true)).toEqual([true, true, null, null]);
    expect(await ask(false)).toEqual([false, false, null, null]);
    const own = await asOwner(app.databaseUrl, async (client) => {
      const { rows } = await client.query<{ pricing_id: number }>(
        "insert into pricings (kind, name) values ('pay-as-you-go', 'Own') returning pricing_id",
      );
      const id = rows[0]?.pricing_id;
      await client.query('insert into pricing_tiers values ($1, 100, 10000000, 0.01)', [id]);
      await client.query('update accounts set payg_pricing_plan_id = $1 where account_id = $2', [
        id,
        account.accountId,
      ]);
      return String(id);
    });
    expect(await ask(true)).toEqual([true, true, own, own]);
    await app.call(addCreditCard, { body: await setUpCard(app, account) }, account.owner);
    expect((await buyCredits(app, account, 2000)).body).toMatchObject({ Amount: 20 });
    const { body: list } = await app.call(listInvoices, {}, account.owner);
    expect(list.Items[0]).toMatchObject({ NumberOfCredits: 2000, CustomPricing: own });
  });

  it('is mailed to the first owner, and no longer to one who was deactivated', async () => {
    const account = await buildAccount(app);
    const second = await buildUser(app, account.accountId, 'owner');
    const { body: made } = await app.call(
      createInvoice,
      { body: { ...(await ready(account)), SendEmail: true } },
      account.owner,
    );
    expect(made.EmailedTo).toBe(emailOf(account.owner));
    await resend(second, made.InvoiceID);
    await setUser(account.owner.userId, { is_active: false });
    const { body: again } = await resend(second, made.InvoiceID);
    expect(again.EmailedTo).toBe(emailOf(second));
    // An address of somebody else stays: nobody of the account has it.
    await sql`update invoices set email_to = 'ap@district.example' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect((await resend(second, made.InvoiceID)).body.EmailedTo).toBe('ap@district.example');
    expect(await mailedTo(account, 'invoice')).toEqual([
      ...[emailOf(account.owner), emailOf(account.owner), emailOf(second)],
      'ap@district.example',
    ]);
  });

  it('is made without a mail when no owner has an email', async () => {
    const account = await buildAccount(app);
    await setUser(account.owner.userId, { email: '' });
    const made = await app.call(
      createInvoice,
      { body: { ...(await ready(account)), SendEmail: true } },
      account.owner,
    );
    expect([made.status, made.body.SendEmail, made.body.EmailedTo]).toEqual([200, false, '']);
    expect(refusalOf(await resend(account.owner, made.body.InvoiceID)).Message).toBe(
      'No account owner has an email, so the invoice can’t be sent.',
    );
    expect(await mailedTo(account, 'invoice')).toEqual([]);
  });
});
