import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { getSecret } from '../auth/queries.ts';
import { type Database, openDatabase } from '../db.ts';
import { signLinksWith } from '../media-links.ts';

export const templateName = 'muster_template';

let cluster: Promise<string> | undefined;

/** The owner's URL of the PostgreSQL that belongs to this worker alone (global-setup.ts). */
export function clusterUrl(): Promise<string> {
  cluster ??= findCluster();
  return cluster;
}

async function findCluster(): Promise<string> {
  const answer = await fetch(`${inject('clustersUrl')}/${process.env.VITEST_POOL_ID}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

/** A fresh database, cloned from the migrated template (some 25 ms). */
export async function cloneDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const owned = await clusterUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  // As files: the other strategy writes each page into the log.
  const create = `create database ${name} template ${templateName} strategy file_copy`;
  await asOwner(owned, (client) => client.query(create));
  const url = new URL(owned);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await asOwner(owned, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/**
 * Statements that the program itself may not run: on a connection of the database's owner
 * (`app.databaseUrl`).
 */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A separate database for one test. */
export async function testDb(): Promise<Database> {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase(url, { connections: 8 });
  signLinksWith(await getSecret(database));
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return database;
}
