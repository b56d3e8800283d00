import { sql } from 'kysely';
import type { Trx } from './db.ts';

/** An upgrade takes minutes, or hours where machines are replaced one by one. */
const besideDays = 7;

/** True if processes that don't know a migration may still run beside this one (decision 0129). */
export async function mayHaveEarlierBeside(trx: Trx, migration: string): Promise<boolean> {
  const { rows } = await sql`
    select from migrations where name = ${migration} and applied_at > now() - ${besideDays} * interval '1 day'`.execute(
    trx,
  );
  return rows.length > 0;
}
