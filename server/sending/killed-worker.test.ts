/**
 * The guarantee of the send loop under the worst conditions: a worker that is killed with kill -9 again and
 * again while it hands texts over. Every text is at its telephone exactly once. `node bench/killed-worker.ts`
 * does the same with a hundred thousand.
 */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../db.ts';
import { buildAccount } from '../testing/builders.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';

const texts = 2_000;
const kills = 5;

it(`${texts} texts through ${kills} kill -9 of the worker arrive exactly once each`, async () => {
  const number = '14235550100';
  const app = await testApp({ [number]: 'infobip' });
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: texts });
  await sql`
    with made as (
      insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, credits)
      select ${account.accountId}, ${account.numbers[number]}, '1' || (2010000000 + i)::text, false, 'waiting', 'broadcast', 'Text ' || i, 1
      from generate_series(1, ${texts}::int) as i
      returning account_id, message_id, text_number_id, phone
    ),
    reserved as (
      update accounts set credit_reserved = ${texts} where account_id = ${account.accountId}
    )
    insert into outbox (account_id, message_id, text_number_id, aggregator_id, phone, priority)
    select account_id, message_id, text_number_id, 5, phone, 5 from made`.execute(app.database.system);

  const left = async () => {
    const { rows } = await sql<{ left: number }>`select count(*) as left from outbox`.execute(
      app.database.system,
    );
    return rows[0]?.left ?? 0;
  };
  const startWorker = () => spawnWorker(app, { SEND_SLICE: '100', SEND_LANES: '2' });

  for (let killed = 0; killed < kills; killed += 1) {
    const before = await left();
    const worker = startWorker();
    // Killed in the middle of the work: as soon as it has handed something over.
    await waitUntil(async () => (await accepted(app)) > texts - before);
    await endProcess(worker, 'SIGKILL');
  }
  const worker = startWorker();
  await waitUntil(async () => (await left()) === 0);
  await waitUntil(async () => (await delivered(app.database)) === texts);
  await endProcess(worker, 'SIGTERM');

  const stats = await app.sandbox.stats();
  expect({ accepted: stats.Accepted, doubled: stats.DuplicatesByNumberAndText }).toEqual({
    accepted: texts,
    doubled: 0,
  });
  const money = await app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  expect(money).toEqual({ credit_balance: 0, credit_reserved: 0 });
});

async function accepted(app: { sandbox: { stats(): Promise<Record<string, number>> } }): Promise<number> {
  return (await app.sandbox.stats()).Accepted ?? 0;
}

async function delivered(database: Database): Promise<number> {
  const { rows } = await sql<{
    many: number;
  }>`select count(*) as many from messages where status = 'delivered'`.execute(database.system);
  return rows[0]?.many ?? 0;
}
