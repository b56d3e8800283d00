/**
 * Every report over a year of ten million texts, beside one of ten thousand in the same run; and how fast a file of a
 * large ledger is written.
 *
 *   node bench/reports.ts [rounds] [rows of the file]
 *
 * About two minutes with 30 rounds, most of it filling the tables.
 */
import { percentile, report, startBench } from './harness.ts';
import { buildOwner, signInOwner } from './owners.ts';

const rounds = Number(process.argv[2] ?? 30);
const fileRows = Number(process.argv[3] ?? 300_000);

const bench = await startBench({ port: 4285, numbers: {} });
try {
  const small = await build('bench-small', { texts: 10_000, users: 5, entries: 1000 });
  const large = await build('bench-large', { texts: 10_000_000, users: 100, entries: fileRows });
  await bench.db.query('vacuum analyze');
  const server = await bench.startServer();
  const cookies = { small: await signInOwner(bench, small), large: await signInOwner(bench, large) };
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
  const days = `date-from=${from}&date-to=${to}`;
  const reports = {
    'usage summary': `/account/usage-summary?${days}`,
    'text activity': `/reports/text-activity?${days}`,
    delivery: `/reports/delivery?${days}`,
    'credit balance, by day': `/reports/credit-balance?${days}`,
    'credit balance, entries': `/creditbalance?${days}`,
    'billing history, by month': `/reports/billing-history?${days}`,
    'billing history, payments': `/billinghistory?${days}`,
    'invoices, by month': `/reports/invoices?${days}`,
    'opt-outs': '/optouts',
    'promotional opt-in': `/reports/promotional-opt-in?${days}`,
  };
  const holds: boolean[] = [];
  for (const [name, path] of Object.entries(reports)) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds + 5; round += 1) {
      for (const size of ['small', 'large'] as const) {
        const ms = await time(path, cookies[size]);
        if (round >= 5) times[size].push(ms);
      }
    }
    const p95 = { small: percentile(times.small, 0.95), large: percentile(times.large, 0.95) };
    holds.push(
      report(`${name}, a year of 10,000,000 texts, p95`, p95.large, { most: 150 }, 'ms'),
      report(`  times 10,000 (${p95.small.toFixed(1)} ms)`, p95.large / p95.small, { most: 3 }, ''),
    );
  }
  const before = server.peakMb();
  const began = performance.now();
  const reply = await fetch(`${bench.serverUrl}/proxy/api/creditbalance.csv?${days}`, {
    headers: { cookie: cookies.large },
  });
  let lines = -1;
  for await (const chunk of reply.body ?? []) lines += chunk.filter((byte: number) => byte === 10).length;
  const seconds = (performance.now() - began) / 1000;
  console.log(`${lines} rows in ${seconds.toFixed(1)} s`);
  holds.push(
    report('rows of a CSV file a second', lines / seconds, { least: 50_000 }, ''),
    report('memory that a file took', server.peakMb() - before, { most: 100 }, 'MB'),
  );
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

interface Size {
  texts: number;
  users: number;
  entries: number;
}

async function build(userName: string, { texts, users, entries }: Size): Promise<string> {
  const account_id = await buildOwner(bench, userName);
  const perDay = Math.round(texts / 365);
  const run = (text: string, values: unknown[] = []) => bench.db.query(text, [account_id, ...values]);
  await run(`update accounts set features = '{PromotionalTextMessaging}' where account_id = $1`);
  await run(`insert into text_numbers (account_id, phone, aggregator_id, registration_status, name)
    select $1::bigint, '1' || (4230000000 + $1::bigint * 10 + i), 5, 'Registered', 'Number ' || i from generate_series(1, 3) i`);
  await run(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
    select $1::bigint, 'bench-' || $1::bigint || '-' || i, 'none', 'User', 'Number ' || i, 'user@example.org', 'user' from generate_series(1, $2::int - 1) i`,
    [users],
  );
  await run(
    `insert into daily_texts (account_id, day, text_number_id, sent, delivered, failed, received, credits)
    select $1::bigint, current_date - d, n.text_number_id, $2::int / 3, $2::int / 3 * 9 / 10, $2::int / 30, $2::int / 10, $2::int / 3
    from generate_series(0, 729) d, text_numbers n where n.account_id = $1`,
    [perDay],
  );
  await run(
    `insert into daily_usage (account_id, day, user_id, kind, messages, credits)
    select $1::bigint, current_date - d, u.user_id, k, $2::int / 300, $2::int / 300
    from generate_series(0, 729) d, users u, unnest(array['broadcast', 'conversation', 'call']) k where u.account_id = $1`,
    [perDay],
  );
  await run(
    `insert into daily_results (account_id, day, text_number_id, dimension, value, status, texts)
    select $1::bigint, current_date - d, n.text_number_id, 'hour', h::text, s, $2::int / 60
    from generate_series(0, 729) d, text_numbers n, generate_series(8, 19) h,
      unnest(array['delivered', 'spam_rejected', 'number_unavailable', 'unknown']) s
    where n.account_id = $1
    union all
    select $1::bigint, current_date - d, n.text_number_id, 'carrier', 'Carrier ' || c, s, $2::int / 60
    from generate_series(0, 729) d, text_numbers n, generate_series(1, 5) c,
      unnest(array['delivered', 'spam_rejected', 'number_unavailable', 'unknown']) s
    where n.account_id = $1`,
    [perDay],
  );
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
    `insert into phone_consents (account_id, phone, text_state, text_changed_at)
    select $1::bigint, '1' || (2010000000 + i), case when i % 2 = 0 then 'in' else 'out' end, now() - i * interval '1 minute'
    from generate_series(1, $2::int) i`,
    [entries],
  );
  return userName;
}

async function time(path: string, cookie: string): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`${bench.serverUrl}/proxy/api${path}`, { headers: { cookie } });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return performance.now() - began;
}
