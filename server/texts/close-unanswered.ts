import { sql } from 'kysely';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';
import { validityHours } from '../outside/carrier.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countDays, type DayFigures } from './count-days.ts';
import { carrierOf, countResults, type MovedResults, quarterHourOf } from './count-results.ts';
import { countSlices } from './count-slices.ts';

/** How late receipts may be. */
const graceHours = 1;
/** Keeps each transaction short, however many texts a broadcast has. */
const slicesAtOnce = 20;

const noAnswer = 'The carrier did not say within its validity period whether the text arrived.';

/**
 * Closes a broadcast's texts as Unknown if the carrier never reported on them and has stopped trying: no receipt is
 * expected any more. They stay paid, because the carrier took them. A late receipt still moves them on.
 */
export async function closeUnanswered(database: Database): Promise<void> {
  while ((await againAfterDeadlock(() => closeSlices(database))) > 0);
}

async function closeSlices(database: Database): Promise<number> {
  const hours = Object.entries(validityHours);
  return asSystem(database, async (trx) => {
    const { rows } = await sql<{
      slices: number;
      broadcasts: Ended[] | null;
      days: DayFigures[] | null;
      results: MovedResults[] | null;
    }>`
      with due as materialized (
        select s.account_id, s.broadcast_id, s.slice_id, s.first_message_id, s.last_message_id
        from broadcasts b
        join unnest(${hours.map(([id]) => Number(id))}::smallint[], ${hours.map(([, many]) => many)}::integer[])
          as v(aggregator_id, hours) on v.aggregator_id = b.aggregator_id
        join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.sent > 0
        where b.status = 'sent' and b.all_sent_at <= now() - (v.hours + ${graceHours}) * interval '1 hour'
        order by s.account_id, s.broadcast_id, s.slice_id limit ${slicesAtOnce}
      ),
      moved as (
        update messages m set status = 'unknown', status_at = now(), carrier_error = ${noAnswer}
        from due d
        where m.account_id = d.account_id and m.message_id between d.first_message_id and d.last_message_id
          and m.slice_id = d.slice_id and m.broadcast_id = d.broadcast_id and m.status = 'sent'
        returning m.account_id, m.message_id, m.phone, m.broadcast_id, m.slice_id, m.text_number_id, m.created_at, old.status as old_status,
          new.status as new_status, 0 as settled, 0 as released
      ),
      counted as (${countSlices}),
      kept as (${recordTextMoves}),
      daily as (
        select m.account_id as "accountId", a.time_zone as zone,
          floor(extract(epoch from m.created_at) * 1000)::float8 as "atMs", m.text_number_id as "textNumberId",
          count(*) as failed
        from moved m join accounts a on a.account_id = m.account_id
        group by 1, 2, 3, 4
      ),
      results as (
        select m.account_id as "accountId", a.time_zone as zone, m."atMs", m.text_number_id as "textNumberId", m.carrier,
          'sent' as "from", 'unknown' as "to", count(*)::int as texts
        from (select m.account_id, m.text_number_id, ${quarterHourOf('m.created_at')} as "atMs", ${carrierOf('m')} as carrier
          from moved m) m
        join accounts a on a.account_id = m.account_id
        group by 1, 2, 3, 4, 5
      )
      select (select count(*) from moved)::int as slices, (select json_agg(daily) from daily) as days,
        (select json_agg(results) from results) as results,
        (select json_agg(distinct jsonb_build_object('account_id', account_id, 'broadcast_id', broadcast_id)) from due) as broadcasts`.execute(
      trx,
    );
    const { slices = 0, broadcasts = null, days = null, results = null } = rows[0] ?? {};
    await countDays(trx, days ?? []);
    await countResults(trx, results ?? []);
    for (const [accountId, ended] of Map.groupBy(broadcasts ?? [], (row) => row.account_id)) {
      await notify(
        trx,
        accountId,
        ended.map((row) => ({ type: 'broadcast.changed' as const, BroadcastID: row.broadcast_id })),
      );
    }
    return slices;
  });
}

interface Ended {
  account_id: number;
  broadcast_id: number;
}
