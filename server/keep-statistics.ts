import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db.ts';

/**
 * Has PostgreSQL look at tables as they grow: when first asked, at the ninth step after, the eighty-first … Until it looks
 * it takes a table for as large as it was, an account for one with a single contact, and any index for as good as the
 * right one: a slice took minutes. Who asks meanwhile waits for the look.
 */
export function keepStatistics(database: Database, tables: RawBuilder<unknown>): () => Promise<void> {
  let steps = 0;
  let next = 0;
  let looking: Promise<unknown> = Promise.resolve();
  return async () => {
    if (steps === next) {
      next = Math.max(9, 9 * next);
      looking = sql`analyze ${tables}`.execute(database.system);
    }
    steps += 1;
    await looking;
  };
}
