import { sql } from 'kysely';
import { asSystem, type Database } from '../../db.ts';

/**
 * A broadcast is read from both this long before its texts are old enough to move: most of them were sent
 * before it ended.
 */
const aheadDays = 7;
const broadcastsAtOnce = 1_000;

/**
 * For broadcasts whose texts are about to be archived: marks their results as read from both. Those that a
 * course or an A/B test still reads are left out, and keep their texts.
 */
export async function openArchives(database: Database, afterMonths: number): Promise<void> {
  for (let isMore = true; isMore; ) {
    isMore = await asSystem(database, async (trx) => {
      const { rows } = await sql`
        update broadcasts b set texts_archived_at = now()
        from (
          select account_id, broadcast_id from broadcasts b
          where b.texts_archived_at is null and b.status in ('completed', 'canceled') and b.sequence_id is null
            and b.ended_at < now() - make_interval(months => ${afterMonths}) + ${aheadDays} * interval '1 day'
            and not exists (select from second_texts t
              where t.account_id = b.account_id and t.broadcast_id = b.broadcast_id)
          order by account_id, broadcast_id limit ${broadcastsAtOnce} for update skip locked) old
        where b.account_id = old.account_id and b.broadcast_id = old.broadcast_id
        returning b.broadcast_id`.execute(trx);
      return rows.length === broadcastsAtOnce;
    });
  }
}
