import { type RawBuilder, sql } from 'kysely';
import { type GroupKey, replyGroupLimits } from '../../../contract/reply-groups.ts';
import type { Trx } from '../../db.ts';
import { textsOf } from '../../texts/choose-table.ts';
import { repliesOf } from '../results/list-replies.ts';
import type { SeenBroadcast } from '../results/read-broadcast.ts';

/** The columns of a reply that grouping needs. */
export interface ReplyState {
  id: number;
  recipientId: number;
  phone: string;
  textNumberId: number;
  isOptedOut: boolean;
  /** A user has written to them since, in their conversation or with the group. */
  isAnswered: boolean;
  answerBroadcastId: number | null;
  answeredIn: GroupKey | null;
  movedTo: GroupKey | null;
}

/** Other statuses are those of a text that failed or was withdrawn: it answers nothing. */
const arrives = sql`('waiting', 'sent', 'delivered', 'read', 'unknown')`;

/**
 * True if a reply `i` with its mark `k` was answered with its group, or by a user in the conversation. Automatic
 * messages don't count, nor do texts that failed or that were scheduled before the reply came.
 */
const isAnswered = (
  broadcast: SeenBroadcast,
): RawBuilder<unknown> => sql`(k.answer_broadcast_id is not null or exists (
  select from ${textsOf(broadcast)} o
  where o.account_id = i.account_id and o.text_number_id = i.text_number_id and o.phone = i.phone
    and o.created_at > i.created_at and not o.is_inbound and o.origin = 'conversation' and o.status in ${arrives}
    and not exists (
      select from scheduled_recipients s
      join scheduled_conversations d on d.account_id = s.account_id and d.scheduled_id = s.scheduled_id
      where s.account_id = o.account_id and s.message_id = o.message_id and d.created_at < i.created_at)))`;

/** The latest replies to a broadcast, or the given ones, newest first. */
export async function readReplyStates(
  trx: Trx,
  broadcast: SeenBroadcast,
  ids?: readonly number[],
): Promise<ReplyState[]> {
  const { rows } = await sql<ReplyState>`
    -- "materialized": the replies first, and what belongs to them only for these.
    with reply as materialized (
      select i.account_id, i.message_id, i.broadcast_id, i.created_at, i.text_number_id, i.phone, r.recipient_id
      from ${repliesOf(broadcast, { q: '', answer: undefined, ids })}
      order by i.created_at desc, i.message_id desc limit ${replyGroupLimits.grouped}
    )
    select i.message_id as id, i.recipient_id as "recipientId", i.phone, i.text_number_id as "textNumberId",
      coalesce(p.text_state = 'out', false) as "isOptedOut", ${isAnswered(broadcast)} as "isAnswered",
      k.answer_broadcast_id as "answerBroadcastId", k.answered_in as "answeredIn", k.moved_to as "movedTo"
    from reply i
    left join broadcast_reply_marks k on k.account_id = i.account_id and k.broadcast_id = i.broadcast_id
      and k.message_id = i.message_id
    left join phone_consents p on p.account_id = i.account_id and p.phone = i.phone
    order by i.created_at desc, i.message_id desc`.execute(trx);
  return rows;
}

/** Their words, and the text that they answer. */
export async function readReplyTexts(trx: Trx, broadcast: SeenBroadcast, ids: readonly number[]) {
  const { accountId, broadcastId } = broadcast;
  const { rows } = await sql<{ id: number; text: string }>`
    select message_id as id, body as text from ${textsOf(broadcast)}
    where account_id = ${accountId} and message_id = any(${ids}::bigint[])`.execute(trx);
  const { body } = await trx
    .selectFrom('broadcasts')
    .select('body')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirstOrThrow();
  return { texts: rows, asked: body };
}
