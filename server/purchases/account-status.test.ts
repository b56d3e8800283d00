import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { getAccount } from '../../contract/accounts.ts';
import { listAuditLog } from '../../contract/audit-log.ts';
import { createConversation } from '../../contract/conversations.ts';
import { createCharge } from '../../contract/purchases.ts';
import { runOperator } from '../operator.ts';
import { buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { buyCredits, consent, openTill } from './testing/pay.ts';

const phones = { first: '14235550100', second: '14235550101' };
let app: TestApp;
const { moveTo, run, withCard, books, putBack, subscribe } = openTill(() => app);

beforeAll(async () => {
  app = await testApp({ [phones.first]: 'infobip', [phones.second]: 'infobip' }, { SALES_TAX: 'stripe' });
});
afterEach(putBack);

const say = (words: string) => runOperator(app.database, words.split(' '));

async function statusOf(accountId: number) {
  const row = await app.database.system
    .selectFrom('accounts')
    .select('status_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.status_id;
}

it('stops the texts of an account, and lets them go on', async () => {
  const account = await buildAccount(app, { numbers: { [phones.first]: 'infobip' } });
  await sql`update accounts set is_auto_reply_on = true, auto_reply_message = 'We are out.'
    where account_id = ${account.accountId}`.execute(app.database.system);
  const text = (Message: string) => {
    const LastMessage = { Contact: { PrimaryPhone: '4235550143' }, Message };
    const body = { TextNumberID: account.numbers[phones.first] ?? 0, LastMessage };
    return app.call(createConversation, { body }, account.owner);
  };
  const arrived = async () => (await app.sandbox.messages('14235550143')).map(({ Text }) => Text);
  for (const [word, id] of Object.entries({ suspended: 1, closed: 5, canceled: 7 })) {
    await say(`status ${account.accountId} ${word}`);
    expect(await statusOf(account.accountId)).toBe(id);
    const refused = await text(`While ${word}`);
    expect([word, refusalOf(refused).Message]).toEqual([word, "You can't create conversations."]);
    // Nor is somebody answered who writes to it.
    await app.sandbox.text('14235550144', phones.first, `Are you ${word}?`);
  }
  await app.until(async () => {
    const { rows } = await sql<{ many: number }>`
      select count(*)::int as many from messages where account_id = ${account.accountId} and is_inbound`.execute(
      app.database.system,
    );
    return rows[0]?.many === 3;
  });
  await app.drain();
  const answers = (await app.sandbox.messages('14235550144')).filter(({ From }) =>
    From.includes(phones.first),
  );
  expect(answers).toEqual([]);
  expect(await say(`status ${account.accountId} active`)).toEqual([expect.stringMatching(/: Active\.$/)]);
  expect((await text('Active again')).status).toBe(200);
  await app.until(async () => (await arrived()).includes('Active again'));
  expect(await arrived()).toEqual(['Active again']);
  const { body: log } = await app.call(listAuditLog, { query: { what: 'account' } }, account.owner);
  expect(log.Items.map(({ Who, Changes }) => [Who.Kind, Changes])).toEqual(
    [
      ['Canceled by us', 'Active'],
      ['Closed', 'Canceled by us'],
      ['Suspended', 'Closed'],
      ['Active', 'Suspended'],
    ].map(([Before, After]) => ['operator', [expect.objectContaining({ Before, After })]]),
  );
});

it('sells nothing to an account that is suspended or closed', async () => {
  const account = await withCard('pm_card_visa', { numbers: { [phones.second]: 'infobip' } });
  const body = {
    ChargeType: 'AddFlatRate' as const,
    TextNumberID: account.numbers[phones.second] ?? 0,
    ConsentText: consent,
  };
  const enable = () => app.call(createCharge, { body }, account.owner);
  for (const word of ['suspended', 'closed']) {
    await say(`status ${account.accountId} ${word}`);
    expect(refusalOf(await buyCredits(app, account, 1000)).Message).toBe(
      'This account can’t buy credits. Please contact us.',
    );
    expect(refusalOf(await subscribe(account, 100)).Message).toBe(
      'This account can’t buy a subscription. Please contact us.',
    );
    expect(refusalOf(await enable()).Message).toBe(
      'This account can’t enable unlimited conversations. Please contact us.',
    );
  }
  // The owner brings back an account that the operator canceled.
  await say(`status ${account.accountId} canceled`);
  expect(refusalOf(await enable()).Message).toBe(
    'Reactivate your account before you enable unlimited conversations.',
  );
  expect((await buyCredits(app, account, 1000)).body).toMatchObject({ Status: 'Paid' });
  expect(await statusOf(account.accountId)).toBe(0);
});

it('never charges for months that passed while an account was suspended', async () => {
  await moveTo('2028-03-10T12:00:00Z');
  const account = await withCard();
  await subscribe(account, 100);
  await say(`status ${account.accountId} suspended`);
  await say(`status ${account.accountId} active`);
  expect(await statusOf(account.accountId)).toBe(0);
  await say(`status ${account.accountId} suspended`);
  await moveTo('2028-05-20T12:00:00Z');
  await run('renew_plans');
  await run('renew_plans');
  const { rows } = await sql`select charge_type from charges where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
  expect(rows).toEqual([{ charge_type: 'SubscriptionUpgrade' }]);
  // The month that was paid for is earned.
  expect(await books(account)).toMatchObject({ deferred: 0 });
  await expect(say(`status ${account.accountId} active`)).rejects.toThrow(
    'The months that were paid for are over.',
  );
  await say(`status ${account.accountId} canceled`);
  expect((await subscribe(account, 100)).body).toMatchObject({ Status: 'Paid' });
  const { body } = await app.call(getAccount, {}, account.owner);
  expect(body).toMatchObject({
    AccountStatusID: 0,
    SubscriptionCycleEndDate: expect.stringMatching(/^2028-06-20T12:00/),
  });
});

it('keeps what the owner canceled, and explains what it can’t do', async () => {
  await moveTo('2028-08-10T12:00:00Z');
  const account = await withCard();
  await subscribe(account, 100);
  const id = account.accountId;
  const set = (status_id: number, subscription_end_at: Date | null) =>
    app.database.system
      .updateTable('accounts')
      .set({ status_id, subscription_end_at })
      .where('account_id', '=', id)
      .execute();
  await set(8, new Date('2028-09-10T12:00:00Z'));
  await say(`status ${id} suspended`);
  await say(`status ${id} active`);
  expect(await statusOf(id)).toBe(8);
  for (const status of [2, 3, 4, 8]) {
    await set(status, null);
    await expect(say(`status ${id} active`)).rejects.toThrow('only its owner can reactivate it');
  }
  await expect(say(`status ${id} sleeping`)).rejects.toThrow(
    'Say active, suspended, closed, canceled, not "sleeping".',
  );
});
