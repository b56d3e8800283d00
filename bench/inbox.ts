/**
 * The inbox over HTTP against the real server, in an account with a million conversations and ten million texts, and the
 * same in one with a thousand: a page of every view, for who may use all numbers and for who may use two of them, a page
 * of a thread, a search inside texts, names and phones, the summary. Then two hundred sockets and one event.
 *
 *   node bench/inbox.ts [conversations] [texts]
 *   BENCH_DATA=/var/tmp/inbox node bench/inbox.ts   fills that folder, or measures what it holds
 */
import type pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import type { Event } from '../contract/events.ts';
import { eventName } from '../contract/socket.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { percentile, report, startBench } from './harness.ts';
import { addPeople } from './people.ts';
import { addTalks, broadcastId, numberCount } from './talks.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const texts = Number(process.argv[3] ?? count * 10);
const few = 1_000;
const rounds = 40;
const warmUp = 30;
const requests = 300;
const socketCount = 200;
const eventCount = 100;
const password = 'bench-horse-7';

interface Account {
  accountId: number;
  numberIds: number[];
  userIds: number[];
  tagIds: number[];
}

interface Person {
  account: Account;
  cookie: string;
  /** Conversations to open, long ones too, and texts and names to look for. */
  conversationIds: number[];
  bodies: string[];
  people: { first_name: string; last_name: string; primary_phone: string }[];
}

const bench = await startBench({ port: 4741, numbers: {} });
try {
  const accounts = await fill(bench.db);
  await bench.startServer();
  const holds: boolean[] = [];
  const many = await signIn(accounts.many, 'owner');
  const small = await signIn(accounts.few, 'owner');

  const lists = await measureViews([many, small], 'all numbers');
  const narrow = await measureViews(
    [await signIn(accounts.many, 'clerk'), await signIn(accounts.few, 'clerk')],
    'two of five numbers',
  );
  holds.push(...check('list page, the slowest view', [Math.max(lists.slowest, narrow.slowest)], 50));
  holds.push(...check('list page', lists.p95, 50), ...check('list page, two numbers', narrow.p95, 50));
  holds.push(...check('thread page', await measure('thread page', [many, small], threads), 30));
  holds.push(...check('text search', await measure('text search', [many, small], searches), 200));
  holds.push(
    ...check('summary', await measure('summary', [many, small], () => '/conversations/summary'), 30),
  );
  const owners: [Person, ...Person[]] = [many];
  for (const name of ['owner2', 'owner3', 'owner4']) owners.push(await signIn(accounts.many, name));
  holds.push(
    report(`an event at ${socketCount} sockets, p95`, await measureSockets(owners), { most: 250 }, 'ms'),
  );
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** The index of words is built at the end, which is faster; only the finished state is measured. */
async function fill(db: pg.Pool) {
  const start = performance.now();
  const kept = await readAccounts(db);
  if (kept !== undefined) return kept;
  const indexes = await db.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where indexname in ('contact_search_words', 'message_search_words', 'conversation_phones_digits')",
  );
  for (const { indexname } of indexes.rows) await db.query(`drop index ${indexname}`);
  const made: Account[] = [];
  for (const [index, size] of [count, Math.round(count / 10), few].entries()) {
    const account = await createAccount(db, index);
    await addPeople(db, account.accountId, size);
    await addTalks(db, account, size, size === count ? texts : size * 10);
    made.push(account);
  }
  await db.query("set maintenance_work_mem = '512MB'");
  for (const { indexdef } of indexes.rows) await db.query(indexdef);
  await db.query('vacuum analyze');
  console.log(`filled in ${Math.round((performance.now() - start) / 1000)} s`);
  const [large, , little] = made;
  if (large === undefined || little === undefined) throw new Error('no accounts');
  return { many: large, few: little };
}

/** Those of an earlier run, where it was filled to the end. */
async function readAccounts(db: pg.Pool) {
  const { rows } = await db.query<Account>(
    `select account_id::integer as "accountId",
       array(select text_number_id::integer from text_numbers n where n.account_id = a.account_id order by 1) as "numberIds",
       array(select user_id::integer from users u where u.account_id = a.account_id order by 1) as "userIds",
       array(select tag_id::integer from tags t where t.account_id = a.account_id order by 1) as "tagIds"
     from accounts a where exists (select from pg_indexes where indexname = 'message_search_words') order by 1`,
  );
  const [large, , little] = rows;
  return large && little && { many: large, few: little };
}

async function createAccount(db: pg.Pool, serial: number): Promise<Account> {
  const ids = async (statement: string, values: unknown[]) =>
    (await db.query<{ id: string }>(statement, values)).rows.map(({ id }) => Number(id));
  const [accountId = 0] = await ids(
    'insert into accounts (company_name) values ($1) returning account_id as id',
    [`Bench ${serial}`],
  );
  const numberIds = await ids(
    `insert into text_numbers (account_id, phone, registration_status, aggregator_id)
     select $1, '1423555' || (1000 + $2::integer * 100 + i), 'Registered', 5 from generate_series(1, $3::integer) i
     returning text_number_id as id`,
    [accountId, serial, numberCount],
  );
  const userIds = await ids(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role, can_see_all_roster)
     select $1::bigint, name || '-' || $1::bigint, $2, 'Bench', name, 'bench@example.org', case when name like 'owner%' then 'owner' else 'user' end, true
     from unnest('{owner,clerk,u3,u4,u5,u6,u7,u8,owner2,owner3,owner4}'::text[]) with ordinality u(name, place) order by place
     returning user_id as id`,
    [accountId, await hashPassword(password)],
  );
  await db.query(
    'insert into user_text_numbers (account_id, user_id, text_number_id) select $1, $2, unnest($3::bigint[])',
    [accountId, userIds[1], numberIds.slice(1, 3)],
  );
  const tagIds = await ids(
    `insert into tags (account_id, name) select $1, 'Tag ' || i from generate_series(1, 3) i returning tag_id as id`,
    [accountId],
  );
  return { accountId, numberIds, userIds, tagIds };
}

async function signIn(account: Account, name: string): Promise<Person> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: `${name}-${account.accountId}`, Password: password }),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { accountId } = account;
  // The latest first: what people open. Those with most texts are among them.
  const conversations = await bench.db.query<{ conversation_id: string }>(
    'select conversation_id from conversations where account_id = $1 order by last_message_at desc limit $2',
    [accountId, requests + warmUp],
  );
  const bodies = await bench.db.query<{ body: string }>(
    'select body from messages where account_id = $1 order by hashint8(message_id) limit $2',
    [accountId, requests + warmUp],
  );
  const people = await bench.db.query<Person['people'][number]>(
    `select first_name, last_name, primary_phone from contacts where account_id = $1
     order by hashint8(person_id) limit $2`,
    [accountId, requests + warmUp],
  );
  return {
    account,
    cookie,
    conversationIds: conversations.rows.map((row) => Number(row.conversation_id)),
    bodies: bodies.rows.map((row) => row.body),
    people: people.rows,
  };
}

function viewsOf({ numberIds, userIds, tagIds }: Account): string[] {
  return [
    'isDone=false',
    'isDone=true',
    'notags=true',
    '',
    'viewing=unread',
    'viewing=waiting',
    'viewing=waiting&sortby=oldest',
    'viewing=mine',
    'viewing=unassigned',
    'viewing=snoozed',
    `assignedTo=${userIds[2]}`,
    `assignedTo=${userIds[2]}&isDone=true`,
    'tag=autooptout',
    ...tagIds.flatMap((tag) => [`tag=${tag}`, `tag=${tag}&isDone=false`]),
    ...numberIds
      .slice(1, 3)
      .flatMap((id) => [
        `textNumberId=${id}&isDone=false`,
        `textNumberId=${id}&viewing=unread`,
        `textNumberId=${id}&viewing=unassigned`,
      ]),
    `broadcastId=${broadcastId}`,
    `broadcastId=${broadcastId}&isDone=false`,
    'isDone=false&date-from=2020-01-01&date-to=2035-01-01',
  ];
}

/** Every view of both accounts in turn: its first page, and the pages after it. */
async function measureViews(persons: [Person, Person], who: string) {
  const all: [number[], number[]] = [[], []];
  const ofView = new Map<number, number[]>();
  const next = new Map<string, string | null>();
  const views = persons.map(({ account }) => viewsOf(account));
  for (let round = -2; round < rounds; round += 1) {
    for (let view = 0; view < (views[0]?.length ?? 0); view += 1) {
      for (const [index, person] of persons.entries()) {
        const query = views[index]?.[view] ?? '';
        const from = round % 2 === 0 ? null : next.get(`${index} ${view}`);
        const { ms, body } = await timed(person, `/conversations?${query}${from ? `&next=${from}` : ''}`);
        next.set(`${index} ${view}`, body.Next);
        if (round < 0) continue;
        all[index as 0 | 1].push(ms);
        if (index === 0) ofView.set(view, [...(ofView.get(view) ?? []), ms]);
      }
    }
  }
  const worst = [...ofView]
    .map(([view, ms]) => ({
      view: views[0]?.[view] || 'everything',
      p95: percentile(ms, 0.95),
      p50: percentile(ms, 0.5),
    }))
    .sort((a, b) => b.p95 - a.p95);
  for (const { view, p50, p95 } of worst) {
    console.log(`  ${who}: ${view}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  }
  return {
    p95: [percentile(all[0], 0.95), percentile(all[1], 0.95)] as const,
    slowest: worst[0]?.p95 ?? Number.NaN,
  };
}

/** Every third request continues upward from where the last one ended. */
function threads({ conversationIds }: Person, i: number, next: string | null): string {
  const id = conversationIds[Math.floor(i / 3) % conversationIds.length];
  return `/conversations/${id}/textmessages${next !== null && i % 3 !== 0 ? `?next=${next}` : ''}`;
}

/** As people look: a word, two or three of one text, a part of a number or a name; every fourth time all of the year. */
function searches({ bodies, people }: Person, i: number): string {
  const own = (bodies[i % bodies.length] ?? '').split(' ');
  const person = people[i % people.length];
  const at = (place: number) => own[place % own.length] ?? '';
  const looked = [
    at(i),
    `${at(i)} ${at(i + 1)}`,
    own.slice(0, 3).join(' '),
    at(i).slice(0, 4),
    ['thank you', 'the bus is late', 'see you tomorrow', 'please call', 'practice'][i % 5] ?? '',
    person?.last_name ?? '',
    `${person?.first_name.slice(0, 4)} ${person?.last_name.slice(0, 4)}`,
    person?.primary_phone.slice(i % 2 === 0 ? -4 : -7) ?? '',
  ];
  const further = i % 4 === 3 ? '&date-from=2020-01-01' : '';
  return `/conversations?q=${encodeURIComponent(looked[Math.floor(i / 4) % looked.length] ?? '')}${further}`;
}

/** One after the other, the two accounts in turn, so that whatever else the machine does falls on both. */
async function measure(
  name: string,
  persons: [Person, Person],
  paths: (person: Person, i: number, next: string | null) => string,
): Promise<[number, number]> {
  const times = persons.map((person) => ({
    person,
    next: null as string | null,
    all: [] as { ms: number; path: string }[],
  }));
  for (let i = 0; i < warmUp + requests; i += 1) {
    for (const each of times) {
      const path = paths(each.person, i, each.next);
      const { ms, body } = await timed(each.person, path);
      each.next = body.Next ?? null;
      if (i >= warmUp) each.all.push({ ms, path: `${path} (${body.Items?.length ?? 0})` });
    }
  }
  for (const { person, all } of times) {
    const ms = all.map((one) => one.ms);
    const slowest = [...all].sort((a, b) => b.ms - a.ms).slice(0, 5);
    console.log(
      `${name}, account ${person.account.accountId}: p50 ${percentile(ms, 0.5).toFixed(1)} ms, p95 ${percentile(ms, 0.95).toFixed(1)} ms`,
    );
    for (const one of slowest) console.log(`  ${one.ms.toFixed(1)} ms ${one.path}`);
  }
  const [large = [], little = []] = times.map(({ all }) => all.map((one) => one.ms));
  return [percentile(large, 0.95), percentile(little, 0.95)];
}

/** The figure itself, and how many times that of the small account it is. */
function check(name: string, [large, little]: readonly number[], most: number): boolean[] {
  const holds = [
    report(
      `${name}, ${count.toLocaleString('en-US')} conversations, p95`,
      large ?? Number.NaN,
      { most },
      'ms',
    ),
  ];
  if (large === undefined || little === undefined) return holds;
  return [
    ...holds,
    report(`${name}, times that with ${few.toLocaleString('en-US')}`, large / little, { most: 3 }, 'times'),
  ];
}

/** From the call that changes something to the moment a socket hears of it. */
async function measureSockets(people: [Person, ...Person[]]): Promise<number> {
  const [person] = people;
  const keys: string[] = [];
  for (const one of people) keys.push((await timed<{ Key: string }>(one, '/websocket/key')).body.Key);
  const sockets: Socket[] = [];
  // One user may not open all of them.
  for (let i = 0; i < socketCount; i += 1) {
    const socket = io(bench.serverUrl, {
      transports: ['websocket'],
      forceNew: true,
      auth: { key: keys[i % keys.length] },
    });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('connect_error', reject);
    });
  }
  const done = await bench.db.query<{ conversation_id: string }>(
    'select conversation_id from conversations where conversation_id = any($1::bigint[]) and is_done',
    [person.conversationIds],
  );
  const doneIds = new Set(done.rows.map((row) => Number(row.conversation_id)));
  const ms: number[] = [];
  for (const id of person.conversationIds.slice(0, eventCount)) {
    const heard = sockets.map(
      (socket) =>
        new Promise<number>((resolve) => {
          const listen = (events: Event[]) => {
            const isIt = events.some((event) => 'ConversationID' in event && event.ConversationID === id);
            if (!isIt) return;
            socket.off(eventName, listen);
            resolve(performance.now());
          };
          socket.on(eventName, listen);
        }),
    );
    const start = performance.now();
    await timed(person, `/conversations/${id}`, 'PUT', { IsDone: !doneIds.has(id) });
    for (const at of await Promise.all(heard)) ms.push(at - start);
  }
  for (const socket of sockets) socket.close();
  console.log(
    `an event at ${socketCount} sockets: p50 ${percentile(ms, 0.5).toFixed(1)} ms, slowest ${Math.max(...ms).toFixed(1)} ms`,
  );
  return percentile(ms, 0.95);
}

async function timed<Reply = { Next: string | null; Items?: unknown[] }>(
  { cookie }: Person,
  path: string,
  method = 'GET',
  given?: object,
): Promise<{ ms: number; body: Reply }> {
  const start = performance.now();
  const answer = await fetch(`${bench.serverUrl}/proxy/api${path}`, {
    method,
    headers: { cookie, ...(given === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(given === undefined ? {} : { body: JSON.stringify(given) }),
  });
  const body = (await answer.json()) as Reply;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(body)}`);
  return { ms: performance.now() - start, body };
}
