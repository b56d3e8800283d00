import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findTemporaryFolder } from './postgres-place.ts';

/** PgBouncer where a package puts it; undefined where there is none. */
export function findPgbouncer(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync);
}

export interface Pgbouncer {
  /** For DATABASE_POOL_URL. */
  url: string;
  stop(): Promise<void>;
}

/** A PgBouncer in transaction mode in front of a database, with a database for each role. For tests and benchmarks. */
export async function startPgbouncer(options: {
  program: string;
  databaseUrl: string;
  port: number;
  /** Connections to the database, for each role. */
  connections: number;
  /** True if the databases take the role when they connect, which is the default. */
  takesRole?: boolean;
}): Promise<Pgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(options.databaseUrl);
  const folder = mkdtempSync(join(findTemporaryFolder(), 'muster-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const login = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  const databases = ['muster_app', 'muster_system'].map((role) => {
    const query = options.takesRole === false ? 'select 1' : `set role ${role}`;
    return `${role} = ${login} connect_query='${query}'`;
  });
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: options.port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: options.connections,
    max_client_conn: 500,
    server_login_retry: 1,
    server_fast_close: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file, ['[databases]', ...databases, '[pgbouncer]', ...lines, ''].join('\n'));
  // It refuses to be root; as nobody it has to be able to read this.
  chmodSync(folder, 0o755);
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(options.program, ['-q', ...asNobody, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await isListening(options.port)); tries += 1) {
    if (child.exitCode === null && tries < 200) await delay(25);
    else {
      await stop();
      throw new Error(`PgBouncer did not start: ${said}`);
    }
  }
  return { url: `postgres://${username}@127.0.0.1:${options.port}/muster`, stop };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
