import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db.ts';

/**
 * Has PostgreSQL look at tables as they grow: when first asked, at the ninth step after, the eighty-first … Until it looks
 * it takes a table for as large as it was, an account for one with a single contact, and any index for as good as the
 * right one: a slice took minutes. Who asks meanwhile waits for the look, so it is a short one; autovacuum's are longer.
 */
export function keepStatistics(database: Database, tables: RawBuilder<unknown>): () => Promise<void> {
  let steps = 0;
  let next = 0;
  let looking: Promise<unknown> = Promise.resolve();
  return async () => {
    if (steps === next) {
      next = Math.max(9, 9 * next);
      looking = database.system.transaction().execute(async (trx) => {
        await sql`set local default_statistics_target = 10`.execute(trx);
        await sql`analyze ${tables}`.execute(trx);
      });
    }
    steps += 1;
    await looking;
  };
}

/** From this many rows on it matters; a table of fewer pages than these has no such number. */
const many = 1_000;
const fewPages = 100;

/**
 * Whether PostgreSQL takes one of these tables for nearly empty though its file is large: a boolean of SQL. It keeps the
 * rows a page that it found when it looked last, and that is none where a queue was empty then, or where all its rows
 * were still to be committed.
 */
export function seemsMisjudged(tables: readonly string[]): RawBuilder<boolean> {
  // "offset 0": the file's size is asked for once a table, not again in each condition that names it.
  return sql`exists (
    select from pg_class c, lateral (
      select pg_relation_size(c.oid) / current_setting('block_size')::integer as pages offset 0) file
    where c.oid = any(${tables}::regclass[]) and c.relpages > 0 and file.pages > ${fewPages}
      and file.pages * c.reltuples / c.relpages < ${many / 20})`;
}

/**
 * Has it look again at those that do hold many rows. Otherwise it may go through all of them for each row that it looks
 * for: a claim of a thousand from a hundred thousand took a minute, and a look takes a moment.
 */
export async function lookAtMisjudged(database: Database, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const table = sql.table(name);
    const { rows } = await sql<{ isMisjudged: boolean }>`
      select ${seemsMisjudged([name])} and (select count(*) from (select from ${table} limit ${many}) found) = ${many}
        as "isMisjudged"`.execute(database.system);
    if (rows[0]?.isMisjudged) await sql`analyze ${table}`.execute(database.system);
  }
}
