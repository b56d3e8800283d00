import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/** Conversations that answer a broadcast, each with its latest answer. */
export async function recordBroadcastReplies(
  trx: Trx,
  replies: { accountId: number; broadcastId: number; conversationId: number; at: Date }[],
): Promise<void> {
  if (replies.length === 0) return;
  const column = <T>(pick: (reply: (typeof replies)[number]) => T) => replies.map(pick);
  await sql`
    insert into broadcast_replies as r (account_id, broadcast_id, conversation_id, replied_at)
    select account_id, broadcast_id, conversation_id, max(at)
    from unnest(
      ${column((r) => r.accountId)}::bigint[], ${column((r) => r.broadcastId)}::bigint[],
      ${column((r) => r.conversationId)}::bigint[], ${column((r) => r.at)}::timestamptz[]
    ) as t(account_id, broadcast_id, conversation_id, at)
    group by account_id, broadcast_id, conversation_id
    order by account_id, broadcast_id, conversation_id
    on conflict (account_id, broadcast_id, conversation_id) do update
    set replied_at = greatest(r.replied_at, excluded.replied_at)`.execute(trx);
}
