/**
 * Grouping the replies to a broadcast over HTTP against the real server: a thousand and ten thousand replies, most of
 * them different from all others; how long it takes the first time and again, and how long other requests wait
 * meanwhile.
 *
 *   node bench/group-replies.ts [replies]
 */
import type pg from 'pg';
import { report, startBench } from './harness.ts';
import { buildTexter, signInOwner, timedGet } from './owners.ts';

const many = Number(process.argv[2] ?? 10_000);
const few = Math.max(1, Math.round(many / 10));

const topics = [
  'the bus',
  'lunch',
  'after-care',
  'parking',
  'tickets',
  'the uniform',
  'practice',
  'the gym',
  'snacks',
];
const asked = [
  'What time is',
  'Where is',
  'Is there',
  'How much is',
  'Who do I call about',
  'Can we bring our own',
];
const others = [
  'Yes',
  'No, sorry',
  'Thank you!',
  'ok',
  'Wrong number',
  '¿A qué hora empieza?',
  'My son is sick',
];

/** Two thirds are questions, each with a word or two of its own. */
function textOf(index: number): string {
  if (index % 3 === 0) return `${others[index % others.length]}${index % 5 === 0 ? ` ${index}` : ''}`;
  const topic = topics[(index * 7) % topics.length];
  return `${asked[(index * 5) % asked.length]} ${topic} for grade${index % 12} and room${index % 977}?`;
}

const bench = await startBench({ port: 4781, numbers: {} });
try {
  const { account, user, textNumber } = await buildTexter(bench, 'bench-owner', '14235550100');
  const small = await fillBroadcast(bench.db, { account, user, textNumber, count: few, from: 0 });
  const large = await fillBroadcast(bench.db, { account, user, textNumber, count: many, from: few });
  await bench.db.query('vacuum analyze');
  await bench.startServer();
  const cookie = await signInOwner(bench, 'bench-owner');
  const groups = (id: number) => `${bench.serverUrl}/proxy/api/broadcasts/${id}/replygroups`;
  // Not measured: the server still loads things for its first request.
  await timedGet(`${bench.serverUrl}/proxy/api/user`, cookie);
  const { ms: smallMs } = await timedGet(groups(small), cookie);
  const [largeMs, waitedMs] = await besideOthers(async () => (await timedGet(groups(large), cookie)).ms);
  const { ms: againMs } = await timedGet(groups(large), cookie);
  console.log(`${few} replies: ${Math.round(smallMs)} ms; ${many} again: ${Math.round(againMs)} ms`);
  const holds = [
    report(`${many} replies grouped`, largeMs, { most: 2_000 }, 'ms'),
    report('the longest that another request waited', waitedMs, { most: 250 }, 'ms'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function fillBroadcast(
  db: pg.Pool,
  of: { account: number; user: number; textNumber: number; count: number; from: number },
): Promise<number> {
  const { account, user, textNumber, count, from } = of;
  const { rows } = await db.query<{ id: string }>(
    `insert into broadcasts (account_id, user_id, name, status, text_number_id, body, sent_body, sent_by_user_id,
       confirmed_at, start_at, started_at, aggregator_id, credits_each, going_count, fed_count)
     values ($1, $2, 'Fall festival', 'completed', $3, 'The fall festival is on Saturday.', '', $2, now(), now(), now(), 5, 1, $4, $4)
     returning broadcast_id as id`,
    [account, user, textNumber, count],
  );
  const id = Number(rows[0]?.id);
  await db.query(
    `insert into broadcast_recipients (account_id, broadcast_id, phone, first_name, last_name, segments, replied_at)
     select $1, $2, '1' || (2010000000 + i)::text, 'Maria', 'Number ' || i, 1, now()
     from generate_series($3::int, $3::int + $4::int - 1) i`,
    [account, id, from, count],
  );
  await db.query(
    `insert into messages (account_id, text_number_id, phone, is_inbound, status, origin, body, broadcast_id)
     select $1, $2, '1' || (2010000000 + $3::int + t.place - 1)::text, true, 'received', 'inbound', t.body, $4
     from unnest($5::text[]) with ordinality t(body, place)`,
    [account, textNumber, from, id, Array.from({ length: count }, (_, index) => textOf(index))],
  );
  return id;
}

/** Asks for the health of the server again and again while something runs: the longest wait for it. */
async function besideOthers(run: () => Promise<number>): Promise<[ms: number, waitedMs: number]> {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now();
      await (await fetch(`${bench.serverUrl}/healthz`)).text();
      longestMs = Math.max(longestMs, performance.now() - start);
    }
  })();
  const ms = await run();
  isOver = true;
  await asking;
  return [ms, longestMs];
}
