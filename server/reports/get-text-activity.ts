import { type RawBuilder, sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type {
  getTextActivity as definition,
  downloadTextActivity as downloadDefinition,
} from '../../contract/reports.ts';
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { readAsked } from './read-asked.ts';
import { partsOf, type Range, rangeBefore } from './rules.ts';

type Activity = Reply<typeof definition>;

const sums = sql`coalesce(sum(d.sent), 0)::int as "Sent", coalesce(sum(d.refused), 0)::int as "Refused",
  coalesce(sum(d.delivered), 0)::int as "Delivered", coalesce(sum(d.failed), 0)::int as "Failed", coalesce(sum(d.received), 0)::int as "Received",
  coalesce(sum(d.credits), 0)::int as "Credits"`;

const isIn = (actor: Actor, { since, until }: Range, numbers: readonly number[]): RawBuilder<unknown> =>
  sql`d.account_id = ${actor.accountId} and d.text_number_id = any(${numbers}::bigint[])
    and d.day between ${since}::date and ${until}::date`;

/** From the stored days, in the account's zone: one row per number and day, however many texts. */
export async function getTextActivity(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof definition>, 'query'>,
): Promise<Activity> {
  const { range, numbers } = await readAsked(trx, actor, query, defaults.reportRangeDays.textActivity);
  const isInRange = isIn(actor, range, numbers);
  const { rows: days } = await sql<Activity['Days'][number]>`
    select to_char(one.day, 'YYYY-MM-DD') as "Date", ${sums}
    from generate_series(${range.since}::date, ${range.until}::date, interval '1 day') as one(day)
    left join daily_texts d on ${isInRange} and d.day = one.day::date
    group by one.day order by one.day`.execute(trx);
  const { rows: perNumber } = await sql<Activity['Numbers'][number]>`
    select n.text_number_id as "TextNumberID", wire_phone(n.phone) as "TextNumber", n.name as "Name",
      n.released_at is not null as "IsReleased", ${sums}
    from text_numbers n
    left join daily_texts d on ${isInRange} and d.text_number_id = n.text_number_id
    where n.account_id = ${actor.accountId} and n.text_number_id = any(${numbers}::bigint[])
    group by n.text_number_id, n.phone, n.name, n.released_at
    order by n.released_at is not null, lower(n.name), n.text_number_id`.execute(trx);
  return {
    StartDate: range.since,
    EndDate: range.until,
    Total: await getTotal(trx, isInRange),
    Before: await getTotal(trx, isIn(actor, rangeBefore(range), numbers)),
    Days: days,
    Numbers: perNumber,
  };
}

async function getTotal(trx: Trx, isInRange: RawBuilder<unknown>): Promise<Activity['Total']> {
  const { rows } = await sql<Activity['Total']>`select ${sums} from daily_texts d where ${isInRange}`.execute(
    trx,
  );
  return rows[0] ?? { Sent: 0, Refused: 0, Delivered: 0, Failed: 0, Received: 0, Credits: 0 };
}

export async function downloadTextActivity(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, work);
  const { range, numbers } = await inAccount((trx) =>
    readAsked(trx, actor, query, defaults.reportRangeDays.textActivity),
  );
  async function* rows() {
    for (const part of partsOf(range)) {
      const { rows: found } = await inAccount((trx) =>
        sql<Activity['Total'] & { day: string; phone: string; name: string }>`
          select to_char(d.day, 'YYYY-MM-DD') as day, wire_phone(n.phone) as phone, n.name, ${sums}
          from daily_texts d
          join text_numbers n on n.account_id = d.account_id and n.text_number_id = d.text_number_id
          where ${isIn(actor, part, numbers)}
          group by d.day, n.text_number_id, n.phone, n.name
          order by d.day, lower(n.name), n.text_number_id`.execute(trx),
      );
      for (const row of found)
        yield [
          row.day,
          formatPhone(row.phone),
          row.name,
          ...[row.Sent + row.Refused, row.Sent, row.Delivered, row.Failed, row.Received, row.Credits].map(
            String,
          ),
        ];
    }
  }
  return csvDownload(
    `text-activity-${range.since}-to-${range.until}.csv`,
    ['Date', 'Text Number', 'Name', 'Attempted', 'Sent', 'Delivered', 'Failed', 'Received', 'Credits'],
    rows(),
    actor,
  );
}
