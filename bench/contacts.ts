/**
 * Contacts over HTTP against the real server: a page of everyone, a search as one types, a page of a group, in an
 * account with a million contacts beside a million of others, and the same in an account with a thousand; then all of
 * the million but a few put into a group.
 *
 *   node bench/contacts.ts [contacts]
 *   BENCH_DATA=/var/tmp/contacts node bench/contacts.ts   fills that folder, or measures what it holds
 */
import { fillPeople, type SamplePerson, samplePeople, signInOwner } from './fill-people.ts';
import { percentile, report, startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const few = 1_000;
const others = 10;
const requests = 300;
const warmUp = 30;
const sorts = ['name', '-name', 'newest', 'oldest'];

interface Account {
  accountId: number;
  cookie: string;
  groupIds: number[];
  sample: SamplePerson[];
}

const bench = await startBench({ port: 4721, numbers: {} });
try {
  const otherSize = Math.round(count / others);
  const accounts = await fillPeople(bench.db, { many: count, few, others, otherSize });
  await bench.startServer();
  const many = await signIn(accounts.many);
  const small = await signIn(accounts.few);
  const holds: boolean[] = [];
  for (const { name, paths, most } of [
    { name: 'list page', paths: listPages, most: 40 },
    { name: 'search of a fragment', paths: searches, most: 120 },
    { name: 'group page', paths: groupPages, most: 40 },
  ]) {
    const [large, little] = await measure(name, many, small, paths);
    holds.push(
      report(`${name}, ${count.toLocaleString('en-US')} contacts, p95`, large, { most }, 'ms'),
      report(`${name}, times that with ${few.toLocaleString('en-US')}`, large / little, { most: 4 }, 'times'),
    );
  }
  const { seconds, progress } = await moveAll(many);
  holds.push(
    report('all but three into a group', seconds, { most: 15 }, 's'),
    report('steps of progress on the way', progress, { least: 3 }, 'steps'),
  );
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

async function signIn(accountId: number): Promise<Account> {
  const groups = await bench.db.query<{ group_id: string }>(
    "select group_id from groups where account_id = $1 and name like 'Group %' order by group_id",
    [accountId],
  );
  return {
    accountId,
    cookie: await signInOwner(bench.serverUrl, accountId),
    groupIds: groups.rows.map(({ group_id }) => Number(group_id)),
    sample: await samplePeople(bench.db, accountId, requests + warmUp),
  };
}

/** The first pages by their number, in all orders; every other request goes on from where the last one ended. */
function listPages(_account: Account, i: number, next: string | null): string {
  return next !== null && i % 2 === 1
    ? `/lists/0/contacts?pagesize=25&next=${next}&sortby=${sorts[Math.floor(i / 2) % 4]}`
    : `/lists/0/contacts?pagesize=25&page=${1 + (i % 40)}&sortby=${sorts[Math.floor(i / 2) % 4]}`;
}

function groupPages({ groupIds }: Account, i: number): string {
  return `/lists/${groupIds[i % groupIds.length]}/contacts?pagesize=25&page=${1 + (i % 20)}`;
}

/** 3 to 8 letters of a name, 4 to 7 digits of a phone, a word of a note, two words. */
function searches({ sample }: Account, i: number): string {
  const person = sample[i % sample.length];
  if (person === undefined) return '';
  const part = (text: string, least: number, length: number) => {
    const start = Math.max(0, Math.min(text.length - least, i % 3));
    return text.slice(start, start + length);
  };
  const letters = 3 + (i % 6);
  const fragments = [
    part(person.last_name, 3, letters),
    part(person.first_name, 3, letters),
    part(person.primary_phone.slice(1), 7, 4 + (i % 4)),
    `${part(person.first_name, 3, 3)} ${part(person.last_name, 3, letters)}`,
    person.notes === '' ? part(person.last_name, 3, letters) : part(person.notes, 4, 4 + (i % 5)),
  ];
  return `/lists/0/contacts?pagesize=25&q=${encodeURIComponent(fragments[i % fragments.length] ?? '')}`;
}

/** One after the other, the two accounts in turn, so that whatever else the machine does falls on both. */
async function measure(
  name: string,
  many: Account,
  small: Account,
  paths: (account: Account, i: number, next: string | null) => string,
): Promise<[number, number]> {
  const times: { account: Account; ms: number[]; next: string | null; slowest: [number, string] }[] = [
    { account: many, ms: [], next: null, slowest: [0, ''] },
    { account: small, ms: [], next: null, slowest: [0, ''] },
  ];
  for (let i = 0; i < warmUp + requests; i += 1) {
    for (const each of times) {
      const path = paths(each.account, i, each.next);
      const start = performance.now();
      const reply = await get<{ Next: string | null; Size: number; Items: unknown[] }>(each.account, path);
      const ms = performance.now() - start;
      each.next = reply.Next;
      if (i < warmUp) continue;
      each.ms.push(ms);
      if (ms > each.slowest[0]) each.slowest = [ms, `${path} (${reply.Size})`];
    }
  }
  for (const { account, ms, slowest } of times) {
    const size = account === many ? count : few;
    console.log(
      `${name}, ${size.toLocaleString('en-US')} contacts: p50 ${percentile(ms, 0.5).toFixed(1)} ms, ` +
        `p95 ${percentile(ms, 0.95).toFixed(1)} ms, slowest ${slowest[0].toFixed(1)} ms ${slowest[1]}`,
    );
  }
  return [percentile(times[0]?.ms ?? [], 0.95), percentile(times[1]?.ms ?? [], 0.95)];
}

async function moveAll(account: Account): Promise<{ seconds: number; progress: number }> {
  const group = await send<{ ListID: number }>(account, 'POST', '/lists', {
    ListName: `All of them at ${new Date().toISOString()}`,
  });
  const except = await get<{ Items: { PersonID: number }[] }>(account, '/lists/0/contacts?pagesize=3');
  const start = performance.now();
  const moved = await send<{ WorkID: number; Size: number }>(
    account,
    'POST',
    `/lists/0/contacts/tolist/${group.ListID}`,
    { Selection: { Type: 'SelectedAllExcept', Items: except.Items.map(({ PersonID }) => PersonID) } },
  );
  const seen = new Set<number>();
  for (;;) {
    const work = await get<{ Status: string; Done: number; Total: number }>(account, `/work/${moved.WorkID}`);
    if (work.Status === 'Error') throw new Error('the work failed');
    if (work.Status === 'Complete') break;
    seen.add(work.Done);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seconds = (performance.now() - start) / 1000;
  const list = await get<{ RosterCount: number }>(account, `/lists/${group.ListID}`);
  if (list.RosterCount !== count - 3) throw new Error(`${list.RosterCount} were moved`);
  return { seconds, progress: seen.size };
}

function get<Reply>(account: Account, path: string): Promise<Reply> {
  return send(account, 'GET', path);
}

async function send<Reply>({ cookie }: Account, method: string, path: string, body?: object): Promise<Reply> {
  const answer = await fetch(`${bench.serverUrl}/proxy/api${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Reply;
}
