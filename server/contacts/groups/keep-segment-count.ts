import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import type { ShownList } from '../queries.ts';

/** Keeps how many a segment found when it was last asked: the list of groups shows it without asking again. */
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
