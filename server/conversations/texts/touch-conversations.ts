import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { writeConversations } from '../write-conversations.ts';

interface SentText {
  accountId: number;
  textNumberId: number;
  phone: string;
  messageId: number;
  createdAt: Date;
}

/**
 * For outbound texts: each conversation exists, shows the latest of them as its last message, becomes read,
 * open and awake, and nobody is waiting in it any more. If nobody viewed it for the text, unread texts stay
 * unread and a wait continues. Returns the conversations' ids by the texts' ids.
 */
export async function touchConversations(
  trx: Trx,
  texts: SentText[],
  { isUnattended = false }: { isUnattended?: boolean } = {},
): Promise<Map<number, number>> {
  if (texts.length === 0) return new Map();
  const threadOf = (t: { accountId: number; textNumberId: number; phone: string }) =>
    `${t.accountId} ${t.textNumberId} ${t.phone}`;
  // A statement can update a row only once: the last text of a thread is used for all.
  const latest = [...new Map(texts.map((text) => [threadOf(text), text])).values()];
  const column = <T>(pick: (text: (typeof latest)[number]) => T) => latest.map(pick);
  const rows = await writeConversations<{
    accountId: number;
    textNumberId: number;
    phone: string;
    conversation_id: number;
  }>(trx, {
    isPrepared: true,
    write: sql`
      insert into conversations as c (account_id, text_number_id, phone, last_message_id, last_message_at)
      select * from unnest(
        ${column((t) => t.accountId)}::bigint[], ${column((t) => t.textNumberId)}::bigint[], ${column((t) => t.phone)}::text[],
        ${column((t) => t.messageId)}::bigint[], ${column((t) => t.createdAt)}::timestamptz[]
      ) as t(account_id, text_number_id, phone, message_id, at)
      -- In the order of the key, as in receive-texts.ts, to avoid deadlocks.
      order by 1, 2, 3
      on conflict (account_id, text_number_id, phone) do update set
        last_message_id = excluded.last_message_id,
        last_message_at = greatest(c.last_message_at, excluded.last_message_at),
        waiting_since = case when ${isUnattended}::boolean then c.waiting_since end,
        courtesy_since = case when ${isUnattended}::boolean then c.courtesy_since end,
        unread_count = case when ${isUnattended}::boolean then c.unread_count else 0 end,
        is_done = false, snoozed_until = null, is_retired = false, continued_in_id = null`,
    select: sql`(new_row).account_id as "accountId", (new_row).text_number_id as "textNumberId", (new_row).phone,
      (new_row).conversation_id`,
  });
  const ids = new Map(rows.map((row) => [threadOf(row), row.conversation_id]));
  return new Map(texts.map((text) => [text.messageId, ids.get(threadOf(text)) ?? 0]));
}
