/**
 * The cost of a call with an API key and with a session: the same calls in turn, in the same run. A key's call may take
 * at most a fifth longer. Beside it, the cost of refusals that need no query.
 *
 *   node bench/api-keys.ts [rounds]
 */
import { createAccount } from '../server/accounts/create-account.ts';
import { hashPassword } from '../server/auth/sign-in.ts';
import { asSystem, openDatabase } from '../server/db.ts';
import { makeKey } from '../server/keys/rules.ts';
import { percentile, report, startBench } from './harness.ts';

const rounds = Number(process.argv[2] ?? 600);
const password = 'bench-password-1';
const userName = 'bench-keys';

const bench = await startBench({ port: 4290, numbers: {} });
try {
  const { key, mistyped } = await build();
  await bench.startServer({ API_CALLS_PER_MINUTE: '1000000' });
  const cookie = await signIn();
  const ways = {
    session: { prefix: '/proxy/api', headers: { cookie } },
    key: { prefix: '/api/v1', headers: { authorization: `Bearer ${key}` } },
  };
  const times = { session: [] as number[], key: [] as number[], mistyped: [] as number[] };
  for (let round = 0; round < rounds + 50; round += 1) {
    // Each goes first as often as the other.
    const names = round % 2 === 0 ? (['session', 'key'] as const) : (['key', 'session'] as const);
    for (const name of names) {
      const { prefix, headers } = ways[name];
      const path = round % 3 === 0 ? '/user' : '/lists/0/contacts?pagesize=25';
      const ms = await time(prefix + path, headers, 200);
      // The first rounds compile and fill caches.
      if (round >= 50) times[name].push(ms);
    }
    times.mistyped.push(await time('/api/v1/user', { authorization: `Bearer ${mistyped}` }, 401));
  }
  const of = (name: keyof typeof times, part: number) => percentile(times[name], part);
  console.log(
    `session ${of('session', 0.5).toFixed(2)} ms, key ${of('key', 0.5).toFixed(2)} ms (medians of ${rounds})`,
  );
  const holds = [
    report(
      'a key’s call beside a session’s, median',
      of('key', 0.5) / of('session', 0.5),
      { most: 1.2 },
      'times',
    ),
    report(
      'a mistyped key beside a session’s call, median',
      of('mistyped', 0.5) / of('session', 0.5),
      { most: 1 },
      'times',
    ),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** An organization with 500 contacts and a key. */
async function build(): Promise<{ key: string; mistyped: string }> {
  const database = openDatabase(bench.databaseUrl, { connections: 4 });
  const passwordHash = await hashPassword(password);
  const { account_id, user_id } = await asSystem(database, (trx) =>
    createAccount(trx, {
      companyName: userName,
      timeZone: 'America/New_York',
      owner: { firstName: 'Own', lastName: 'Er', email: 'owner@example.org', userName, passwordHash },
    }),
  );
  const { publicId, secretHash, text } = makeKey();
  await asSystem(database, async (trx) => {
    await trx
      .insertInto('api_keys')
      .values({
        ...{ account_id, user_id, name: 'Bench', public_id: publicId, secret_hash: secretHash },
        scopes: ['contacts:read'],
        addresses: ['127.0.0.0/8'],
      })
      .execute();
  });
  await database.close();
  await bench.db.query('update accounts set is_api_authorized = true where account_id = $1', [account_id]);
  await bench.db.query(
    `insert into contacts (account_id, first_name, last_name, primary_phone)
     select $1, 'User', 'Number ' || i, '1423555' || lpad(i::text, 4, '0') from generate_series(1, 500) i`,
    [account_id],
  );
  return { key: text, mistyped: `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}` };
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: userName, Password: password }),
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function time(path: string, headers: Record<string, string>, expected: number): Promise<number> {
  const from = performance.now();
  const answer = await fetch(bench.serverUrl + path, { headers });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  return performance.now() - from;
}
