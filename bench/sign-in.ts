/**
 * Twenty sign-ins a second beside somebody who works in the inbox: passwords are hashed off the loop, so the inbox's
 * list must not take much longer. Both are measured in turns in one run.
 *
 *   node bench/sign-in.ts [turns]
 */
import { hashPassword } from '../server/auth/sign-in.ts';
import { addOwner, signIn } from './beside-broadcast.ts';
import { percentile, report, startBench } from './harness.ts';
import { addPeople } from './people.ts';
import { addTalks } from './talks.ts';

const turns = Number(process.argv[2] ?? 4);
const turnMs = 8_000;
const signInsPerSecond = 20;
const conversations = 10_000;
const users = 200;
const password = 'bench-horse-7';
/** Number of sign-ins so far: each has an address of its own. */
let serial = 0;

const bench = await startBench({ port: 4784, numbers: {} });
try {
  const accountId = await fill();
  // Behind a proxy every sign-in has an address of its own: they are limited by address.
  await bench.startServer({ TRUST_PROXY: '1' });
  const cookie = await signIn(bench, accountId);
  await look(cookie, 2_000);
  const alone: number[] = [];
  const beside: number[] = [];
  const signIns: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    alone.push(...(await look(cookie, turnMs)));
    const arriving = arrive(signIns);
    beside.push(...(await look(cookie, turnMs)));
    await arriving.stop();
  }
  const [without, during] = [percentile(alone, 0.95), percentile(beside, 0.95)];
  const rate = signIns.length / ((turns * turnMs) / 1000);
  console.log(`inbox list alone: p95 ${without.toFixed(1)} ms of ${alone.length}`);
  console.log(`inbox list beside sign-ins: p95 ${during.toFixed(1)} ms of ${beside.length}`);
  console.log(`a sign-in: p95 ${percentile(signIns, 0.95).toFixed(0)} ms`);
  const holds = [
    report('sign-ins', rate, { least: signInsPerSecond * 0.95 }, 'a second'),
    report('the inbox list beside them takes', during / without, { most: 4 / 3 }, 'times as long'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function fill(): Promise<number> {
  const { db } = bench;
  const id = async (statement: string, values: unknown[]) =>
    (await db.query<{ id: string }>(statement, values)).rows.map((row) => Number(row.id));
  const [accountId = 0] = await id(
    'insert into accounts (company_name) values ($1) returning account_id as id',
    ['B'],
  );
  const numberIds = await id(
    `insert into text_numbers (account_id, phone, registration_status, aggregator_id)
     select $1, '1423555100' || i, 'Registered', 5 from generate_series(1, 5) i returning text_number_id as id`,
    [accountId],
  );
  const tagIds = await id(
    `insert into tags (account_id, name) select $1, 'Tag ' || i from generate_series(1, 5) i
     returning tag_id as id`,
    [accountId],
  );
  const owner = await addOwner(bench, accountId);
  await id(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
     select $1, 'sign-in-' || i, $2, 'Person', i::text, '', 'user' from generate_series(1, ${users}) i
     returning user_id as id`,
    [accountId, await hashPassword(password)],
  );
  await addPeople(db, accountId, conversations);
  await addTalks(db, { accountId, numberIds, userIds: [owner], tagIds }, conversations, conversations * 5);
  await db.query('vacuum analyze');
  return accountId;
}

/** Looks at the list again and again for so long; milliseconds of each. */
async function look(cookie: string, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const start = performance.now();
    const answer = await fetch(`${bench.serverUrl}/proxy/api/conversations?pagesize=15`, {
      headers: { cookie },
    });
    if (!answer.ok) throw new Error(`the inbox answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

/** Sign-ins at a steady pace, whether or not those before them have ended. */
function arrive(times: number[]): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const one = async () => {
    serial += 1;
    const start = performance.now();
    const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.${serial % 250}.${(serial >> 8) % 250}`,
      },
      body: JSON.stringify({ UserName: `sign-in-${1 + (serial % users)}`, Password: password }),
    });
    if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
  };
  const timer = setInterval(() => {
    const each = one().finally(() => running.delete(each));
    running.add(each);
  }, 1000 / signInsPerSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
