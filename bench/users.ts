/**
 * The users page of an organization of 10,000: the list with its count, by name, by last visit, filtered and searched,
 * and the counts of its tabs. Beside it the same of an organization of a hundred, in the same run.
 *
 *   node bench/users.ts [rounds]
 */
import { getUsersSummary, listAccountUsers } from '../contract/account-users.ts';
import { pathOf, prefixOf } from '../contract/call-address.ts';
import { migrate } from '../server/migrate.ts';
import { percentile, report, startBench } from './harness.ts';
import { buildOwner, signInOwner } from './owners.ts';

const rounds = Number(process.argv[2] ?? 60);

const bench = await startBench({ port: 4280, numbers: {} });
try {
  await migrate(bench.databaseUrl);
  const small = await build('bench-small', 100);
  const large = await build('bench-large', 10_000);
  await bench.db.query('vacuum analyze users');
  await bench.startServer();
  const cookies = { small: await signInOwner(bench, small), large: await signInOwner(bench, large) };

  const pages: Record<string, object> = {
    'first page': {},
    'page of 25': { pagesize: 25 },
    'a page in the middle': { pagesize: 25, page: 2 },
    'by last visit': { pagesize: 25, sortby: 'lastseen' },
    'enabled users': { pagesize: 25, enabled: true },
    'a search': { pagesize: 25, q: 'user 42' },
  };
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds + 5; round += 1) {
    for (const size of ['small', 'large'] as const) {
      for (const query of Object.values(pages)) {
        const ms = await time(listAccountUsers, query, cookies[size]);
        // The first rounds compile and fill caches.
        if (round >= 5) times[size].push(ms);
      }
      const ms = await time(getUsersSummary, {}, cookies[size]);
      if (round >= 5) times[size].push(ms);
    }
  }
  const p95 = { small: percentile(times.small, 0.95), large: percentile(times.large, 0.95) };
  const holds = [
    report('users page with 10,000 users, p95', p95.large, { most: 60 }, 'ms'),
    report(`times a hundred users (${p95.small.toFixed(1)} ms), p95`, p95.large / p95.small, { most: 3 }, ''),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await bench.close();
}

/** An organization with so many users; some are admins, some are off, a few are invited. */
async function build(userName: string, count: number): Promise<string> {
  const account_id = await buildOwner(bench, userName);
  await bench.db.query(
    `insert into users (account_id, user_name, password_hash, first_name, last_name, email, role, is_active, last_seen_at)
     select $1, $2 || '-' || i, 'none', 'User ' || (i * 7919) % 1000, 'Number ' || i, 'user' || i || '@example.org',
       case when i % 20 = 0 then 'admin' else 'user' end, i % 9 <> 0, now() - i * interval '1 minute'
     from generate_series(1, $3::int) i`,
    [account_id, userName, count - 1],
  );
  await bench.db.query(
    `insert into invitations (account_id, user_id, token_hash, invited_by_user_id, expires_at)
     select account_id, user_id, sha256(user_name::bytea), user_id, now() + interval '7 days'
     from users where account_id = $1 and not is_active and user_id % 10 = 0`,
    [account_id],
  );
  return userName;
}

async function time(
  call: typeof listAccountUsers | typeof getUsersSummary,
  query: object,
  cookie: string,
): Promise<number> {
  const words = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const from = performance.now();
  const answer = await fetch(`${bench.serverUrl}${prefixOf(call)}${pathOf(call, {})}?${words}`, {
    headers: { cookie },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${call.path}: ${answer.status} ${text.slice(0, 200)}`);
  return performance.now() - from;
}
