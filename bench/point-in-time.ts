/**
 * Back to a moment: a copy of the data folder taken while it is written to, and the log that was archived since. What was
 * written before the moment has to be there, what was written after it must not.
 *
 *   node bench/point-in-time.ts
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { report } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-moment-'));
chmodSync(folder, 0o755);
const [first, second, archive] = ['first', 'second', 'archive'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
mkdirSync(archive);
chmodSync(archive, 0o777);
const ask = async <T extends object>(url: string, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<T>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

let running = await startPostgres({ dataDir: first, durable: true });
try {
  // As docs/operating.md says.
  await ask(running.url, "alter system set archive_mode = 'on'");
  await ask(
    running.url,
    `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
  );
  await running.stop();
  running = await startPostgres({ dataDir: first, durable: true });
  await ask(
    running.url,
    'create table told (what int primary key, at timestamptz default clock_timestamp())',
  );
  await ask(running.url, 'insert into told select generate_series(1, 1000)');

  const client = new pg.Client({ connectionString: running.url });
  await client.connect();
  await client.query("select pg_backup_start('drill', true)");
  const cluster = clusterOf(first);
  mkdirSync(second);
  chmodSync(second, 0o755);
  // Rows come while it is copied.
  const meanwhile = ask(running.url, 'insert into told select generate_series(1001, 20000)');
  cpSync(cluster, join(second, 'postgres'), {
    recursive: true,
    filter: (path) => !/\/(pg_wal\/.+|postmaster\.(pid|opts))$/.test(path),
  });
  await meanwhile;
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)');
  await client.end();
  await ask(running.url, 'insert into told select generate_series(20001, 30000)');
  const [moment] = await ask<{ at: string }>(running.url, 'select clock_timestamp()::text as at');
  await delay(50);
  await ask(running.url, 'insert into told select generate_series(30001, 40000)');
  await ask(running.url, 'select pg_switch_wal()');
  await ask(running.url, 'checkpoint');
  const deadline = Date.now() + 30_000;
  for (;;) {
    const [seen] = await ask<{ done: boolean }>(
      running.url,
      `select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as done from pg_stat_archiver`,
    );
    if (seen?.done || Date.now() > deadline) break;
    await delay(100);
  }
  await running.stop();

  writeFileSync(join(second, 'postgres/backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(second, 'postgres/recovery.signal'), '');
  writeFileSync(
    join(second, 'postgres/postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment?.at}'\nrecovery_target_action = 'promote'\n`,
  );
  const { port, password } = JSON.parse(readFileSync(join(first, 'postgres.json'), 'utf8'));
  writeFileSync(join(second, 'postgres.json'), JSON.stringify({ port, password }), { mode: 0o600 });
  const { uid, gid } = statSync(cluster);
  chownAll(join(second, 'postgres'), uid, gid);
  const start = performance.now();
  running = await startPostgres({ dataDir: second, durable: true });
  let found: { many: number; last: number } | undefined;
  while (found === undefined) {
    [found] = await ask<{ many: number; last: number }>(
      running.url,
      'select count(*)::int as many, max(what) as last from told where not pg_is_in_recovery()',
    );
    if (found?.many === 0) found = undefined;
    if (found === undefined) await delay(100);
  }
  const holds = [
    report('rows of before the moment', found.many, { least: 30_000, most: 30_000 }, 'rows'),
    report('the last of them', found.last, { least: 30_000, most: 30_000 }, ''),
    report('until it answers', (performance.now() - start) / 1000, { most: 60 }, 's'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await running.stop().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}

function clusterOf(dataDir: string): string {
  const { elsewhere } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  return elsewhere ?? join(dataDir, 'postgres');
}

function chownAll(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  if (statSync(path).isDirectory())
    for (const name of readdirSync(path)) chownAll(join(path, name), uid, gid);
}
