/**
 * Inbound texts with all rules on: webhooks in Infobip's form come at a steady rate, every twentieth twice, out of order;
 * the machine answers through the sandbox. Beside it the same texts applied in this process, without HTTP, with the
 * rules on and off: the limit, and what the rules cost.
 *
 *   node bench/inbound.ts [seconds] [texts a second]
 */
import { request } from 'undici';
import { openDatabase } from '../server/db.ts';
import { applyInbound } from '../server/inbound/apply-inbound.ts';
import { storeInbound } from '../server/inbound/store-hooks.ts';
import { type Bench, credentials, percentile, report, startBench } from './harness.ts';
import { ledgerHolds, makeSender } from './texts.ts';

const seconds = Number(process.argv[2] ?? 60);
/** More than is asked for: what comes in at exactly that rate is never taken faster. */
const perSecond = Number(process.argv[3] ?? 1_600);
const total = seconds * perSecond;
const number = '14235550100';
/** Each writes three times. */
const phones = Math.ceil(total / 3);
const perRequest = 10;

const bench = await startBench({ port: 4260, numbers: { [number]: 'infobip' } });
try {
  const limits = await withoutHttp(bench);
  const { reached, refused, lateMs, peakMb, counts, stats } = await throughWebhooks(bench);
  console.log(
    `${total.toLocaleString('en-US')} texts of ${phones.toLocaleString('en-US')} phones; without HTTP ` +
      `${limits.on} a second, with the rules off ${limits.off}; a text was applied after ${lateMs.p50} ms (p95 ${lateMs.p95})`,
  );
  const holds = [
    report('inbound texts taken and applied', reached, { least: 1_500 }, 'a second'),
    report('webhooks refused', refused, { most: 0 }, 'requests'),
    report('lost or doubled texts', Math.abs(counts.texts - total), { most: 0 }, 'texts'),
    report('answered', counts.answered, { least: phones, most: phones }, 'phones'),
    report('answered twice', counts.twice + (stats.DuplicatesByNumberAndText ?? 0), { most: 0 }, 'phones'),
    report('answers that reached the carrier', stats.Accepted ?? 0, { least: phones, most: phones }, 'texts'),
    report(
      'who joined the group',
      counts.members,
      { least: counts.keywords, most: counts.keywords },
      'people',
    ),
    report('server memory at its highest', peakMb, { most: 350 }, 'MB'),
    report('ledger sums to the balance', (await ledgerHolds(bench.db)) ? 1 : 0, { least: 1 }, '(1 = yes)'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

interface Text {
  key: string;
  from: string;
  body: string;
}

/** By the phone's number: one in a hundred writes STOP, one HELP, five a keyword, the others what people write. */
function textOf(index: number): Text {
  const phone = index % phones;
  const turn = Math.floor(index / phones);
  const kind = phone % 100;
  const body =
    kind === 0
      ? 'STOP'
      : kind === 1
        ? 'Help!'
        : kind < 7
          ? `bus ${kind}`
          : `Is the school open on day ${turn} or does it stay closed because of the ice? My name is ${phone}`;
  return { key: `bench-${index}`, from: `1${2_010_000_000 + phone}`, body };
}

/** An organization with everything on: the account's auto reply, the number's own with hours, twenty keywords and a group. */
async function makeOrganization({ db }: Bench, phone: string, hasRules: boolean) {
  const { accountId, numberId } = await makeSender(db, phone, 5);
  if (!hasRules) return { accountId, groupId: 0 };
  await db.query(
    "update accounts set is_auto_reply_on = true, auto_reply_message = 'We are closed.' where account_id = $1",
    [accountId],
  );
  const hours = { StartTime: '12:00 AM', StopTime: '12:00 AM' };
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  await db.query(
    `with made as (
       insert into auto_replies (account_id, type_id, message, day_schedules)
       values ($1, 2, 'Thank you. Somebody will answer in the morning.', $3) returning account_id, auto_reply_id
     )
     insert into auto_reply_numbers (account_id, text_number_id, auto_reply_id)
     select account_id, $2, auto_reply_id from made`,
    [accountId, numberId, JSON.stringify(Object.fromEntries(days.map((day) => [day, hours])))],
  );
  const group = await db.query<{ group_id: string }>(
    "insert into groups (account_id, name) values ($1, 'Bus riders') returning group_id",
    [accountId],
  );
  const groupId = Number(group.rows[0]?.group_id);
  await db.query(
    `with made as (
       insert into keywords (account_id, keyword, message, group_id)
       select $1, 'BUS' || i, 'Bus ' || i || ' comes at eight.', $3 from generate_series(1, 20) i
       returning account_id, keyword_id, keyword
     )
     insert into keyword_numbers (account_id, text_number_id, word, keyword_id)
     select account_id, $2, lower(keyword), keyword_id from made`,
    [accountId, numberId, groupId],
  );
  return { accountId, groupId };
}

/** The step alone: a quarter of the texts, stored before, applied five hundred at a time. */
async function withoutHttp(parts: Bench): Promise<{ on: string; off: string }> {
  const database = openDatabase(parts.databaseUrl, { connections: 8 });
  const measure = async (phone: string, hasRules: boolean) => {
    await makeOrganization(parts, phone, hasRules);
    const count = Math.min(15_000, Math.ceil(total / 4));
    const texts = Array.from({ length: count }, (_, index) => textOf(index));
    await storeInbound(
      database,
      5,
      texts.map(({ key, from, body }) => ({
        inboundKey: `${phone} ${key}`,
        from,
        to: phone,
        body,
        media: [],
        occurredAt: new Date(),
      })),
    );
    const start = performance.now();
    while ((await applyInbound(database, 500)) > 0);
    return Math.round(count / ((performance.now() - start) / 1000)).toLocaleString('en-US');
  };
  const off = await measure('14235550198', false);
  const on = await measure('14235550199', true);
  await database.close();
  // Nothing of it may be left to be sent.
  await parts.db.query('delete from outbox');
  await parts.db.query(
    `with freed as (
       update accounts a set credit_reserved = 0 from accounts old
       where old.account_id = a.account_id and a.credit_reserved > 0
       returning a.account_id, old.credit_reserved as credits, a.credit_balance
     )
     insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after)
     select account_id, 'release', 0, -credits, credit_balance, 0 from freed`,
  );
  return { on, off };
}

async function throughWebhooks(parts: Bench) {
  const { db, sandbox, startServer } = parts;
  const { accountId, groupId } = await makeOrganization(parts, number, true);
  await sandbox('PUT', '/settings', { DeliveryDelayMs: [0, 0], AutoAnswer: false, ReceiptsPerRequest: 1000 });
  const server = await startServer();
  const sampled = sampleLateness(db);
  const start = performance.now();
  const refused = await sendWebhooks(parts, start);
  await until(db, 'select not exists (select from carrier_inbound) as done');
  const reached = total / ((performance.now() - start) / 1000);
  const late = await sampled.stop();
  await until(db, 'select not exists (select from outbox) as done');
  const stats = (await sandbox('GET', '/stats')) as Record<string, number>;
  const { rows } = await db.query<Record<'texts' | 'answered' | 'twice' | 'members' | 'keywords', string>>(
    `select
       (select count(*) from messages where account_id = $1 and is_inbound) as texts,
       (select count(distinct phone) from messages where account_id = $1 and origin = 'automatic') as answered,
       (select count(*) from (select from messages where account_id = $1 and origin = 'automatic'
         group by phone having count(*) > 1) t) as twice,
       (select count(*) from group_members where account_id = $1 and group_id = $2) as members,
       (select count(distinct phone) from messages where account_id = $1 and is_inbound and body like 'bus %') as keywords`,
    [accountId, groupId],
  );
  const counts = rows[0];
  if (counts === undefined) throw new Error('nothing was counted');
  const peakMb = server.peakMb();
  await server.kill('SIGTERM');
  return {
    reached,
    refused,
    lateMs: { p50: Math.round(percentile(late, 0.5)), p95: Math.round(percentile(late, 0.95)) },
    peakMb,
    stats,
    counts: {
      texts: Number(counts.texts),
      answered: Number(counts.answered),
      twice: Number(counts.twice),
      members: Number(counts.members),
      keywords: Number(counts.keywords),
    },
  };
}

/** In order but for neighbors, at the rate, whether the server keeps up or not; every twentieth webhook comes twice. */
async function sendWebhooks({ serverUrl }: Bench, start: number): Promise<number> {
  let refused = 0;
  const url = `${serverUrl}/hooks/infobip/inbound/${credentials.INFOBIP_WEBHOOK_SECRET}`;
  const underWay = new Set<Promise<void>>();
  const post = async (texts: Text[]): Promise<void> => {
    const results = texts.map(({ key, from, body }) => ({
      messageId: key,
      from,
      to: number,
      text: body,
      receivedAt: new Date().toISOString().replace('Z', '+0000'),
    }));
    const payload = JSON.stringify({ results, messageCount: results.length, pendingMessageCount: 0 });
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await request(url, { method: 'POST', headers, body: payload });
    await body.dump();
    // A carrier sends it again; here every one has to be taken at once.
    if (statusCode !== 200) refused += 1;
  };
  for (let sent = 0, requests = 0; sent < total; requests += 1) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond));
    if (sent + perRequest > due && due < total) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    const texts = Array.from({ length: Math.min(perRequest, total - sent) }, (_, index) =>
      textOf(sent + index),
    );
    sent += texts.length;
    for (let times = requests % 20 === 0 ? 2 : 1; times > 0; times -= 1) {
      const promise = post(texts.reverse()).finally(() => underWay.delete(promise));
      underWay.add(promise);
    }
    if (underWay.size > 100) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return refused;
}

/** Age of the oldest text that still waits, looked at ten times a second. */
function sampleLateness(db: Bench['db']) {
  const ages: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const { rows } = await db.query<{ ms: number | null }>(
        'select (extract(epoch from now() - min(received_at)) * 1000)::float8 as ms from carrier_inbound',
      );
      ages.push(rows[0]?.ms ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return ages;
    },
  };
}

async function until(db: Bench['db'], question: string): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const { rows } = await db.query<{ done: boolean }>(question);
    if (rows[0]?.done) return;
    if (performance.now() > deadline) throw new Error(`waited in vain: ${question}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
