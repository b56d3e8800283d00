import { sql } from 'kysely';
import { countPhones } from '../consents/count-moved.ts';
import type { Database } from '../db.ts';

/**
 * The quarters of an hour of an account whose counts of opt-outs and opt-ins differ from its phones' states.
 */
export async function wrongConsentCounts(database: Database, accountId: number): Promise<unknown[]> {
  const { rows } = await sql`
    select account_id, quarter, sum(texts_out)::int as texts_out, sum(calls_out)::int as calls_out, sum(texts_in)::int as texts_in
    from (
      select * from (${countPhones(accountId)}) n
      union all
      select account_id, quarter, -texts_out, -calls_out, -texts_in from consent_counts where account_id = ${accountId}
    ) both_sides
    group by 1, 2 having (sum(texts_out), sum(calls_out), sum(texts_in)) <> (0, 0, 0)`.execute(
    database.system,
  );
  return rows;
}
