import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from './db.ts';

/**
 * Makes PostgreSQL analyze tables as they grow: at the first call, the ninth after it, the eighty-first …
 * Until then it assumes the table's old size, an account with a single contact, and that any index is as good
 * as the right one: a slice took minutes. Concurrent callers wait for the analyze, so it is a short one;
 * autovacuum's take longer.
 */
export function keepStatistics(database: Database, tables: readonly string[]): () => Promise<void> {
  let steps = 0;
  let next = 0;
  let looking: Promise<unknown> = Promise.resolve();
  return async () => {
    if (steps === next) {
      next = Math.max(9, 9 * next);
      looking = database.system.transaction().execute(async (trx) => {
        await sql`set local default_statistics_target = 10`.execute(trx);
        await sql`analyze ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx);
      });
    }
    steps += 1;
    await looking;
  };
}

/** From this many rows on it matters; a table with fewer pages than this can't have that many. */
const many = 1_000;
const fewPages = 100;

/**
 * True if PostgreSQL assumes that one of these tables is nearly empty although its file is large: a boolean in SQL.
 * It stores the rows per page of its last analyze, and that is zero if a queue was empty then, or if all its rows
 * were not committed yet.
 */
export function seemsMisjudged(tables: readonly string[]): RawBuilder<boolean> {
  // "offset 0": the file's size is read once per table, not again in each condition that uses it.
  return sql`exists (
    select from pg_class c, lateral (
      select pg_relation_size(c.oid) / current_setting('block_size')::integer as pages offset 0) file
    where c.oid = any(${tables}::regclass[]) and c.relpages > 0 and file.pages > ${fewPages}
      and file.pages * c.reltuples / c.relpages < ${many / 20})`;
}

/**
 * Analyzes those that do contain many rows. Otherwise a plan may scan all of them for each row that it looks
 * up: a claim of a thousand from a hundred thousand took a minute, and an analyze takes a moment.
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

/**
 * For statements that compare everybody in one table with everybody in another: those of another system with ours, the
 * people of a campaign with its group. PostgreSQL assumes that tables filled a moment ago are empty, and would then scan
 * all of one for each row of the other.
 */
export async function joinWholeTables(trx: Trx): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(trx);
}
