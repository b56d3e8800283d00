import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/**
 * Adds texts in message_search_queue to the index of words; returns how many. A text leaves the queue in the
 * statement that indexes it, so that a search finds it once, before and after.
 */
export async function indexMessages(trx: Trx, most: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with gone as (
      delete from message_search_queue
      -- By their position, even if the planner assumes that the queue is empty.
      where ctid = any(array(
        select ctid from message_search_queue order by account_id, message_id
        limit ${most} for update skip locked))
      returning account_id, message_id
    ),
    taken as (
      insert into message_search (account_id, message_id, text_number_id, phone, created_at, search_text)
      select m.account_id, m.message_id, m.text_number_id, m.phone, m.created_at, fold_words(m.body)
      from gone g join messages m on m.account_id = g.account_id and m.message_id = g.message_id
      on conflict do nothing
    )
    select count(*) as taken from gone`.execute(trx);
  return rows[0]?.taken ?? 0;
}
