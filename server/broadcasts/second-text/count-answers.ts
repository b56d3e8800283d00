import { sql } from 'kysely';
import type { Trx } from '../../db.ts';
import type { TextPlace } from './rules.ts';

/** The results of a text among those who got it first; with place null, among the rest. */
export interface TriedCounts {
  place: TextPlace | null;
  sent: number;
  delivered: number;
  replied: number;
  clicked: number;
  stopped: number;
}

/**
 * Counts both texts of a broadcast, and the rest. A slice holds only one of the texts, so sent texts are counted by slice.
 * Answers are counted by the text that each person got. The cost grows with slices and answers, not with recipients.
 */
export async function countAnswers(
  trx: Trx,
  { accountId, broadcastId }: { accountId: number; broadcastId: number },
): Promise<Record<'first' | 'second' | 'rest', TriedCounts>> {
  const { rows } = await sql<TriedCounts>`
    with texts as (
      select place, sum(total - waiting - opted_out - canceled) as sent, sum(delivered + read) as delivered
      from broadcast_slices where account_id = ${accountId} and broadcast_id = ${broadcastId}
      group by place
    ),
    answered as (
      select r.recipient_id, 'replied' as how from broadcast_recipients r
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.replied_at is not null
      union all
      select r.recipient_id, 'stopped' from broadcast_recipients r
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.stopped_at is not null
      union all
      select distinct t.recipient_id, 'clicked'
      from links l join link_tokens t on t.account_id = l.account_id and t.link_id = l.link_id
      where l.account_id = ${accountId} and l.broadcast_id = ${broadcastId} and t.clicks > 0
    ),
    answers as (
      select s.place, count(*) filter (where a.how = 'replied') as replied,
        count(*) filter (where a.how = 'stopped') as stopped, count(*) filter (where a.how = 'clicked') as clicked
      from answered a
      join broadcast_recipients r on r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
        and r.recipient_id = a.recipient_id
      join messages m on m.account_id = r.account_id and m.message_id = r.message_id
      join broadcast_slices s on s.account_id = m.account_id and s.broadcast_id = ${broadcastId}
        and s.slice_id = m.slice_id
      group by s.place
    )
    select p.place, coalesce(t.sent, 0)::int as sent, coalesce(t.delivered, 0)::int as delivered,
      coalesce(a.replied, 0)::int as replied, coalesce(a.clicked, 0)::int as clicked,
      coalesce(a.stopped, 0)::int as stopped
    from (values (1), (2), (null)) p(place)
    left join texts t on t.place is not distinct from p.place
    left join answers a on a.place is not distinct from p.place`.execute(trx);
  const of = (wanted: TextPlace | null): TriedCounts =>
    rows.find((row) => row.place === wanted) ?? {
      ...{ place: wanted, sent: 0, delivered: 0 },
      ...{ replied: 0, clicked: 0, stopped: 0 },
    };
  return { first: of(1), second: of(2), rest: of(null) };
}
