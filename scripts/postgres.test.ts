import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { PlainError } from './plain-error.ts';
import { type Postgres, startPostgres } from './postgres.ts';

async function query(postgres: Postgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster test '));
  const running: Postgres[] = [];

  async function start(): Promise<Postgres> {
    const postgres = await startPostgres({ dataDir, durable: false });
    running.push(postgres);
    return postgres;
  }

  async function stopAll(): Promise<void> {
    for (const postgres of running.splice(0)) await postgres.stop();
  }

  afterEach(stopAll);

  afterAll(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keeps its data and its port, also in a path with a space', async () => {
    const first = await start();
    await query(first, 'create table kept as select 7 as value');
    await stopAll();
    await expect(query(first, 'select 1')).rejects.toThrow('ECONNREFUSED');
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('listens here only, asks for the password, and tells it to nobody else', async () => {
    const postgres = await start();
    const [settings] = await query(
      postgres,
      "select current_setting('listen_addresses') as at, current_setting('unix_socket_directories') as sockets",
    );
    expect(settings).toEqual({ at: '127.0.0.1', sockets: '' });
    const wrong = new pg.Client({ connectionString: postgres.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
  });

  it('takes letters of every language for letters, and sorts by code point', async () => {
    const postgres = await start();
    await query(postgres, 'create extension if not exists pg_trgm');
    const [row] = await query(
      postgres,
      "select similarity('Ćosić', 'ćosić') as alike, upper('é') as upper, 'Z' < 'a' as by_code",
    );
    expect(row).toEqual({ alike: 1, upper: 'É', by_code: true });
  });

  it('refuses a second start on the same data in one sentence', async () => {
    const postgres = await start();
    const refusal = await startPostgres({ dataDir, durable: false }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PlainError);
    expect(String(refusal)).toContain('already running');
    expect(await query(postgres, 'select 1 as still')).toEqual([{ still: 1 }]);
  });

  it('comes back by itself, on the same port, when it is killed', async () => {
    const postgres = await start();
    const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => query(postgres, 'select value from kept').catch(() => undefined), { timeout: 120_000 })
      .toEqual([{ value: 7 }]);
  });

  it('takes another port when its own is taken', async () => {
    const before = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).port;
    const other = createServer().listen(before, '127.0.0.1');
    await once(other, 'listening');
    const postgres = await start();
    expect(postgres.port).not.toBe(before);
    expect(JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).port).toBe(postgres.port);
    other.close();
  });
});
