import pg from 'pg';
import { schemaSql } from './schema-sql.ts';
import { schemaTypes } from './schema-types.ts';

/**
 * Reads the schema `public` of a migrated database back out of PostgreSQL's own catalogs: as SQL for people
 * to read and compare (server/schema.sql), and as Kysely's types (server/schema.types.ts). The same schema
 * gives the same text on every machine.
 */
export async function generateSchema(databaseUrl: string): Promise<{ sql: string; types: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Expressions are printed without `public.` only when it is on the path.
    await client.query('set search_path to public');
    return { sql: await schemaSql(client), types: await schemaTypes(client) };
  } finally {
    await client.end();
  }
}
