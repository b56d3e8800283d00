import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { addMedia, lockText } from '../texts/add-media.ts';

/**
 * Attaches a fetched picture to its inbound text and removes it from the list of those to fetch: together, so
 * that a job that runs twice attaches it once. Pictures keep the order in which they were sent, whatever
 * order they are fetched in: of the earlier ones, all that are no longer on the list are attached already.
 * Returns the conversation that shows it.
 */
export async function attachMedia(
  trx: Trx,
  picture: { accountId: number; messageId: number; position: number; mediaId: number },
): Promise<number | undefined> {
  const { accountId, messageId, position, mediaId } = picture;
  // Another picture of the same text, attached at this moment, would be counted as missing.
  await lockText(trx, picture);
  const { rows } = await sql<{ before: number }>`
    with fetched as (
      delete from inbound_media
      where account_id = ${accountId} and message_id = ${messageId} and position = ${position}
      returning account_id
    )
    select ${position}::integer - (
      select count(*)::integer from inbound_media
      where account_id = ${accountId} and message_id = ${messageId} and position < ${position}) as before
    from fetched`.execute(trx);
  const [place] = rows;
  return place && addMedia(trx, { accountId, messageId, mediaId, before: place.before });
}
