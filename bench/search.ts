/**
 * The search of everything (⌘K) over HTTP against the real server, as somebody types it: parts of names, two words,
 * phones, misspelled names, names of groups and broadcasts, in an account with a million contacts beside others, and the
 * same in an account with a thousand. Each account also has broadcasts, drafts and saved texts, as after some years.
 *
 *   node bench/search.ts [contacts]
 *   BENCH_DATA=/var/tmp/contacts node bench/search.ts   fills that folder, or measures what it holds (bench/contacts.ts
 *                                                       fills it too)
 */
import { fillPeople, type SamplePerson, samplePeople, signInOwner } from './fill-people.ts';
import { percentile, report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const few = 1_000;
const requests = 300;
const warmUp = 30;
const named = 3_000;

interface Account {
  cookie: string;
  sample: SamplePerson[];
}

const bench = await startBench({ port: 4731, numbers: {} });
try {
  const ids = await fillPeople(bench.db, { many: count, few, others: 5, otherSize: Math.round(count / 20) });
  await addNamed(ids.many);
  await addNamed(ids.few);
  await bench.startServer();
  const [many, small] = [await openAccount(ids.many), await openAccount(ids.few)];
  const ms = { many: [] as number[], few: [] as number[] };
  let slowest: [number, string] = [0, ''];
  const byKind = new Map<string, number[]>();
  // The two in turn, so that whatever else the machine does falls on both.
  for (let i = 0; i < warmUp + requests; i += 1) {
    const large = await search(many, i);
    const little = await search(small, i);
    if (i < warmUp) continue;
    ms.many.push(large.ms);
    ms.few.push(little.ms);
    byKind.set(large.kind, [...(byKind.get(large.kind) ?? []), large.ms]);
    if (large.ms > slowest[0]) slowest = [large.ms, `${large.kind} “${large.q}” (${large.found} found)`];
  }
  for (const [kind, each] of byKind)
    console.log(
      `${kind}: p50 ${percentile(each, 0.5).toFixed(1)} ms, p95 ${percentile(each, 0.95).toFixed(1)} ms`,
    );
  console.log(`slowest ${slowest[0].toFixed(1)} ms: ${slowest[1]}`);
  const [large, little] = [percentile(ms.many, 0.95), percentile(ms.few, 0.95)];
  console.log(`with ${few.toLocaleString('en-US')} contacts: p95 ${little.toFixed(1)} ms`);
  const holds = [
    report(`search, ${count.toLocaleString('en-US')} contacts, p95`, large, { most: 100 }, 'ms'),
    report(`times that with ${few.toLocaleString('en-US')}`, large / little, { most: 3 }, 'times'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** Broadcasts, drafts and saved texts of some years. */
async function addNamed(accountId: number): Promise<void> {
  const words = "(array['Field trip','Snow day','Choir','Grade 5','Pick-up','Open house','Bus 12','Lunch'])";
  const { rows } = await bench.db.query('select 1 from templates where account_id = $1 limit 1', [accountId]);
  if (rows.length > 0) return;
  await bench.db.query(
    `insert into broadcasts (account_id, user_id, name, status, start_at)
     select $1, u.user_id, ${words}[1 + i % 8] || ' ' || i, case when i % 10 = 0 then 'draft' else 'completed' end,
       case when i % 10 = 0 then null else now() - i * interval '1 hour' end
     from generate_series(1, $2::int) i, users u where u.account_id = $1`,
    [accountId, named],
  );
  await bench.db.query(
    `insert into templates (account_id, user_id, name, body)
     select $1, u.user_id, ${words}[1 + i % 8] || ' text ' || i, 'See you there.'
     from generate_series(1, $2::int) i, users u where u.account_id = $1`,
    [accountId, Math.round(named / 10)],
  );
  await bench.db.query('analyze broadcasts, templates');
}

async function openAccount(accountId: number): Promise<Account> {
  return {
    cookie: await signInOwner(bench.serverUrl, accountId),
    sample: await samplePeople(bench.db, accountId, requests + warmUp),
  };
}

/** Two letters the other way round, as they are typed in a hurry. */
function misspell(word: string): string {
  const at = Math.max(1, Math.floor(word.length / 2) - 1);
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
}

function wordsOf({ first_name, last_name, primary_phone }: SamplePerson, i: number): [string, string] {
  const letters = 3 + (i % 6);
  const all: [string, string][] = [
    ['part of a last name', last_name.slice(0, letters)],
    ['part of a first name', first_name.slice(0, letters)],
    ['two words', `${first_name.slice(0, 3)} ${last_name.slice(0, letters)}`],
    ['part of a phone', primary_phone.slice(1, 5 + (i % 6))],
    ['a misspelled name', misspell(last_name)],
    ['two misspelled words', `${misspell(first_name)} ${misspell(last_name)}`],
    [
      'a group or broadcast',
      ['grade 5', 'field tr', 'group 1', 'snow', 'choir 20', 'feild trip'][i % 6] ?? '',
    ],
    ['one letter', last_name.slice(0, 1)],
    ['two letters', last_name.slice(0, 2)],
  ];
  return all[i % all.length] ?? ['', ''];
}

async function search({ cookie, sample }: Account, i: number) {
  const person = sample[i % sample.length];
  if (person === undefined) throw new Error('nobody to look for');
  const [kind, q] = wordsOf(person, i);
  const start = performance.now();
  const answer = await fetch(`${bench.serverUrl}/proxy/api/search?q=${encodeURIComponent(q)}`, {
    headers: { cookie },
  });
  const { Items } = (await answer.json()) as { Items: unknown[] };
  const ms = performance.now() - start;
  if (!answer.ok) throw new Error(`“${q}”: ${answer.status}`);
  return { kind, q, ms, found: Items.length };
}
