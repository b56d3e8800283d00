import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db.ts';
import { prepared } from './prepared.ts';

/** The conditions that are true, by their position. One statement for all, because most find nothing. */
export async function findWaiting(database: Database, wheres: RawBuilder<unknown>[]): Promise<number[]> {
  const columns = wheres.map((where, index) => sql`${where} as ${sql.id(`w${index}`)}`);
  const { rows } = await sql<Record<string, boolean>>`${prepared} select ${sql.join(columns)}`.execute(
    database.system,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a select without a table has one row');
  return wheres.flatMap((_, index) => (found[`w${index}`] ? [index] : []));
}
