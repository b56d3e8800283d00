import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../migrate.ts';
import { templateName } from './test-db.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's address of the cluster that the tests share. */
    postgresUrl: string;
    /** Where sandboxes are started and ended (sandbox/several.ts). */
    sandboxesUrl: string;
  }
}

/** One PostgreSQL for the whole run, and in it a migrated database that every test file clones; and one process of sandboxes. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${templateName}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${templateName}`;
  await migrate(url.href);
  project.provide('postgresUrl', postgres.url);
  const sandboxes = fork(join(import.meta.dirname, '../../sandbox/several.ts'));
  const [port] = await once(sandboxes, 'message');
  project.provide('sandboxesUrl', `http://127.0.0.1:${port}`);
  return async () => {
    sandboxes.disconnect();
    await postgres.stop();
  };
}
