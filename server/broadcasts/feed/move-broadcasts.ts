import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../../db.ts';
import { otherCarrier, takesPictures } from '../../texts/move-texts.ts';

/**
 * For broadcasts that are due and whose carrier is down: feeds them to the other carrier of their number, to
 * their end. Slices that a worker holds stay with their original carrier. Returns how many.
 */
export async function failOverBroadcasts(database: Database, down: number[], up: number[]): Promise<number> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql`
      with due as (
        select b.account_id, b.broadcast_id, ${otherCarrier('b')} as other
        from broadcasts b
        join text_numbers n on n.account_id = b.account_id and n.text_number_id = b.text_number_id
        where b.aggregator_id = any(${down}::smallint[]) and b.status in ('scheduled', 'broadcasting')
          and b.next_feed_at <= now() and ${otherCarrier('b')} = any(${up}::smallint[])
          and (b.media_ids = '{}' or ${takesPictures(otherCarrier('b'))})
        for no key update of b skip locked
      )
      update broadcasts b set aggregator_id = due.other, has_changed_carrier = true
      from due where b.account_id = due.account_id and b.broadcast_id = due.broadcast_id
      returning b.broadcast_id`.execute(trx);
    return rows.length;
  });
}

/** Assigns a number's unfinished broadcasts to its new carrier, from their next slice on. */
export async function moveBroadcasts(
  trx: Trx,
  number: { accountId: number; textNumberId: number; aggregatorId: number },
): Promise<number> {
  const { rows } = await sql`
    update broadcasts set aggregator_id = ${number.aggregatorId}, has_changed_carrier = true
    where account_id = ${number.accountId} and text_number_id = ${number.textNumberId}
      and aggregator_id <> ${number.aggregatorId} and status in ('scheduled', 'broadcasting', 'paused')
      and (media_ids = '{}' or ${takesPictures(sql`${number.aggregatorId}::int`)})
    returning broadcast_id`.execute(trx);
  return rows.length;
}
