import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Hangs a fetched picture on its inbound text and takes it off the list of those to fetch: together,
 * so that a job that runs twice hangs it once. Pictures stand in the order in which they were sent,
 * whatever order they are fetched in: of those before this one, all that are no longer on the list
 * hang already. Returns the conversation that shows it.
 */
export async function attachMedia(
  trx: Trx,
  picture: { accountId: number; messageId: number; position: number; mediaId: number },
): Promise<number | undefined> {
  const { accountId, messageId, position, mediaId } = picture;
  // Alone with the text from here on: another picture of it, hung at this moment, would be counted as missing.
  await sql`
    select from messages where account_id = ${accountId} and message_id = ${messageId} for no key update`.execute(
    trx,
  );
  const { rows } = await sql<{ conversation_id: number }>`
    with fetched as (
      delete from inbound_media
      where account_id = ${accountId} and message_id = ${messageId} and position = ${position}
      returning account_id, message_id
    ),
    place as (
      select ${position} - count(*)::integer as before
      from inbound_media
      where account_id = ${accountId} and message_id = ${messageId} and position < ${position}
    ),
    hung as (
      update messages m
      set media_ids = m.media_ids[:place.before] || ${mediaId}::bigint || m.media_ids[place.before + 1:]
      from fetched, place where m.account_id = fetched.account_id and m.message_id = fetched.message_id
      returning m.account_id, m.text_number_id, m.phone
    )
    select c.conversation_id from hung
    join conversations c on c.account_id = hung.account_id and c.text_number_id = hung.text_number_id and c.phone = hung.phone`.execute(
    trx,
  );
  return rows[0]?.conversation_id;
}
