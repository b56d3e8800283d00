import { sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';
import type { listTextNumberUsage } from '../../contract/numbers.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/** From the stored days, in the account's zone: one row per number and day, however many texts. */
export async function listUsage(
  trx: Trx,
  actor: Actor,
  { query }: Input<typeof listTextNumberUsage>,
): Promise<Reply<typeof listTextNumberUsage>> {
  for (const name of ['date-from', 'date-to'] as const) {
    // ISO 8601 has a year 0, PostgreSQL hasn't.
    if (query[name]?.startsWith('0000')) throw refuseField(name, 'Enter a date');
  }
  const numbers = actor.textNumberIds;
  const until = query['date-to'] ?? (await getToday(trx, actor));
  const { rows: Items } = await sql<Reply<typeof listTextNumberUsage>['Items'][number]>`
    with days as (
      select coalesce(${query['date-from'] ?? null}::date, d.until - ${defaults.reportRangeDays.usageSummary - 1}::integer) as since, d.until
      from (select ${until}::date as until) d
    )
    select n.text_number_id as "TextNumberID", coalesce(sum(d.sent), 0)::int as "Sent",
      coalesce(sum(d.delivered), 0)::int as "Delivered", coalesce(sum(d.failed), 0)::int as "Failed",
      coalesce(sum(d.received), 0)::int as "Received", coalesce(sum(d.credits), 0)::int as "Credits",
      people.count as "UserCount", people.names as "UserNames"
    from text_numbers n
    cross join days
    cross join lateral (
      select count(*)::int as count, coalesce((array_agg(name order by lower(name)))[1:3], '{}') as names
      from (
        select trim(u.first_name || ' ' || u.last_name) as name
        from user_text_numbers g join users u on u.account_id = g.account_id and u.user_id = g.user_id
        where g.account_id = n.account_id and g.text_number_id = n.text_number_id and u.is_active and u.role = 'user'
      ) given
    ) people
    left join daily_texts d on d.account_id = n.account_id and d.text_number_id = n.text_number_id
      and d.day between days.since and days.until
    where n.account_id = ${actor.accountId} and n.text_number_id = any(${numbers}::bigint[])
    group by n.text_number_id, n.name, people.count, people.names
    order by lower(n.name), n.text_number_id
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  return { Items, Size: numbers.length };
}

async function getToday(trx: Trx, actor: Actor): Promise<string> {
  const { time_zone } = await trx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  return localDay(nowMs(), time_zone);
}
