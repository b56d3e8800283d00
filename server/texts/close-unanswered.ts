import { sql } from 'kysely';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { asSystem, type Database } from '../db.ts';
import { notify } from '../notify.ts';
import { validityHours } from '../outside/carrier.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countMoved, type MovedFigures, movedFigures } from './count-moved.ts';
import { countSlices } from './count-slices.ts';

/** Longest delay of receipts, in hours. */
const graceHours = 1;
/** Keeps each transaction short, however many texts a broadcast has. */
const slicesAtOnce = 20;

const noAnswer = 'The carrier did not say within its validity period whether the text arrived.';

/**
 * Closes a broadcast's texts as Unknown if the carrier never reported on them and has stopped trying: no
 * receipt is expected any more. They stay paid, because the carrier accepted them. A late receipt still moves
 * them on. If several carriers may have had its texts, because it changed carriers or single texts went to the
 * number's second one, the one that tries longest counts.
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
      figures: MovedFigures[] | null;
    }>`
      with due as materialized (
        select s.account_id, s.broadcast_id, s.slice_id, s.first_message_id, s.last_message_id
        from broadcasts b
        join text_numbers n on n.account_id = b.account_id and n.text_number_id = b.text_number_id
        cross join lateral (
          select max(v.hours) as hours
          from unnest(${hours.map(([id]) => Number(id))}::smallint[], ${hours.map(([, many]) => many)}::integer[])
            as v(aggregator_id, hours)
          where b.has_changed_carrier or v.aggregator_id in (b.aggregator_id, n.second_aggregator_id)
        ) v
        join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.sent > 0
        where b.status = 'sent' and b.all_sent_at <= now() - (v.hours + ${graceHours}) * interval '1 hour'
        order by s.account_id, s.broadcast_id, s.slice_id limit ${slicesAtOnce}
      ),
      moved as (
        update messages m set status = 'unknown', status_at = now(), carrier_error = ${noAnswer}
        from due d
        where m.account_id = d.account_id and m.message_id between d.first_message_id and d.last_message_id
          and m.slice_id = d.slice_id and m.broadcast_id = d.broadcast_id and m.status = 'sent'
        returning m.account_id, m.message_id, m.phone, m.broadcast_id, m.slice_id, m.text_number_id,
          m.user_id, m.created_at, old.status as old_status, new.status as new_status, 0 as sent, 0 as delivered,
          1 as failed, old.status as counted_from, new.status as counted_to, 0 as settled, 0 as released
      ),
      counted as (${countSlices}),
      kept as (${recordTextMoves}),
      figures as (${movedFigures})
      select (select count(*) from moved)::int as slices, (select json_agg(figures) from figures) as figures,
        (select json_agg(distinct jsonb_build_object('account_id', account_id, 'broadcast_id', broadcast_id)) from due) as broadcasts`.execute(
      trx,
    );
    const { slices = 0, broadcasts = null, figures = null } = rows[0] ?? {};
    await countMoved(trx, figures ?? []);
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
