/**
 * The audit log over HTTP against the real server, in an account with five million entries over two years, and the same
 * in one with a thousand: the first page, a page from the middle, and every filter, those that fit much and those that
 * fit next to nothing. In a third one everything happened in half a day, which the page counts.
 *
 *   node bench/audit-log.ts [entries]
 *   BENCH_DATA=/var/tmp/audit node bench/audit-log.ts   fills that folder, or measures what it holds
 */
import type pg from 'pg';
import { hashPassword } from '../server/auth/sign-in.ts';
import { percentile, report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 5_000_000);
const few = 1_000;
const ofOneDay = 50_000;
const months = 24;
const users = 300;
const requests = 40;
const password = 'bench-horse-7';

interface Account {
  accountId: number;
  /** Did a third of everything; nearly nothing; nothing at all. */
  busy: number;
  quiet: number;
  idle: number;
  cookie: string;
}

const bench = await startBench({ port: 4781, numbers: {} });
try {
  const filledAt = performance.now();
  const many = await account('many', count);
  const small = await account('few', few);
  const crowded = await account('one day', ofOneDay, '12 hours');
  console.log(`${count} entries, filled in ${Math.round((performance.now() - filledAt) / 1000)} s`);
  await bench.startServer();
  const holds: boolean[] = [];
  for (const each of [many, small, crowded]) each.cookie = await signIn(each);
  const middle = { many: await middleOf(many), few: await middleOf(small) };
  const asked: Record<string, (of: Account) => string> = {
    'first page': () => '',
    'a page from the middle': (of) => `next=${of === many ? middle.many : middle.few}`,
    'by somebody who did much': ({ busy }) => `who=${busy}`,
    'by somebody who did little': ({ quiet }) => `who=${quiet}`,
    'by somebody who did nothing': ({ idle }) => `who=${idle}`,
    'by Muster': () => 'who=system',
    'of an area with much': () => 'what=contacts',
    'of an area with next to nothing': () => 'what=security',
    'an area that this person never touched': ({ busy }) => `who=${busy}&what=security`,
    'of one object': () => 'what=contacts&object=77',
    'of one week': () => 'date-from=2026-03-04&date-to=2026-03-10',
    'of a week before there was anything': () => 'date-from=2015-01-01&date-to=2015-01-07',
    'words of what happened': () => 'q=changed+the+security',
    'a name': () => 'q=person+7',
    'words that are nowhere': () => 'q=nothing+like+it',
  };
  for (const [name, query] of Object.entries(asked)) {
    const [large, little] = [await measure(many, query(many)), await measure(small, query(small))];
    console.log(`       ${few} entries: p95 ${little.toFixed(1)} ms`);
    holds.push(report(`${name}, p95`, large, { most: 100 }, 'ms'));
  }
  for (const [name, query] of [
    ['first page', ''],
    ['by somebody', `who=${crowded.busy}`],
    ['of an area', 'what=contacts'],
  ] as const) {
    const p95 = await measure(crowded, query);
    holds.push(report(`${ofOneDay} entries in half a day, ${name}, p95`, p95, { most: 100 }, 'ms'));
  }
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function account(name: string, size: number, span = `${months} months`): Promise<Account> {
  const { db } = bench;
  const found = await db.query<{ accountId: string }>(
    'select account_id as "accountId" from accounts where company_name = $1',
    [name],
  );
  const kept = Number(found.rows[0]?.accountId ?? 0);
  const accountId = kept || (await create(db, name));
  const { rows } = await db.query<{ id: string }>(
    'select user_id as id from users where account_id = $1 order by user_id',
    [accountId],
  );
  const ids = rows.map(({ id }) => Number(id));
  if (kept === 0) await fill(db, { accountId, ids, size, span });
  return { accountId, busy: ids[1] ?? 0, quiet: ids[2] ?? 0, idle: ids[3] ?? 0, cookie: '' };
}

async function create(db: pg.Pool, name: string): Promise<number> {
  const made = await db.query<{ id: string }>(
    'insert into accounts (company_name) values ($1) returning account_id as id',
    [name],
  );
  const accountId = Number(made.rows[0]?.id);
  await db.query(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
     select $1, $2 || '-user-' || i, $3, 'Person', i::text, '', case when i = 1 then 'owner' else 'user' end
     from generate_series(1, $4::integer) i`,
    [accountId, name, await hashPassword(password), users],
  );
  return accountId;
}

/**
 * The indexes are built at the end, which is faster; only the finished state is measured. Both run on two
 * connections, and in the order of time: five million take a minute or two.
 */
interface Filling {
  accountId: number;
  ids: number[];
  size: number;
  /** Time that the entries reach back. */
  span: string;
}

async function fill(db: pg.Pool, filling: Filling): Promise<void> {
  const { size } = filling;
  if (size <= ofOneDay) return insert(db, { ...filling, from: 1, to: size });
  const indexes = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'events' and indexname like 'events_by_%'`,
  );
  for (let back = months; back > 0; back -= 1) {
    await db.query(`do $$ declare month date := date_trunc('month', now() at time zone 'UTC') - interval '${back} months';
      begin
        execute format('create table if not exists events_%s partition of events for values from (%L) to (%L)',
          to_char(month, 'YYYY_MM'), month, month + interval '1 month');
      end $$`);
  }
  for (const { name } of indexes.rows) await db.query(`drop index ${name}`);
  const half = Math.floor(size / 2);
  await Promise.all([
    insert(db, { ...filling, from: 1, to: half }),
    insert(db, { ...filling, from: half + 1, to: size }),
  ]);
  const rest = indexes.rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
  await Promise.all([makeIndexes(db, rest), makeIndexes(db, rest)]);
  await db.query('vacuum analyze events');
}

/** Takes one after the other of those that are left. */
async function makeIndexes(db: pg.Pool, rest: string[]): Promise<void> {
  const client = await db.connect();
  await client.query("set maintenance_work_mem = '256MB'");
  for (let definition = rest.shift(); definition !== undefined; definition = rest.shift()) {
    await client.query(definition);
  }
  client.release(true);
}

async function insert(
  db: pg.Pool,
  { accountId, ids, size, span, from, to }: Filling & { from: number; to: number },
): Promise<void> {
  const [first, busy, quiet] = ids;
  const client = await db.connect();
  await client.query('set synchronous_commit = off');
  await client.query(
    `insert into events (account_id, created_at, kind, actor_kind, user_id, address, agent, subject_id, subject_count, changes)
     select $1, now() - (1 - i::float8 / $2) * interval '${span}',
       case when i % 500000 = 7 then 'security.updated' when i % 10 < 5 then 'contact.updated'
         when i % 10 < 7 then 'conversation.updated' when i % 10 = 7 then 'broadcast.completed'
         when i % 10 = 8 then 'tag.updated' else 'draft.changed' end,
       case when i % 10 = 7 then 'system' else 'user' end,
       case when i % 10 = 7 then null when i % 3 = 0 then $3::bigint when i % 500000 = 5 then $4::bigint
         else $5::bigint + 4 + i % ${users - 10} end,
       '203.0.113.24', 'Chrome on Windows', i % 100000, 1,
       case when i % 4 = 0 then '{"FirstName": ["Ann", "Anna"], "Role": ["user", "admin"]}'::jsonb end
     from generate_series($6::integer, $7::integer) i`,
    [accountId, size, busy, quiet, first, from, to],
  );
  client.release(true);
}

async function signIn({ accountId }: Account): Promise<string> {
  const { rows } = await bench.db.query<{ name: string }>(
    "select user_name as name from users where account_id = $1 and role = 'owner'",
    [accountId],
  );
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: rows[0]?.name, Password: password }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The cursor of a page that begins in the middle of the log. */
async function middleOf({ accountId }: Account): Promise<string> {
  const { rows } = await bench.db.query<{ at: string; id: string }>(
    `select to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, event_id as id from events
     where account_id = $1 and created_at < now() - interval '${months / 2} months'
     order by created_at desc limit 1`,
    [accountId],
  );
  return Buffer.from(`${rows[0]?.at}|${rows[0]?.id}`).toString('base64url');
}

async function measure({ cookie }: Account, query: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < requests + 5; turn += 1) {
    const start = performance.now();
    const answer = await fetch(`${bench.serverUrl}/proxy/api/account/auditlog?${query}`, {
      headers: { cookie },
    });
    if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    if (turn >= 5) times.push(performance.now() - start);
  }
  return percentile(times, 0.95);
}
