import { once } from 'node:events';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createMailer } from '../outside/mail.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { spawnWorker } from '../testing/spawn-worker.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { freePort } from '../testing/test-sandbox.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { sendMails } from './send-mails.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

async function write(to: string, more: { subject?: string; created_at?: Date } = {}): Promise<number> {
  const row = await app.database.system
    .insertInto('mails')
    .values({
      account_id: account.accountId,
      kind: 'unread',
      to_address: to,
      subject: 'Unread texts',
      body_text: 'Two conversations – unread',
      body_html: '<p>Two conversations</p>',
      ...more,
    })
    .returning('mail_id')
    .executeTakeFirstOrThrow();
  return row.mail_id;
}

async function row(mailId: number) {
  const { message_key, sent_at, problem, attempts, lease_until, send_at } = await app.database.system
    .selectFrom('mails')
    .selectAll()
    .where('mail_id', '=', mailId)
    .executeTakeFirstOrThrow();
  return { message_key, isSent: sent_at !== null, problem, attempts, lease_until, send_at };
}

async function change(mailId: number, set: ReturnType<typeof sql>): Promise<void> {
  await sql`update mails set ${set} where mail_id = ${mailId}`.execute(app.database.system);
}

/** As if its wait were over. */
const makeDue = (mailId: number) => change(mailId, sql`send_at = now()`);

function mailerTo(SMTP_URL: string) {
  const env = { DATABASE_URL: app.database.url, SMTP_URL, MAIL_FROM: 'Muster <muster@example.org>' };
  const mailer = createMailer(readConfig(env));
  if (mailer === undefined) throw new Error('no mailer');
  return mailer;
}

const log = createLog({ LOG_LEVEL: 'silent', ROLE: 'worker' });

it('delivers a mail to the mailbox, from the configured sender, and never again', async () => {
  const id = await write('dana@example.org');
  await app.drain();
  await app.drain();
  const { message_key, isSent, lease_until } = await row(id);
  expect(await app.sandbox.mails('dana@example.org')).toEqual([
    expect.objectContaining({
      MessageID: `<${message_key}@example.org>`,
      From: 'muster@example.org',
      To: ['dana@example.org'],
      Subject: 'Unread texts',
      Text: expect.stringContaining('Two conversations – unread'),
      Html: expect.stringContaining('<p>Two conversations</p>'),
    }),
  ]);
  expect({ isSent, lease_until }).toEqual({ isSent: true, lease_until: null });
});

it('an address that looks like two, or like headers, is invalid', async () => {
  const ids = [
    await write('a@example.org, b@example.org'),
    await write('a@example.org\r\nBcc: b@example.org'),
  ];
  await app.drain();
  for (const id of ids) expect(await row(id)).toMatchObject({ isSent: false, problem: expect.any(String) });
  expect(await app.sandbox.mails('b@example.org')).toEqual([]);
});

it.each([
  ['nobody@example.org', '550 5.1.1 No such mailbox here'],
  ['spam@example.org', '554 5.7.1 This looks like spam'],
])('%s: refused permanently, with the server’s words', async (to, problem) => {
  const id = await write(to);
  await app.drain();
  await makeDue(id);
  await app.drain();
  expect(await row(id)).toMatchObject({ isSent: false, problem, attempts: 1 });
});

it('"not now" is tried again later, beside mails that are accepted', async () => {
  const [later, other] = [await write('later@example.org'), await write('walter@example.org')];
  await app.drain();
  expect(await row(other)).toMatchObject({ isSent: true });
  const resting = await row(later);
  expect(resting).toMatchObject({ isSent: false, problem: null, attempts: 1, lease_until: null });
  await makeDue(later);
  await app.drain();
  expect(await row(later)).toMatchObject({ isSent: true, attempts: 2 });
  expect(await app.sandbox.mails('later@example.org')).toHaveLength(1);
});

it('waits while the mail server is down; one try is enough for all waiting ones', async () => {
  const mailer = mailerTo(`smtp://127.0.0.1:${await freePort()}`);
  const ids = await Promise.all(Array.from({ length: 10 }, () => write('down@example.org')));
  const result = await sendMails({ database: app.database, mailer, log }, 40);
  expect(result).toEqual({ claimed: 10, isServerDown: true });
  for (const id of ids) {
    expect(await row(id)).toMatchObject({ isSent: false, problem: null, attempts: 1, lease_until: null });
  }
  for (const id of ids) await makeDue(id);
  await app.drain();
  expect(await app.sandbox.mails('down@example.org')).toHaveLength(10);
});

it('the mailbox goes away and comes back: nothing is lost, nothing arrives twice', async () => {
  await app.sandbox.kill();
  const id = await write('back@example.org');
  await app.drain();
  expect(await row(id)).toMatchObject({ isSent: false, problem: null });
  await app.sandbox.start();
  await app.until(async () => {
    await makeDue(id);
    return (await row(id)).isSent;
  });
  await app.drain();
  expect(await app.sandbox.mails('back@example.org')).toHaveLength(1);
});

it('is given up after a day', async () => {
  const id = await write('old@example.org', { created_at: new Date(Date.now() - 25 * 3_600_000) });
  await app.drain();
  expect(await row(id)).toMatchObject({ isSent: false, problem: 'It could not be sent for a day.' });
  const unset = await write('older@example.org', { created_at: new Date(Date.now() - 25 * 3_600_000) });
  await sendMails({ database: app.database, mailer: undefined, log }, 40);
  expect(await row(unset)).toMatchObject({ problem: 'No mail server is set up.' });
});

it('three workers at once deliver two hundred mails once each', async () => {
  await sql`
    insert into mails (account_id, kind, to_address, subject, body_text)
    select ${account.accountId}, 'unread', 'many@example.org', 'Mail ' || i, 'Words' from generate_series(1, 200) i`.execute(
    app.database.system,
  );
  const mailer = mailerTo(app.sandbox.smtpUrl);
  const work = async () => {
    while ((await sendMails({ database: app.database, mailer, log }, 15)).claimed > 0);
  };
  await Promise.all([work(), work(), work()]);
  const subjects = (await app.sandbox.mails('many@example.org')).map(({ Subject }) => Subject);
  expect([subjects.length, new Set(subjects).size]).toEqual([200, 200]);
});

it('a worker killed between claim and send: leased until it expires, then delivered once', async () => {
  // The mail server accepts the address and never responds.
  const id = await write('silent@example.org');
  const worker = spawnWorker(app, { SMTP_URL: app.sandbox.smtpUrl, MAIL_FROM: 'muster@example.org' });
  await waitUntil(async () => (await row(id)).lease_until !== null);
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
  await change(id, sql`to_address = 'heard@example.org'`);
  await app.drain();
  expect(await row(id)).toMatchObject({ isSent: false, attempts: 1 });
  await change(id, sql`lease_until = now() - interval '1 second'`);
  await app.drain();
  expect(await row(id)).toMatchObject({ isSent: true, attempts: 2 });
  expect(await app.sandbox.mails('heard@example.org')).toHaveLength(1);
});

it('a worker killed after the mail server had it: the second one has the same Message-ID', async () => {
  const id = await write('twice@example.org');
  await app.drain();
  await change(
    id,
    sql`sent_at = null, lease_id = gen_random_uuid(), lease_until = now() - interval '1 second'`,
  );
  await app.drain();
  const ids = (await app.sandbox.mails('twice@example.org')).map(({ MessageID }) => MessageID);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});
