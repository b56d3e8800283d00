import { sql } from 'kysely';
import type { Trx } from '../../db.ts';

/** As many bars as the chart has room for. */
const mostStretches = 60;
/** A minute, or the shortest longer interval in common use. The last is a day. */
const steps = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** The ended calls of a broadcast by result, in intervals of a minute or longer. */
export async function countEndedCalls(trx: Trx, accountId: number, broadcastId: number) {
  const ended = sql`
    from calls where account_id = ${accountId} and broadcast_id = ${broadcastId} and purpose = 'broadcast'
      and is_over and attempts > 0 and ended_at is not null`;
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from max(ended_at) - min(ended_at))::int as seconds ${ended}`.execute(trx);
  const seconds = rows[0]?.seconds ?? 0;
  // The first interval begins before the first call.
  const StepSeconds = steps.find((step) => seconds / step < mostStretches - 1) ?? steps.at(-1) ?? 60;
  const bars = await sql<{
    At: Date;
    LiveAnswer: number;
    Voicemail: number;
    BusyNoAnswer: number;
    Other: number;
  }>`
    select date_bin(make_interval(secs => ${StepSeconds}), ended_at, timestamptz '2000-01-01') as "At",
      count(*) filter (where result = 'live_answer')::int as "LiveAnswer",
      count(*) filter (where result = 'voicemail')::int as "Voicemail",
      count(*) filter (where result in ('busy', 'no_answer'))::int as "BusyNoAnswer",
      count(*) filter (where result not in ('live_answer', 'voicemail', 'busy', 'no_answer'))::int as "Other"
    ${ended} group by 1 order by 1`.execute(trx);
  return { StepSeconds, Items: bars.rows };
}
