import { sql } from 'kysely';
import type { getBroadcastProgress as definition } from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { countEndedCalls } from './count-ended-calls.ts';
import { requireBroadcast } from './read-broadcast.ts';

const mostPoints = 200;

/** The samples for the chart, thinned out evenly; the last one always. */
export async function getBroadcastProgress(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { accountId, broadcastId } = await requireBroadcast(trx, actor, params.BroadcastID);
  const { rows } = await sql<{ At: Date; Sent: number; Delivered: number; Failed: number }>`
    select taken_at as "At", sent as "Sent", delivered as "Delivered", failed as "Failed"
    from (
      select o.*, row_number() over (order by taken_at desc) - 1 as place, count(*) over () as many
      from broadcast_samples o where account_id = ${accountId} and broadcast_id = ${broadcastId}) o
    where place % greatest(1, ceil(many / ${mostPoints}::numeric)::integer) = 0
    order by taken_at`.execute(trx);
  return { Items: rows, Calls: await countEndedCalls(trx, accountId, broadcastId) };
}
