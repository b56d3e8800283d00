/**
 * Scheduled texts that became due while the server was down; a worker that is repeatedly killed with kill -9
 * while it sends them, and two workers for the rest: everybody gets theirs exactly once.
 */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { buildAccount } from '../testing/builders.ts';
import { endProcess, spawnWorker } from '../testing/spawn-worker.ts';
import { testApp } from '../testing/test-app.ts';
import { waitUntil } from '../testing/wait-until.ts';

const conversations = 120;
const recipients = 3;
const texts = conversations * recipients;
const kills = 2;

it(`${conversations} texts for later through ${kills} kill -9 of the worker`, async () => {
  const number = '14235550100';
  const app = await testApp({ [number]: 'infobip' });
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: texts });
  await sql`
    with made as (
      insert into scheduled_conversations (account_id, user_id, text_number_id, body, start_at)
      select ${account.accountId}, ${account.owner.userId}, ${account.numbers[number]}, 'Text ' || i,
        now() - interval '1 hour'
      from generate_series(1, ${conversations}::int) as i
      returning account_id, scheduled_id
    )
    insert into scheduled_recipients (account_id, scheduled_id, position, phone)
    select account_id, scheduled_id, position, '1' || (2010000000 + scheduled_id * 100 + position)::text
    from made, generate_series(1, ${recipients}::int) as position`.execute(app.database.system);
  const count = async (state: string) => {
    const { rows } = await sql<{ many: number }>`
      select count(*) as many from scheduled_conversations where state = ${state}`.execute(
      app.database.system,
    );
    return rows[0]?.many ?? 0;
  };

  for (let killed = 0; killed < kills; killed += 1) {
    const before = await count('sent');
    const worker = spawnWorker(app);
    // Killed in the middle of the work: when it has sent some and is at the next.
    await waitUntil(async () => (await count('sent')) >= before + 10);
    await endProcess(worker, 'SIGKILL');
  }
  const workers = [spawnWorker(app), spawnWorker(app)];
  await waitUntil(async () => (await count('sent')) === conversations);
  await waitUntil(async () => {
    const { rows } = await sql`select from outbox limit 1`.execute(app.database.system);
    return rows.length === 0;
  });
  await Promise.all(workers.map((worker) => endProcess(worker, 'SIGTERM')));

  // Each recipient has one text, and refers to it.
  const { rows } = await sql<{ texts: number; phones: number; told: number }>`
    select count(*) as texts, count(distinct m.phone) as phones,
      (select count(*) from scheduled_recipients r join messages t
        on t.account_id = r.account_id and t.message_id = r.message_id and t.phone = r.phone) as told
    from messages m`.execute(app.database.system);
  expect(rows).toEqual([{ texts, phones: texts, told: texts }]);
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
