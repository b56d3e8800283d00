/**
 * Every report over a year of ten million texts, beside one of ten thousand in the same run; that the daily figures are
 * what the texts say; and how fast the file of a large ledger is written, and that of every other report, in how much
 * memory.
 *
 *   node bench/reports.ts [rounds] [rows of the file] [texts]
 *
 * The texts are made in SQL, and their daily figures are added up from them. With 1,000,000 texts about a minute on a quiet
 * machine of two cores, with 10,000,000 about five.
 */
import { mendConsentCounts } from '../server/consents/count-moved.ts';
import { asSystem, openDatabase } from '../server/db.ts';
import { recountFigures } from '../server/reports/recount-figures.ts';
import { percentile, report, startBench } from './harness.ts';
import { buildOwner, signInOwner } from './owners.ts';

const rounds = Number(process.argv[2] ?? 30);
const fileRows = Number(process.argv[3] ?? 300_000);
const texts = Number(process.argv[4] ?? 10_000_000);
const fewTexts = 10_000;
/** The time zone that `buildOwner` sets. */
const zone = 'America/New_York';
/** Number of phones that the texts go to: each gets a hundred. */
const phonesOf = (texts: number) => Math.ceil(texts / 100);
const firstPhone = 2_010_000_000;

const bench = await startBench({ port: 4285, numbers: {} });
try {
  const filling = performance.now();
  await bench.db.query('alter table messages disable trigger user');
  await bench.db.query('drop index messages_thread');
  const small = await build('bench-small', { texts: fewTexts, users: 5, entries: 1000 });
  const large = await build('bench-large', { texts, users: 100, entries: fileRows });
  await bench.db.query('alter table messages enable trigger user');
  await bench.db.query(`set maintenance_work_mem = '512MB';
    create index messages_thread on messages (account_id, text_number_id, phone, created_at desc, message_id desc)`);
  await bench.db.query('vacuum analyze');
  await bench.db.query('checkpoint');
  console.log(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
  const holds = [await recount(small.accountId, large.accountId)];
  for (const { accountId } of [small, large]) await addYearBefore(accountId);
  await bench.db.query('vacuum analyze daily_texts, daily_usage, usage_sums, daily_results, consent_counts');
  const server = await bench.startServer();
  const cookies = {
    small: await signInOwner(bench, small.userName),
    large: await signInOwner(bench, large.userName),
  };
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
  const days = `date-from=${from}&date-to=${to}`;
  const reports = {
    'usage summary': `/account/usage-summary?${days}`,
    'text activity': `/reports/text-activity?${days}`,
    delivery: `/reports/delivery?${days}`,
    'credit balance, by day': `/reports/credit-balance?${days}`,
    'credit balance, entries': `/creditbalance?${days}&pagesize=50`,
    'billing history, by month': `/reports/billing-history?${days}`,
    'billing history, payments': `/billinghistory?${days}&pagesize=50`,
    'invoices, by month': `/reports/invoices?${days}`,
    invoices: `/invoices?${days}&pagesize=50`,
    'opt-outs': '/optouts?pagesize=50',
    'opt-outs, by month': `/reports/opt-outs?${days}`,
    'promotional opt-in': `/reports/promotional-opt-in?${days}`,
    'promotional opt-in, by month': `/reports/opt-ins?${days}`,
    'phone number history': `/phonenumbers/${firstPhone + 50}/history`,
  };
  for (const [name, path] of Object.entries(reports)) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds + 5; round += 1) {
      for (const size of ['small', 'large'] as const) {
        const ms = await time(path, cookies[size]);
        if (round >= 5) times[size].push(ms);
      }
    }
    const p95 = { small: percentile(times.small, 0.95), large: percentile(times.large, 0.95) };
    const p50 = { small: percentile(times.small, 0.5), large: percentile(times.large, 0.5) };
    console.log(`       p50 ${p50.large.toFixed(1)} ms, of 10,000 ${p50.small.toFixed(1)} ms`);
    holds.push(
      report(
        `${name}, a year of ${texts.toLocaleString('en-US')} texts, p95`,
        p95.large,
        { most: 150 },
        'ms',
      ),
      report(`  times that of 10,000 (${p95.small.toFixed(1)} ms)`, p95.large / p95.small, { most: 3 }, ''),
    );
  }
  // A quarter of it first: the rest of the file must not take more memory.
  const quarter = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);
  await readFile(`/creditbalance.csv?date-from=${quarter}&date-to=${to}`, cookies.large);
  const before = server.peakMb();
  const { lines, seconds } = await readFile(`/creditbalance.csv?${days}`, cookies.large);
  console.log(`${lines} rows in ${seconds.toFixed(1)} s`);
  holds.push(
    report('rows of a CSV file a second', lines / seconds, { least: 50_000 }, ''),
    report('memory that four times the rows took beside', server.peakMb() - before, { most: 40 }, 'MB'),
  );
  holds.push(...(await readFiles(days, cookies.large, server)));
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** Every other file, whole. */
async function readFiles(days: string, cookie: string, server: { peakMb(): number }): Promise<boolean[]> {
  const before = server.peakMb();
  const holds: boolean[] = [];
  for (const path of [
    ...[`/account/usage-summary.csv?${days}`, `/reports/text-activity.csv?${days}`],
    ...[`/reports/delivery.csv?${days}`, `/billinghistory.csv?${days}`, `/invoices.csv?${days}`],
    ...['/optouts.csv', `/reports/promotional-opt-in.csv?${days}`],
    `/phonenumbers/${firstPhone + 50}/history.csv`,
  ]) {
    const { lines, seconds } = await readFile(path, cookie);
    console.log(`       ${path}: ${lines} rows in ${seconds.toFixed(1)} s`);
    holds.push(report(`  rows of ${path.replace(/\?.*/, '')}`, lines, { least: 1 }, ''));
  }
  return [
    ...holds,
    report('memory that all other files took beside', server.peakMb() - before, { most: 60 }, 'MB'),
  ];
}

interface Size {
  texts: number;
  users: number;
  entries: number;
}

interface Built {
  userName: string;
  accountId: number;
}

async function build(userName: string, { texts, users, entries }: Size): Promise<Built> {
  const account_id = await buildOwner(bench, userName);
  const run = (text: string, values: unknown[] = []) => bench.db.query(text, [account_id, ...values]);
  await run(`update accounts set features = '{PromotionalTextMessaging}' where account_id = $1`);
  await run(`insert into text_numbers (account_id, phone, aggregator_id, registration_status, name)
    select $1::bigint, '1' || (4230000000 + $1::bigint * 10 + i), 5, 'Registered', 'Number ' || i from generate_series(1, 3) i`);
  await run(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
    select $1::bigint, 'bench-' || $1::bigint || '-' || i, 'none', 'User', 'Number ' || i, 'user@example.org', 'user' from generate_series(1, $2::int - 1) i`,
    [users],
  );
  await buildTexts(account_id, texts);
  await addUpTexts(account_id);
  await run(
    `insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note, created_at)
    select $1::bigint, case when i % 1000 = 0 then 'purchase' else 'settle' end, case when i % 1000 = 0 then 999 else -1 end, 0,
      1000, 0, 'Texts handed to the carrier', now() - ($2::int - i) * interval '360 days' / $2::int
    from generate_series(1, $2::int) i`,
    [entries],
  );
  await run(
    `insert into charges (account_id, charge_type, state, lane, description, purchase, amount_cents, total_cents, is_attended, card_label, created_at)
    select $1::bigint, 'CreditPurchase', 'paid', 'bench', '500 credits', '{}', 2500, 2500, true, 'Visa ending in 4242',
      now() - i * interval '360 days' / $2::int
    from generate_series(1, $2::int) i`,
    [Math.round(entries / 100)],
  );
  await run(
    `insert into invoices (account_id, description, is_payg, amount_cents, total_cents, paid_cents, terms, created_at)
    select $1::bigint, '500 credits', true, 2500, 2500, case when i % 2 = 0 then 2500 else 0 end, 'Net 30',
      now() - ($2::int - i) * interval '360 days' / $2::int
    from generate_series(1, $2::int) i`,
    [Math.round(entries / 100)],
  );
  await run(
    `insert into phone_consents (account_id, phone, text_state, text_changed_at)
    select $1::bigint, '1' || (2010000000 + i), case when i % 2 = 0 then 'in' else 'out' end, now() - i * interval '1 minute'
    from generate_series(1, $2::int) i`,
    [entries],
  );
  return { userName, accountId: account_id };
}

/**
 * As many broadcasts in both, at all hours of the working day, each from one number by one person; a tenth of the texts are
 * answers.
 */
async function buildTexts(accountId: number, texts: number): Promise<void> {
  const each = Math.ceil(texts / 10_000);
  await bench.db.query(
    `insert into broadcasts (account_id, user_id, name, status, text_number_id, body, is_archived, start_at)
    select $1, (array(select user_id from users where account_id = $1 order by 1))[b % (select count(*) from users where account_id = $1) + 1],
      'Broadcast ' || b, 'completed', (array(select text_number_id from text_numbers where account_id = $1 order by 1))[b % 3 + 1],
      'See you at nine.', false,
      ((current_date - 364 + (b::bigint * 364 / $2::int)::int)::timestamp + (8 + b % 12) * interval '1 hour') at time zone $3
    from generate_series(0, $2::int - 1) b order by b`,
    [accountId, Math.ceil(texts / each), zone],
  );
  // Two halves at once: the machine that this is measured on has two cores.
  const half = Math.ceil(texts / 2);
  const insert = (from: number, to: number) =>
    bench.db.query(
      `insert into messages (account_id, text_number_id, phone, is_inbound, status, status_at, handed_at, created_at, origin, body,
        segments, credits, broadcast_id, user_id)
      select $1, b.text_number_id, '1' || (${firstPhone} + i % $4::int), t.is_answer,
        case when t.is_answer then 'received' when i % 100 = 1 then 'spam_rejected' when i % 100 = 2 then 'number_unavailable'
          when i % 100 = 3 then 'unknown' else 'delivered' end,
        b.start_at, case when not t.is_answer then b.start_at end, b.start_at,
        case when t.is_answer then 'inbound' else 'broadcast' end, case when t.is_answer then 'Thank you!' else b.body end,
        1, case when t.is_answer then 0 else 1 end, b.broadcast_id, case when not t.is_answer then b.user_id end
      from generate_series($2::int, $3::int - 1) i
      cross join lateral (select i % 10 = 9 as is_answer) t
      join (select row_number() over (order by broadcast_id) - 1 as place, * from broadcasts where account_id = $1) b
        on b.place = i / $5::int`,
      [accountId, from, to, phonesOf(texts), each],
    );
  await Promise.all([insert(0, half), insert(half, texts)]);
}

/** The daily figures of the texts, as they would have been kept while those went out. */
async function addUpTexts(accountId: number): Promise<void> {
  const db = await bench.db.connect();
  try {
    await db.query(
      `create temporary table sums as
      select (created_at at time zone '${zone}')::date as day, extract(hour from created_at at time zone '${zone}')::int::text as hour,
        text_number_id, coalesce(user_id, 0) as user_id, is_inbound, status, 'Carrier ' || right(phone, 2)::int % 5 as carrier,
        count(*)::int as texts, sum(credits)::int as credits
      from messages where account_id = ${accountId} group by 1, 2, 3, 4, 5, 6, 7`,
    );
    await db.query(
      `insert into daily_texts (account_id, day, text_number_id, sent, delivered, failed, received, credits)
      select ${accountId}, day, text_number_id, coalesce(sum(texts) filter (where not is_inbound), 0),
        coalesce(sum(texts) filter (where status = 'delivered'), 0),
        coalesce(sum(texts) filter (where not is_inbound and status <> 'delivered'), 0),
        coalesce(sum(texts) filter (where is_inbound), 0), sum(credits)
      from sums group by day, text_number_id`,
    );
    await db.query(
      `insert into daily_usage (account_id, day, user_id, kind, messages, credits)
      select ${accountId}, day, user_id, 'broadcast', sum(texts), sum(credits) from sums where not is_inbound group by day, user_id`,
    );
    await addUsageSums(accountId, db);
    for (const [dimension, value] of [
      ['hour', 'hour'],
      ['carrier', 'carrier'],
    ])
      await db.query(
        `insert into daily_results (account_id, day, text_number_id, dimension, value, status, texts)
        select ${accountId}, day, text_number_id, '${dimension}', ${value}, status, sum(texts)
        from sums where not is_inbound group by day, text_number_id, ${value}, status`,
      );
    await db.query('drop table sums');
  } finally {
    db.release();
  }
}

/** The year before, as many days again: reports compare with it. And calls, which have no texts. */
async function addYearBefore(accountId: number): Promise<void> {
  await bench.db.query(
    `insert into daily_usage (account_id, day, user_id, kind, messages, credits)
    select account_id, day, user_id, k, messages, credits from daily_usage, unnest(array['conversation', 'call']) k
    where account_id = $1`,
    [accountId],
  );
  for (const [table, columns] of [
    ['daily_texts', 'text_number_id, sent, delivered, failed, received, credits'],
    ['daily_usage', 'user_id, kind, messages, credits'],
    ['daily_results', 'text_number_id, dimension, value, status, texts'],
  ])
    await bench.db.query(
      `insert into ${table} (account_id, day, ${columns})
      select account_id, day - 365, ${columns} from ${table} where account_id = $1`,
      [accountId],
    );
  await addUsageSums(accountId, bench.db);
}

/** The sums that are kept beside the days. */
async function addUsageSums(accountId: number, db: Pick<typeof bench.db, 'query'>): Promise<void> {
  await db.query(
    `delete from usage_sums where account_id = ${accountId};
    insert into usage_sums (account_id, span, start_on, user_id, kind, messages, credits)
    select d.account_id, s.span, s.start_on, s.user_id, d.kind, sum(d.messages), sum(d.credits)
    from daily_usage d
    cross join lateral (values ('day', d.day, 0::bigint), ('month', date_trunc('month', d.day)::date, d.user_id)) as s(span, start_on, user_id)
    where d.account_id = ${accountId} group by 1, 2, 3, 4, 5`,
  );
}

/** The figures that were kept against those that the texts give, as the operator's command compares them. Opt-outs are counted here. */
async function recount(...accountIds: number[]): Promise<boolean> {
  const database = openDatabase(bench.databaseUrl, { connections: 4 });
  await asSystem(database, mendConsentCounts);
  const began = performance.now();
  let differences = 0;
  for (const accountId of accountIds) {
    const { differences: found } = await recountFigures(database, accountId);
    differences += found.length;
    for (const one of found.slice(0, 3)) console.log(`       ${JSON.stringify(one)}`);
  }
  await database.close();
  console.log(`       counted again in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return report('daily figures that the texts don’t give', differences, { most: 0 }, '');
}

async function readFile(path: string, cookie: string): Promise<{ lines: number; seconds: number }> {
  const began = performance.now();
  const reply = await fetch(`${bench.serverUrl}/proxy/api${path}`, { headers: { cookie } });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  let lines = -1;
  for await (const chunk of reply.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
  return { lines, seconds: (performance.now() - began) / 1000 };
}

async function time(path: string, cookie: string): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`${bench.serverUrl}/proxy/api${path}`, { headers: { cookie } });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return performance.now() - began;
}
