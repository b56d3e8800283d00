import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import type { ShownList } from '../queries.ts';

/**
 * Saves how many contacts a segment found when it was last evaluated: the list of groups shows it without
 * evaluating it again.
 */
export async function keepSegmentCount(
  trx: Trx,
  accountId: number,
  { listId, rosterCount }: Pick<ShownList, 'listId' | 'rosterCount'>,
  found: number,
): Promise<void> {
  if (found === rosterCount) return;
  await sql`
    insert into list_counts (account_id, list_id, roster_count) values (${accountId}, ${listId}, ${found})
    on conflict (account_id, list_id) do update set roster_count = excluded.roster_count`.execute(trx);
}
