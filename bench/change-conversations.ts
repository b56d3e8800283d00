/**
 * Changes of many conversations over HTTP against the real server: five thousand within a call, then all of
 * them as work in slices, undone, and moved to another text number; and how long somebody who changes one of
 * them waits meanwhile, as an inbound text would.
 *
 *   node bench/change-conversations.ts [conversations]
 */
import type pg from 'pg';
import { conversationLimits } from '../contract/conversations.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { percentile, report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 300_000);
const password = 'bench-horse-7';
const everything = { Selection: { Type: 'SelectedAll' } };

const bench = await startBench({ port: 4781, numbers: {} });
try {
  const { numberIds, conversationIds } = await fill(bench.db);
  await bench.startServer();
  const cookie = await signIn();
  const holds: boolean[] = [];

  const Items = conversationIds.slice(0, conversationLimits.rowsAtOnce);
  const atOnce = await timed(() =>
    send('PUT', '/conversations', { Selection: { Type: 'Selected', Items }, Update: { IsDone: true } }),
  );
  const words = `${conversationLimits.rowsAtOnce.toLocaleString('en-US')} conversations within a call`;
  holds.push(report(words, atOnce.ms, { most: 1_000 }, 'ms'));

  const done = await work('done', () =>
    send('PUT', '/conversations?isDone=false', { ...everything, Update: { IsDone: true } }),
  );
  const undone = await work('undone', () => send('POST', `/conversations/undo/${done.UndoID}`, {}));
  const moved = await work('moved', () =>
    send('POST', '/conversations/selection', { ...everything, TextNumberIDTo: numberIds[1] }),
  );
  for (const { name, answerMs, waits, seconds, changed } of [done, undone, moved]) {
    const many = `${name}, ${changed.toLocaleString('en-US')} conversations`;
    holds.push(
      report(`${many}: the answer`, answerMs, { most: 2_000 }, 'ms'),
      report(
        `${many}: all of them`,
        seconds,
        { most: (changed / 10_000) * (name === 'moved' ? 6 : 2) + 1 },
        's',
      ),
      report(`${many}: a change of one meanwhile, p95`, percentile(waits, 0.95), { most: 1_000 }, 'ms'),
    );
  }
  process.exitCode = holds.every(Boolean) ? 0 : 1;

  async function send(method: string, path: string, body?: object) {
    const answer = await fetch(`${bench.serverUrl}/proxy/api${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Begins the work, and until none is left marks one conversation after the other unread. */
  async function work(name: string, begin: () => Promise<{ UndoID?: number }>) {
    const start = performance.now();
    const { ms: answerMs, value } = await timed(begin);
    const waits: number[] = [];
    let changed = 0;
    for (let i = 0; ; i += 1) {
      const { Items: left } = await send('GET', '/work');
      if (left.length === 0) break;
      changed = left[0].Total;
      const id = conversationIds[Math.floor((i * 7919 * 31) % conversationIds.length)];
      waits.push((await timed(() => send('POST', `/conversations/${id}/views`, {}))).ms);
    }
    return {
      name,
      answerMs,
      waits,
      seconds: (performance.now() - start) / 1000,
      changed,
      UndoID: value.UndoID,
    };
  }
} finally {
  await bench.close();
}

async function timed<T>(what: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await what();
  return { ms: performance.now() - start, value };
}

async function fill(db: pg.Pool) {
  const account = await db.query<{ account_id: string }>(
    "insert into accounts (company_name) values ('Bench') returning account_id",
  );
  const accountId = Number(account.rows[0]?.account_id);
  await db.query(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role)
     values ($1, 'bench-owner', $2, 'Bench', 'Owner', 'bench@example.org', 'owner')`,
    [accountId, await hashPassword(password)],
  );
  const numbers = await db.query<{ text_number_id: string }>(
    `insert into text_numbers (account_id, phone, aggregator_id, registration_status)
     values ($1, '14235550100', 5, 'Registered'), ($1, '18655550100', 5, 'Registered') returning text_number_id`,
    [accountId],
  );
  const numberIds = numbers.rows.map((row) => Number(row.text_number_id));
  const tag = await db.query<{ tag_id: string }>(
    "insert into tags (account_id, name) values ($1, 'A tag') returning tag_id",
    [accountId],
  );
  // A tenth unread, a tenth with a tag.
  const rows = await db.query<{ conversation_id: string }>(
    `insert into conversations (account_id, text_number_id, phone, unread_count, tag_ids, last_message_at)
     select $1, $2, (12010000000 + n)::text, (n % 10 = 0)::int, case when n % 10 = 1 then array[$3::bigint] else '{}' end,
       now() - n * interval '1 second'
     from generate_series(1, $4) n returning conversation_id`,
    [accountId, numberIds[0], tag.rows[0]?.tag_id, count],
  );
  await db.query('vacuum analyze');
  return { numberIds, conversationIds: rows.rows.map((row) => Number(row.conversation_id)) };
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: 'bench-owner', Password: password }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
