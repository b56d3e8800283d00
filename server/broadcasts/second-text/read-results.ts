import { sql } from 'kysely';
import type { SecondTextResults, TriedText } from '../../../contract/second-text.ts';
import type { Trx } from '../../db.ts';
import type { SentStatus } from '../rules.ts';
import { countAnswers, type TriedCounts } from './count-answers.ts';
import { describeDecision, type TextPlace } from './rules.ts';

/** The broadcast as already loaded for its page. */
interface ReadBroadcast {
  account_id: number;
  BroadcastID: number;
  TextMessage: string;
  status: SentStatus;
  PhoneNumberCount: number;
}

interface Row {
  text_message: string;
  share: number;
  decide_by: 'replies' | 'clicks';
  hours: number;
  first_segments: number;
  second_segments: number;
  decide_at: Date | null;
  winner: TextPlace | null;
  reason: 'more' | 'tie' | 'nobody' | 'chosen' | null;
  decided_at: Date | null;
  decided_by: string;
  first_sent: number | null;
  second_sent: number | null;
  first_people: number | null;
  second_people: number | null;
  firstTotal: number;
  secondTotal: number;
  fed: number;
}

/** Both texts of a broadcast side by side, and the decision; null where it has one. */
export async function readSecondTextResults(
  trx: Trx,
  broadcast: ReadBroadcast,
): Promise<SecondTextResults | null> {
  const { account_id: accountId, BroadcastID: broadcastId } = broadcast;
  const { rows } = await sql<Row>`
    select t.*, coalesce(btrim(u.first_name || ' ' || u.last_name), '') as decided_by,
      coalesce(z.first, 0)::int as "firstTotal", coalesce(z.second, 0)::int as "secondTotal", coalesce(z.fed, 0)::int as fed
    from second_texts t
    left join users u on u.account_id = t.account_id and u.user_id = t.decided_by
    left join lateral (
      select sum(l.total) filter (where l.place = 1) as first, sum(l.total) filter (where l.place = 2) as second,
        sum(l.fed) as fed
      from second_text_zones l where l.account_id = t.account_id and l.broadcast_id = t.broadcast_id) z on true
    where t.account_id = ${accountId} and t.broadcast_id = ${broadcastId}`.execute(trx);
  const [row] = rows;
  if (row === undefined) return null;
  const counts = await countAnswers(trx, { accountId, broadcastId });
  const first = toTried(broadcast.TextMessage, row.first_segments, row.firstTotal, counts.first);
  const second = toTried(row.text_message, row.second_segments, row.secondTotal, counts.second);
  const isOver = ['canceled', 'sent', 'completed'].includes(broadcast.status);
  return {
    Share: row.share,
    DecideBy: row.decide_by === 'clicks' ? 'Clicks' : 'Replies',
    Hours: row.hours,
    State: stateOf(row, isOver),
    First: first,
    Second: second,
    Decides: row.winner === null && !isOver ? (row.decide_at?.toISOString() ?? null) : null,
    Winner: row.winner === null ? null : row.winner === 1 ? 'First' : 'Second',
    Reason: reasonOf(row),
    Decided: row.decided_at?.toISOString() ?? null,
    RestCount: Math.max(0, broadcast.PhoneNumberCount - row.firstTotal - row.secondTotal),
    RestSentCount: counts.rest.sent,
  };
}

function toTried(text: string, segments: number, people: number, counts: TriedCounts): TriedText {
  return {
    TextMessage: text,
    Segments: segments,
    PeopleCount: people,
    SentCount: counts.sent,
    DeliveredCount: counts.delivered,
    RepliedCount: counts.replied,
    ClickedCount: counts.clicked,
    OptedOutCount: counts.stopped,
  };
}

function stateOf(row: Row, isOver: boolean): SecondTextResults['State'] {
  if (row.winner !== null) return 'Decided';
  if (isOver) return 'Stopped';
  if (row.decide_at !== null) return 'Waiting';
  return row.fed > 0 ? 'Trying' : 'Ahead';
}

function reasonOf(row: Row): string {
  if (row.winner === null || row.reason === null) return '';
  return describeDecision({
    winner: row.winner,
    reason: row.reason,
    decideBy: row.decide_by,
    first: { sent: row.first_sent ?? 0, people: row.first_people ?? 0 },
    second: { sent: row.second_sent ?? 0, people: row.second_people ?? 0 },
    by: row.decided_by,
  });
}
