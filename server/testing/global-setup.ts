import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Postgres, startTemporaryPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../migrate.ts';
import { templateName } from './test-db.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address where a worker requests its PostgreSQL (`clusterUrl` in test-db.ts). */
    clustersUrl: string;
    /** The address where sandboxes are started and ended (sandbox/several.ts). */
    sandboxesUrl: string;
  }
}

/**
 * A PostgreSQL for each worker, and in it a migrated database that every test file clones; and one process of
 * sandboxes. Files that run beside each other don't share a PostgreSQL: transactions and locks of one database delay
 * those who work in another of the same cluster (`pg_snapshot_xmin`, `pg_locks`).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const clusters = new Map<string, Promise<Postgres>>();
  const clusterOf = (worker: string): Promise<Postgres> => {
    const known = clusters.get(worker) ?? startCluster();
    clusters.set(worker, known);
    return known;
  };
  // While the first worker starts. The others' begin on request: one test file needs no more.
  clusterOf('1').catch(() => undefined);
  const server = createServer((request, response) => {
    clusterOf((request.url ?? '').slice(1)).then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error instanceof Error ? error.stack : error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('clustersUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const sandboxes = fork(join(import.meta.dirname, '../../sandbox/several.ts'));
  const [port] = await once(sandboxes, 'message');
  project.provide('sandboxesUrl', `http://127.0.0.1:${port}`);
  return async () => {
    sandboxes.disconnect();
    server.closeAllConnections();
    server.close();
    const started = await Promise.allSettled(clusters.values());
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)));
  };
}

async function startCluster(): Promise<Postgres> {
  const postgres = await startTemporaryPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // Autovacuum runs at any time, and its transactions delay readers of events. Tests analyze the tables that
  // they need.
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  await client.query(`create database ${templateName}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${templateName}`;
  await migrate(url.href);
  return postgres;
}
