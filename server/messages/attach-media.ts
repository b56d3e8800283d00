import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Hangs a fetched picture on its inbound text and takes it off the list of those to fetch: together,
 * so that a job that runs twice hangs it once. Returns the conversation that shows it.
 */
export async function attachMedia(
  trx: Trx,
  picture: { accountId: number; messageId: number; position: number; mediaId: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ conversation_id: number }>`
    with fetched as (
      delete from inbound_media
      where account_id = ${picture.accountId} and message_id = ${picture.messageId} and position = ${picture.position}
      returning account_id, message_id
    ),
    hung as (
      update messages m set media_ids = m.media_ids || ${picture.mediaId}::bigint
      from fetched where m.account_id = fetched.account_id and m.message_id = fetched.message_id
      returning m.account_id, m.text_number_id, m.phone
    )
    select c.conversation_id from hung
    join conversations c on c.account_id = hung.account_id and c.text_number_id = hung.text_number_id and c.phone = hung.phone`.execute(
    trx,
  );
  return rows[0]?.conversation_id;
}
