import { sql } from 'kysely';
import { addToUsageSums, addUsage, sumsOfUsage, sumUsage } from '../billing/count-usage.ts';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import { addToDays, type DayFigures, sumDays } from './count-days.ts';
import { addToResults, carrierOf, type MovedResults, sumResults } from './count-results.ts';

/** Texts of one quarter of an hour with the same change. `to` is null if the results don't count them. */
export type MovedFigures = Required<Omit<DayFigures, 'received' | 'refused'>> &
  Omit<MovedResults, 'to'> & { to: string | null };

/**
 * The counts that statements have to update after moving texts: local days don't come from PostgreSQL. Reads
 * `moved` with account_id, created_at, text_number_id, user_id, broadcast_id, phone, settled, the statuses
 * that the results go from and to (`counted_from`, `counted_to`; null if they aren't counted), and `sent`,
 * `delivered` and `failed` (1, 0 or -1). For accounts without any phone that was looked up, carriers aren't
 * queried.
 */
export const movedFigures = sql`
  select g.account_id as "accountId", a.time_zone as zone, (extract(epoch from g.at) * 1000)::float8 as "atMs",
    g.text_number_id as "textNumberId", g.user_id as "userId", g.is_broadcast as "isBroadcast", g.carrier,
    g.counted_from as "from", g.counted_to as "to", g.texts, g.sent, g.delivered, g.failed, g.credits
  from (
    select m.account_id, date_bin('15 minutes', m.created_at, 'epoch') as at, m.text_number_id, m.user_id,
      m.broadcast_id is not null as is_broadcast, m.counted_from, m.counted_to,
      -- By carrier only final statuses are counted: the carrier of a text that is on its way doesn't matter.
      case when (m.counted_from <> 'sent' or m.counted_to <> 'sent') and m.account_id = any(array(
          select d.account_id from (select distinct account_id from moved) d
          where exists (select from phone_lookups l where l.account_id = d.account_id)))
        then ${carrierOf('m')} else '' end as carrier,
      count(*)::int as texts, sum(m.sent)::int as sent, sum(m.delivered)::int as delivered,
      sum(m.failed)::int as failed, sum(m.settled)::int as credits
    from moved m
    group by 1, 2, 3, 4, 5, 6, 7, 8) g
  join accounts a on a.account_id = g.account_id`;

/**
 * Counts all changes in one statement: the days of text numbers, people's usage, and the results, which are
 * locked in this order (docs/sending.md). All users' texts of a number count on the same rows, so they must
 * not be locked longer.
 */
export async function countMoved(trx: Trx, figures: readonly MovedFigures[]): Promise<void> {
  // Texts that the results count for the first time were sent or refused; sent ones may have been refused before.
  const { days, usage } = sumDays(
    figures.map((moved) => ({
      ...moved,
      refused: (moved.from === null && moved.to !== null ? moved.texts : 0) - moved.sent,
    })),
  );
  const used = sumUsage(usage);
  const results = sumResults(figures.flatMap(({ to, ...moved }) => (to === null ? [] : { ...moved, to })));
  if (days.length + used.length + results.length === 0) return;
  await sql`
    ${prepared} with days as (${addToDays(days)} returning d.account_id),
    used as (${addUsage(used, sql`(select count(*) from days) >= 0`)} returning d.account_id),
    sums as (${addToUsageSums(sumsOfUsage(usage), sql`(select count(*) from used) >= 0`)} returning s.account_id),
    results as (${addToResults(results, sql`(select count(*) from sums) >= 0`)} returning d.account_id)
    select count(*) from results`.execute(trx);
}
