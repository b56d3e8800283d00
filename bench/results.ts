/**
 * The results of a broadcast to a million people over HTTP against the real server: every tab, its first page and pages
 * further down, a search, the broadcast itself; then details.csv read to its end. One text in a thousand failed, one in
 * twenty thousand is invalid, one in twenty has replied, and a tenth of the broadcast has not been fed yet.
 *
 *   node bench/results.ts [recipients]
 */
import { readFileSync } from 'node:fs';
import { type Bench, percentile, report, startBench } from './harness.ts';
import { buildTexter, signInOwner, timedGet } from './owners.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const sliceSize = 1_000;
const pages = 8;
const rounds = 6;
const number = '14235550100';

const states = `case when i % 1000 = 7 then 'phone_unreachable' when i % 20000 = 11 then 'number_unavailable'
  when i % 500 = 13 then 'opted_out' when i % 50 = 17 then 'sent' else 'delivered' end`;

const bench = await startBench({ port: 4761, numbers: {} });
try {
  const filling = performance.now();
  const broadcastId = await fill(bench);
  console.log(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
  const server = await bench.startServer();
  const cookie = await signInOwner(bench, 'bench-owner');
  const base = `${bench.serverUrl}/proxy/api/broadcasts/${broadcastId}`;
  const holds = [
    await measureTabs(base, cookie),
    await measureBroadcast(base, cookie),
    await measureSearch(base, cookie),
  ];
  holds.push(...(await measureFile(base, cookie, server.child.pid)));
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function fill(bench: Bench): Promise<number> {
  const { db } = bench;
  const one = async (statement: string, values: unknown[]) =>
    Number((await db.query<{ id: string }>(statement, values)).rows[0]?.id);
  const { account, textNumber, user } = await buildTexter(bench, 'bench-owner', number);
  const fed = Math.floor((count * 0.9) / sliceSize) * sliceSize;
  const id = await one(
    `insert into broadcasts (account_id, user_id, name, status, text_number_id, body, sent_body, sent_by_user_id, confirmed_at,
       start_at, started_at, aggregator_id, credits_each, going_count, fed_count, credits_reserved, credits_unfed)
     values ($1, $2, 'Snow day', 'paused', $3, 'No school', 'No school', $2, now(), now(), now(), 5, 1, $4::int, $5::int, $4::int, $4::int - $5::int)
     returning broadcast_id as id`,
    [account, user, textNumber, count, fed],
  );
  await db.query(
    `insert into broadcast_recipients (account_id, broadcast_id, phone, zone, first_name, last_name, segments, message_id, replied_at)
     select $1, $2, '1' || (2010000000 + i)::text, (array['America/New_York', 'America/Chicago', 'America/Denver', ''])[i % 4 + 1],
       (array['Maria', 'Dwayne', 'Priya', 'José', 'Tamika'])[i % 5 + 1], 'Number ' || i, 1,
       case when i < $3::int then i + 1 end, case when i < $3::int and i % 20 = 3 then now() - i * interval '1 millisecond' end
     from generate_series(0, $4::int - 1) i order by i`,
    [account, id, fed, count],
  );
  // As feeding makes them: by the slice, the ids in order.
  await db.query(
    `insert into messages (account_id, message_id, text_number_id, phone, is_inbound, status, status_at, handed_at, origin, body,
       segments, credits, broadcast_id, slice_id, user_id)
     overriding system value
     select $1, i + 1, $2, '1' || (2010000000 + i)::text, false, ${states}, now(), now(), 'broadcast', 'No school', 1, 1,
       $3, i / ${sliceSize} + 1, $5
     from generate_series(0, $4::int - 1) i order by i`,
    [account, textNumber, id, fed, user],
  );
  await db.query(`select setval('messages_message_id_seq', $1)`, [fed + 1]);
  await db.query(
    `insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, broadcast_id)
     select $1, $2, r.phone, true, 'received', 'inbound', 'Thank you!', $3 from broadcast_recipients r
     where r.broadcast_id = $3 and r.replied_at is not null`,
    [account, textNumber, id],
  );
  await db.query(
    `insert into broadcast_slices (account_id, broadcast_id, slice_id, first_message_id, last_message_id, total, sent, delivered,
       failed, invalid, opted_out, settled)
     overriding system value
     select account_id, broadcast_id, slice_id, min(message_id), max(message_id), count(*), count(*) filter (where status = 'sent'),
       count(*) filter (where status = 'delivered'), count(*) filter (where status = 'phone_unreachable'),
       count(*) filter (where status = 'number_unavailable'), count(*) filter (where status = 'opted_out'), count(*)
     from messages where broadcast_id = $1 and not is_inbound group by 1, 2, 3`,
    [id],
  );
  await db.query(
    `insert into broadcast_zones (account_id, broadcast_id, zone, total, fed, cursor, opens_at)
     select account_id, broadcast_id, zone, count(*), count(message_id),
       coalesce(max(recipient_id) filter (where message_id is not null), 0), now()
     from broadcast_recipients where broadcast_id = $1 group by 1, 2, 3`,
    [id],
  );
  await db.query('vacuum analyze');
  return id;
}

type Reply = { Items?: unknown[]; Next?: string | null; Size?: number };
const timed = (url: string, cookie: string) => timedGet<Reply>(url, cookie);

/** Every tab, from its beginning and page by page; the slowest tab counts. */
async function measureTabs(base: string, cookie: string): Promise<boolean> {
  const tabs = [
    '',
    'Delivered',
    'Failed',
    'Invalid',
    'Incomplete',
    'OptedOut',
    'Replied',
    'NotReplied',
    'LeftOut',
  ];
  const slowest: number[] = [];
  for (const tab of tabs) {
    const times: number[] = [];
    let size = 0;
    for (let round = 0; round < rounds; round += 1) {
      let next: string | null | undefined;
      for (let page = 0; page < pages; page += 1) {
        const query = new URLSearchParams({ ...(tab && { textresultcategory: tab }), ...(next && { next }) });
        const { ms, body } = await timed(`${base}/details?${query}`, cookie);
        // The first round warms up.
        if (round > 0) times.push(ms);
        size = body.Size ?? 0;
        next = body.Next;
        if (!next) break;
      }
    }
    slowest.push(percentile(times, 0.95));
    console.log(
      `       ${tab || 'All'} (${size.toLocaleString('en-US')}): p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
    );
  }
  return report('a page of a tab, the slowest tab, p95', Math.max(...slowest), { most: 80 }, 'ms');
}

async function measureBroadcast(base: string, cookie: string): Promise<boolean> {
  const times: number[] = [];
  for (let i = 0; i < 30; i += 1) times.push((await timed(base, cookie)).ms);
  return report('the broadcast with its counts, p95', percentile(times, 0.95), { most: 80 }, 'ms');
}

/** A whole phone goes by the index; a name looks through the broadcast. */
async function measureSearch(base: string, cookie: string): Promise<boolean> {
  const phone = await timed(`${base}/details?q=${2010000000 + Math.floor(count / 2)}`, cookie);
  const times: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    const q = String(2010000000 + Math.floor((count / 20) * i));
    times.push((await timed(`${base}/details?q=${q}`, cookie)).ms);
  }
  const name = await timed(`${base}/details?q=${encodeURIComponent(`Number ${count - 1}`)}`, cookie);
  console.log(
    `       a name that one person has: ${name.ms.toFixed(0)} ms; found ${name.body.Size}, by phone ${phone.body.Size}`,
  );
  return report('a phone that is looked for, p95', percentile(times, 0.95), { most: 80 }, 'ms');
}

/** The file to its end, and how much the server's memory grew meanwhile. */
async function measureFile(base: string, cookie: string, pid: number | undefined): Promise<boolean[]> {
  const before = residentMb(pid);
  const start = performance.now();
  const answer = await fetch(`${base}/details.csv`, { headers: { cookie } });
  let lines = -1;
  let most = before;
  for await (const bytes of answer.body ?? []) {
    for (const byte of bytes) if (byte === 10) lines += 1;
    most = Math.max(most, residentMb(pid));
  }
  const seconds = (performance.now() - start) / 1000;
  if (lines !== count) throw new Error(`${lines} lines for ${count} recipients`);
  return [
    report('details.csv', lines / seconds, { least: 50_000 }, 'rows a second'),
    report('memory that it took beside', most - before, { most: 150 }, 'MB'),
  ];
}

function residentMb(pid: number | undefined): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(found?.[1] ?? 0) / 1024);
}
