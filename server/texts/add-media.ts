import { sql } from 'kysely';
import type { Trx } from '../db.ts';

interface TextKey {
  accountId: number;
  messageId: number;
}

/** Locks the text until this transaction ends. */
export async function lockText(trx: Trx, { accountId, messageId }: TextKey): Promise<void> {
  await sql`
    select from messages where account_id = ${accountId} and message_id = ${messageId} for no key update`.execute(
    trx,
  );
}

/** Adds a picture to a text at the given position. Returns the conversation that shows it. */
export async function addMedia(
  trx: Trx,
  { accountId, messageId, mediaId, before }: TextKey & { mediaId: number; before: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ conversation_id: number }>`
    with added as (
      update messages m
      set media_ids = m.media_ids[:${before}::integer] || ${mediaId}::bigint || m.media_ids[${before}::integer + 1:]
      where m.account_id = ${accountId} and m.message_id = ${messageId}
      returning m.account_id, m.text_number_id, m.phone
    )
    select c.conversation_id from added
    join conversations c on c.account_id = added.account_id and c.text_number_id = added.text_number_id
      and c.phone = added.phone`.execute(trx);
  return rows[0]?.conversation_id;
}
