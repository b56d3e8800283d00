import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Postgres, startPostgres } from './postgres.ts';
import { choosePort } from './postgres-process.ts';

/**
 * Copies the data of a running PostgreSQL as docs/operating.md says: between the two backup functions, without its log.
 * `meanwhile` runs while it is copied.
 */
export async function copyData(options: {
  url: string;
  from: string;
  to: string;
  /** Beginning of the copy: a standby that follows, or a recovery up to a moment. */
  signal: 'standby.signal' | 'recovery.signal';
  settings: Record<string, string>;
  meanwhile?: Promise<unknown>;
}): Promise<void> {
  const { from, to } = options;
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  const cluster = clusterOf(from);
  const copy = join(to, 'postgres');
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  try {
    await client.query("select pg_backup_start('copy', true)");
    cpSync(cluster, copy, {
      recursive: true,
      filter: (path) => !/\/(pg_wal\/.+|postmaster\.(pid|opts))$/.test(path),
    });
    await options.meanwhile;
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  writeFileSync(join(copy, options.signal), '');
  const lines = Object.entries(options.settings).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(copy, 'postgresql.auto.conf'), lines.join(''));
  const { uid, gid } = statSync(cluster);
  chownAll(copy, uid, gid);
}

export interface Standby extends Postgres {
  /** Becomes a database of its own that takes changes. */
  promote(): Promise<void>;
}

/** A standby of the embedded PostgreSQL in `from`, which follows it by streaming. For tests and benchmarks. */
export async function startStandby(options: {
  url: string;
  from: string;
  to: string;
  durable: boolean;
  /** Under which name it follows: the primary can wait for it (synchronous_standby_names). */
  name?: string;
}): Promise<Standby> {
  const { hostname, port, username, password } = new URL(options.url);
  const login = `host=${hostname} port=${port} user=${username} password=${password}`;
  const settings = {
    primary_conninfo: `${login} application_name=${options.name ?? 'standby'}`,
    // A read that blocks a change is canceled soon; Muster asks the primary then.
    max_standby_streaming_delay: '2s',
  };
  await copyData({ ...options, signal: 'standby.signal', settings });
  const own = await choosePort(0, [Number(port)]);
  writeFileSync(join(options.to, 'postgres.json'), JSON.stringify({ port: own, password }), { mode: 0o600 });
  const running = await startPostgres({ dataDir: options.to, durable: options.durable });
  return {
    ...running,
    async promote() {
      const client = new pg.Client({ connectionString: running.url });
      await client.connect();
      await client.query('select pg_promote()').finally(() => client.end());
    },
  };
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
