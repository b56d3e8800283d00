import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { updateBroadcast } from '../broadcasts/feed/change-broadcast.ts';
import { feedSlice } from '../broadcasts/feed/feed-broadcast.ts';
import { createCall } from '../calls/create-call.ts';
import { settleCalls } from '../calls/settle-calls.ts';
import { asAccount, asSystem, type Database, openDatabase } from '../db.ts';
import { runOperator } from '../operator.ts';
import { recordEvents } from '../record-events.ts';
import { aBroadcast, checkBroadcast } from '../testing/broadcasts.ts';
import { actorOf, buildAccount } from '../testing/builders.ts';
import { oneOfEverything } from '../testing/one-of-everything.ts';
import type { TestApp } from '../testing/test-app.ts';
import { asOwner, cloneDatabase, clusterUrl, testDb } from '../testing/test-db.ts';
import { claimTexts } from '../texts/claim-texts.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const ahead = new Date(Date.now() + 24 * 3_600_000);

/** An organization for which something of each kind is due, and something is not. */
async function withMuchDue(database: Database) {
  const account = await buildAccount({ database } as TestApp, { numbers: { '14235550100': 'infobip' } });
  const { accountId } = account;
  const textNumberId = account.numbers['14235550100'] ?? 0;
  const sender = { accountId, userId: account.owner.userId, textNumberId };
  const due = await aBroadcast(database, sender, { status: 'scheduled', startAt: ago(6) });
  const later = await aBroadcast(database, sender, { status: 'scheduled', startAt: ahead, firstPhone: 50 });
  const ids = await oneOfEverything({ database }, accountId);
  const { system } = database;
  await sql`update scheduled_conversations set start_at = ${ago(6)}`.execute(system);
  await sql`update repeating_broadcasts set next_at = ${ago(6)}`.execute(system);
  await sql`update sequences set status = 'running'`.execute(system);
  await sql`insert into sequence_steps (account_id, sequence_id, position, body, start_at)
    select account_id, sequence_id, 1, 'Hello', ${ago(6)}::timestamptz from sequences`.execute(system);
  const { rows } = await sql<{ message_id: number }>`
    with made as (
      insert into messages (account_id, text_number_id, phone, body, status, is_inbound, segments, credits, send_nonce)
      values (${accountId}, ${textNumberId}, '14235550199', 'Hi', 'waiting', false, 1, 0, 7)
      returning account_id, message_id, text_number_id, phone)
    insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone)
    select account_id, message_id, text_number_id, 5, phone from made
    returning message_id`.execute(system);
  await asSystem(database, (trx) =>
    createCall(trx, {
      ...{ accountId, userId: sender.userId, provider: 2, phone: '14235550198', callerId: '14235550100' },
      task: { kind: 'verify', code: '1234' },
    }),
  );
  await queueDue(database, accountId, sender.userId);
  return { account, due, later, ids, messageId: rows[0]?.message_id };
}

/** A mail, a push, a report and a webhook that wait, and a mail that was sent. */
async function queueDue({ system }: Database, accountId: number, userId: number): Promise<void> {
  await sql`insert into mails (account_id, kind, to_address, subject, body_text, sent_at) values
    (${accountId}, 'invitation', 'a@example.org', 'Join us', 'Hello', null),
    (${accountId}, 'invitation', 'b@example.org', 'Join us', 'Hello', now())`.execute(system);
  await sql`
    with browser as (
      insert into push_tokens (account_id, user_id, provider, token, token_hash)
      values (${accountId}, ${userId}, 'WebPush', '{}', 'x') returning account_id, push_token_id)
    insert into push_queue (account_id, push_token_id, conversation_id, message_id)
    select account_id, push_token_id, 1, 1 from browser`.execute(system);
  await sql`update report_views set schedule = 'weekly', next_mail_at = ${ago(6)}`.execute(system);
}

async function emptyDatabase(): Promise<string> {
  const cluster = await clusterUrl();
  const name = `held_${Math.random().toString(36).slice(2)}`;
  await asOwner(cluster, (client) => client.query(`create database ${name}`));
  onTestFinished(async () => {
    await asOwner(cluster, (client) => client.query(`drop database ${name} with (force)`));
  });
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

it('sends nothing again that was due when a backup is restored, and says why', async () => {
  const database = await testDb();
  const { account, due, later, ids, messageId } = await withMuchDue(database);
  const { accountId, owner } = account;
  const folder = await mkdtemp(join(tmpdir(), 'muster-held-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeBackup(database.url, { to: join(folder, 'all'), dataDir: join(folder, 'data') });
  const url = await emptyDatabase();
  const { held } = await restoreBackup(url, { from: join(folder, 'all') });
  expect(held).toEqual({
    ...{ broadcasts: 1, campaigns: 1, occurrences: 1, scheduled: 1, calls: 1, texts: 1 },
    ...{ mails: 1, pushes: 1, reports: 1 },
  });

  const restored = openDatabase(url, { connections: 4 });
  onTestFinished(() => restored.close());
  expect(await feedSlice(restored, 5, 100)).toBeUndefined();
  expect(await checkBroadcast(restored, due)).toMatchObject({
    status: 'paused',
    heldReason: expect.stringMatching(
      /^Your data was restored to how it was on \d+\/\d+\/\d\d, \d+:\d\d [AP]M\. This may have gone out since: find out before you resume it\.$/,
    ),
    unfed: 10,
    reserved: 20,
  });
  expect(await checkBroadcast(restored, later)).toMatchObject({ status: 'scheduled', heldReason: '' });
  const { claimed } = await claimTexts(restored, 5, crypto.randomUUID(), 10);
  expect(claimed).toMatchObject([{ message_id: messageId, in_doubt: true }]);
  const { rows } = await sql<Record<string, unknown>>`
    select q.status, q.failure_reason like 'Your data was restored%' as has_reason, s.state as step,
      (select state || ': ' || problem from scheduled_conversations) as scheduled,
      (select next_at > now() from repeating_broadcasts) as repeats_later, (select code from repeating_failures) as code,
      (select result from calls where purpose = 'verify') as called
    from sequences q join sequence_steps s on s.account_id = q.account_id and s.sequence_id = q.sequence_id`.execute(
    restored.system,
  );
  expect(rows).toEqual([
    {
      ...{ status: 'paused', has_reason: true, step: 'waiting', repeats_later: true, code: 102 },
      scheduled: expect.stringMatching(/^failed: Your data was restored .* it was not sent again\.$/),
      called: 'canceled',
    },
  ]);
  expect(ids.SequenceID).toBeGreaterThan(0);
  await settleCalls(restored);
  // Whoever cancels it gets the credits back.
  const actor = await actorOf({ database: restored } as TestApp, accountId, owner.userId);
  await asAccount(restored, accountId, (trx) =>
    updateBroadcast(trx, actor, {
      params: { BroadcastID: due },
      query: undefined,
      body: { BroadcastStatus: 'Canceled' },
    } as never),
  );
  expect(await checkBroadcast(restored, due)).toMatchObject({ status: 'canceled', reserved: 10 });
});

it('sends no mail, push or report again; a webhook comes under its old id, and new ones under new ids', async () => {
  const database = await testDb();
  const { account } = await withMuchDue(database);
  const folder = await mkdtemp(join(tmpdir(), 'muster-held-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeBackup(database.url, { to: join(folder, 'all'), dataDir: join(folder, 'data') });
  const recordOne = async (on: Database) => {
    await asAccount(on, account.accountId, (trx) =>
      recordEvents(trx, { accountId: account.accountId, userId: account.owner.userId }, [
        { kind: 'contact.created', id: 1 },
      ]),
    );
    const { rows } = await sql<{ id: number }>`select max(event_id) as id from events`.execute(on.system);
    return rows[0]?.id ?? 0;
  };
  const idSinceTheBackup = await recordOne(database);

  const url = await emptyDatabase();
  await restoreBackup(url, { from: join(folder, 'all') });
  const restored = openDatabase(url, { connections: 4 });
  onTestFinished(() => restored.close());
  const { rows } = await sql<Record<string, unknown>>`
    select
      (select json_agg(json_build_array(to_address, problem) order by to_address) from mails) as mails,
      (select count(*) from push_queue) as pushes,
      (select json_agg(next_mail_at > now()) from report_views) as reports,
      (select json_agg(json_build_array(message_key, state, tries)) from webhook_deliveries) as webhooks`.execute(
    restored.system,
  );
  expect(rows).toEqual([
    {
      mails: [
        ['a@example.org', 'Data was restored: this may have gone out since.'],
        ['b@example.org', null],
      ],
      pushes: 0,
      reports: [true],
      webhooks: [['msg_1', 'waiting', 0]],
    },
  ]);
  expect(await recordOne(restored)).toBeGreaterThan(idSinceTheBackup + 1_000_000);
});

it('does the same for a database that went back to a moment by itself', async () => {
  const database = await testDb();
  const { due } = await withMuchDue(database);
  const lines = await runOperator(database, ['restored', ago(7).toISOString()]);
  expect(lines).toEqual([
    'Due since then: 1 broadcasts are paused, 1 drip campaigns are paused, 1 occurrences of repeating broadcasts are left out, 1 scheduled texts are not sent, 1 calls for single people are not made, 1 waiting texts are looked up at the carrier before anything is sent. Their pages say why.',
    'Not sent, because they may have gone out since: 1 waiting mails, 1 notifications of browsers, 1 reports by mail. Who misses an invitation or a link for a new password can ask for another one.',
    'Webhooks that were waiting are posted, maybe once more, under the ids that they had.',
    expect.stringMatching(/^Renewals, refills and invoices wait/),
    expect.stringMatching(/^Opt-outs since then are lost/),
  ]);
  expect(await checkBroadcast(database, due)).toMatchObject({ status: 'paused' });
  const { doubt_since } = await database.system
    .selectFrom('outbox')
    .select('doubt_since')
    .executeTakeFirstOrThrow();
  expect(doubt_since?.getTime()).toBeLessThan(ago(6.5).getTime());
  expect((await runOperator(database, ['charges']))[0]).toMatch(/^Renewals, refills and invoices wait/);
  await expect(runOperator(database, ['restored', 'yesterday'])).rejects.toThrow('Say a moment like');
});

it('compares rows across servers with other settings, and is repeated after a failure', async () => {
  const database = await testDb();
  await withMuchDue(database);
  const folder = await mkdtemp(join(tmpdir(), 'muster-held-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const strange = `alter database ${new URL(database.url).pathname.slice(1)} set `;
  for (const setting of [
    `timezone = 'America/New_York'`,
    `datestyle = 'German'`,
    `extra_float_digits = 0`,
    `bytea_output = 'escape'`,
    `intervalstyle = 'iso_8601'`,
  ])
    await asOwner(database.url, (client) => client.query(strange + setting));
  await writeBackup(database.url, { to: join(folder, 'all'), dataDir: join(folder, 'data') });
  // A restore that failed has left migrated tables without rows.
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const { contents } = await restoreBackup(url, { from: join(folder, 'all') });
  expect(contents.tables.find(({ name }) => name === 'public.accounts')?.rows).toBe(1);
});
