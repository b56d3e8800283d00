import { sql } from 'kysely';
import type { Reply } from '../../../contract/call.ts';
import type { getConversationsSummary } from '../../../contract/conversations.ts';
import type { Trx } from '../../db.ts';
import { prepared } from '../../prepared.ts';
import type { Actor } from '../../serve.ts';
import { needsNoAnswer } from '../queries.ts';

/** No running total is kept of these. They are counted each time, by a dedicated index. */
const mostCounted = 1000;

/**
 * Number of conversations of these numbers by state: the sums so far, and the changes since. One statement sees both
 * in one snapshot, so the figures are exact while a job adds them up.
 */
export async function summarizeConversations(
  trx: Trx,
  actor: Actor,
  numbers: number[],
): Promise<Reply<typeof getConversationsSummary>> {
  const { rows } = await sql<Reply<typeof getConversationsSummary>>`
    ${prepared} with part as (
      select text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out from conversation_counts
      where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
      union all
      select text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out from conversation_count_changes
      where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
    )
    select coalesce(sum(unread), 0)::int as "UnreadCount", coalesce(sum(open), 0)::int as "OpenCount",
      coalesce(sum(open) filter (where assigned_user_id = ${actor.userId}), 0)::int as "MineCount",
      coalesce(sum(unread) filter (where assigned_user_id = ${actor.userId}), 0)::int as "MineUnreadCount",
      coalesce(sum(open) filter (where assigned_user_id = 0), 0)::int as "UnassignedCount",
      coalesce(sum(snoozed), 0)::int as "SnoozedCount", coalesce(sum(done), 0)::int as "DoneCount",
      coalesce(sum(opted_out), 0)::int as "AutoOptOutCount", (
        select count(*)::int from (
          select from conversations c
          where c.account_id = ${actor.accountId} and c.text_number_id = any(${numbers}::bigint[]) and c.place = 0
            and ${needsNoAnswer}
          limit ${mostCounted}) found) as "NoAnswerCount",
      coalesce((
        select json_agg(json_build_object('TextNumberID', n.text_number_id, 'UnreadCount', n.unread, 'OpenCount', n.open)
          order by n.text_number_id)
        from (select text_number_id, sum(unread)::int as unread, sum(open)::int as open from part group by 1) n
      ), '[]') as "TextNumbers"
    from part`.execute(trx);
  const [summary] = rows;
  if (summary === undefined) throw new Error('a sum has one row');
  return summary;
}
