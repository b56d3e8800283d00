import { sql } from 'kysely';
import type { getBestHour as definition } from '../../../contract/broadcasts.ts';
import type { Reply } from '../../../contract/call.ts';
import { hourMs, timeOfDayMs, wallMsAt } from '../../../contract/time/wall-clock.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

/** Days that broadcasts stay relevant for this. */
const days = 180;
/** An hour with fewer texts is ignored. */
const fewest = { broadcasts: 3, texts: 100 };
/** A smaller difference is chance. */
const leastGain = 1.1;

export interface SentBefore {
  /** Time when the first texts went out: a broadcast that has to wait for the morning starts in the night before. */
  startedMs: number;
  /** Without those that failed, or weren't sent because of an opt-out or a cancellation. */
  texts: number;
  /** People who first replied within a day of the start. */
  replies: number;
}

/** Finds the hour of the day at which texts got the most replies, from the account's own broadcasts. */
export async function getBestHour(trx: Trx, actor: Actor): Promise<Reply<typeof definition>> {
  const { rows: sent } = await sql<SentBefore>`
    select (extract(epoch from s.first_at) * 1000)::float8 as "startedMs", s.texts, (
      select count(*) from broadcast_recipients r
      where r.account_id = b.account_id and r.broadcast_id = b.broadcast_id
        and r.replied_at < s.first_at + interval '1 day')::int as replies
    from broadcasts b
    cross join lateral (
      select min(s.created_at) as first_at, sum(s.sent + s.delivered + s.read)::int as texts
      from broadcast_slices s where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id) s
    where b.account_id = ${actor.accountId} and b.deleted_at is null and b.fed_count > 0 and s.texts > 0
      and b.started_at > now() - ${days} * interval '1 day' and s.first_at < now() - interval '1 day'
    order by b.started_at desc limit 5000`.execute(trx);
  const { rows: hours } = await sql<{ first: number; end: number }>`
    select ceil(extract(epoch from quiet_start) / 3600)::int as first,
      floor(extract(epoch from quiet_stop) / 3600)::int as end
    from accounts where account_id = ${actor.accountId} and quiet_hours_on`.execute(trx);
  const isOpen = (hour: number) => hours.every(({ first, end }) => first <= hour && hour < end);
  return { Days: days, ...findBestHour(sent, actor.timeZone, isOpen) };
}

const nothing = { Hour: null, RepliesPer100: 0, UsualPer100: 0, BroadcastCount: 0, TextCount: 0 };

/**
 * The hour with the highest share of replies, if enough was sent at two hours at least and the difference is
 * real. Only hours at which texts may be sent are offered (`isOpen`).
 */
export function findBestHour(sent: readonly SentBefore[], zone: string, isOpen: (hour: number) => boolean) {
  const hours = Map.groupBy(sent, ({ startedMs }) =>
    Math.floor(timeOfDayMs(wallMsAt(startedMs, zone)) / hourMs),
  );
  const sums = [...hours].map(([hour, some]) => ({ hour, ...sumOf(some) }));
  const known = sums.filter(
    ({ broadcasts, texts }) => broadcasts >= fewest.broadcasts && texts >= fewest.texts,
  );
  const usual = share(sumOf(sent));
  const best = known
    .filter(({ hour }) => isOpen(hour))
    .toSorted((a, b) => share(b) - share(a) || a.hour - b.hour)[0];
  if (best === undefined || known.length < 2 || share(best) < usual * leastGain || usual === 0)
    return nothing;
  return {
    Hour: best.hour,
    RepliesPer100: rounded(share(best)),
    UsualPer100: rounded(usual),
    BroadcastCount: best.broadcasts,
    TextCount: best.texts,
  };
}

function sumOf(sent: readonly SentBefore[]) {
  return {
    broadcasts: sent.length,
    texts: sent.reduce((sum, { texts }) => sum + texts, 0),
    replies: sent.reduce((sum, { replies }) => sum + replies, 0),
  };
}

function share({ texts, replies }: { texts: number; replies: number }): number {
  return texts === 0 ? 0 : replies / texts;
}

function rounded(part: number): number {
  return Math.round(part * 1000) / 10;
}
