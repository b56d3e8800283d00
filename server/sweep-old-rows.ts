import { sql } from 'kysely';
import type { Database } from './db.ts';

/** Deletes old rows of the tables that belong to no slice. */
export async function sweepOldRows(database: Database): Promise<void> {
  for (const statement of [
    sql`delete from idempotency_keys where created_at < now() - interval '3 days'`,
    // There are millions of their rows, without a foreign key.
    sql`with old as (delete from undos where created_at < now() - interval '1 day' returning account_id, undo_id),
      sets as (delete from undo_sets s using old where s.account_id = old.account_id and s.undo_id = old.undo_id)
      delete from undo_rows r using old where r.account_id = old.account_id and r.undo_id = old.undo_id`,
    sql`delete from work where ended_at < now() - interval '7 days'`,
  ]) {
    await statement.execute(database.system);
  }
}
