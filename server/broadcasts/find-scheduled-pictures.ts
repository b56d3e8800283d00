import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** Whether texts with pictures are scheduled: on a monthly plan they need the add-on. */
export async function hasScheduledPictures(trx: Trx, accountId: number): Promise<boolean> {
  const found = await trx
    .selectFrom('broadcasts')
    .select('broadcast_id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'scheduled')
    .where(sql<boolean>`cardinality(media_ids) > 0`)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
