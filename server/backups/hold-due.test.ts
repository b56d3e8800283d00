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
  return { account, due, later, ids, messageId: rows[0]?.message_id };
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
  expect(held).toEqual({ broadcasts: 1, campaigns: 1, occurrences: 1, scheduled: 1, calls: 1, texts: 1 });

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

it('does the same for a database that went back to a moment by itself', async () => {
  const database = await testDb();
  const { due } = await withMuchDue(database);
  const lines = await runOperator(database, ['restored', ago(7).toISOString()]);
  expect(lines).toEqual([
    'Due since then: 1 broadcasts are paused, 1 drip campaigns are paused, 1 occurrences of repeating broadcasts are left out, 1 scheduled texts are not sent, 1 calls for single people are not made, 1 waiting texts are looked up at the carrier before anything is sent. Their pages say why.',
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
