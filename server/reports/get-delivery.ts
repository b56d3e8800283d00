import { type RawBuilder, sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import { isTextStatusCode, textStatuses } from '../../contract/delivery/text-status.ts';
import { whatToDoAbout } from '../../contract/delivery/what-to-do.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type {
  getDelivery as definition,
  downloadDelivery as downloadDefinition,
} from '../../contract/reports.ts';
import { addDays } from '../../contract/time/local-day.ts';
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { readAsked } from './read-asked.ts';
import { daysOf, type Range, rangeBefore } from './rules.ts';

type Delivery = Reply<typeof definition>;
type Figures = Delivery['Total'];

const sums = sql`coalesce(sum(d.texts), 0)::int as "Sent",
  coalesce(sum(d.texts) filter (where d.status in ('delivered', 'read')), 0)::int as "Delivered",
  coalesce(sum(d.texts) filter (where d.status not in ('delivered', 'read', 'sent', 'unknown')), 0)::int as "Failed",
  coalesce(sum(d.texts) filter (where d.status = 'unknown'), 0)::int as "Unknown"`;

interface Asked {
  actor: Actor;
  range: Range;
  numbers: readonly number[];
}

const isIn = ({ actor, range, numbers }: Asked, dimension: 'hour' | 'carrier'): RawBuilder<unknown> =>
  sql`d.account_id = ${actor.accountId} and d.text_number_id = any(${numbers}::bigint[])
    and d.day between ${range.since}::date and ${range.until}::date and d.dimension = ${dimension}`;

/** Of a hundred texts whose end is known so many arrived; null if there is none. */
function rateOf({ Delivered, Failed, Unknown }: Omit<Figures, 'Sent'>): number | null {
  const ended = Delivered + Failed + Unknown;
  return ended <= 0 ? null : Math.round((Delivered / ended) * 1000) / 10;
}

interface Sums {
  days: Map<string, Figures>;
  numbers: Map<number, Figures>;
  hours: Map<number, Figures>;
  statuses: Map<string, number>;
}

/** One look at the rows: they are added up by day, number, hour and status at the same time. */
async function addUp(trx: Trx, asked: Asked): Promise<Sums> {
  const { rows } = await sql<
    Figures & { day: string | null; number: number | null; hour: number | null; status: string | null }
  >`
    select to_char(d.day, 'YYYY-MM-DD') as day, d.text_number_id as number, d.value::int as hour, d.status, ${sums}
    from daily_results d where ${isIn(asked, 'hour')}
    group by grouping sets ((d.day), (d.text_number_id), (d.value), (d.status))`.execute(trx);
  const result: Sums = { days: new Map(), numbers: new Map(), hours: new Map(), statuses: new Map() };
  for (const { day, number, hour, status, ...figures } of rows) {
    if (day !== null) result.days.set(day, figures);
    else if (number !== null) result.numbers.set(number, figures);
    else if (hour !== null) result.hours.set(hour, figures);
    else if (status !== null) result.statuses.set(status, figures.Sent);
  }
  return result;
}

async function addUpCarriers(trx: Trx, asked: Asked): Promise<Map<string, Figures>> {
  const { rows } = await sql<Figures & { carrier: string }>`
    select d.value as carrier, ${sums} from daily_results d where ${isIn(asked, 'carrier')} group by 1`.execute(
    trx,
  );
  return new Map(rows.map(({ carrier, ...figures }) => [carrier, figures]));
}

const nothing: Figures = { Sent: 0, Delivered: 0, Failed: 0, Unknown: 0 };
const add = (all: Iterable<Figures>): Figures => {
  const total = { ...nothing };
  for (const one of all)
    for (const name of ['Sent', 'Delivered', 'Failed', 'Unknown'] as const) total[name] += one[name];
  return total;
};

/** From the kept days (server/texts/count-results.ts), which are those of the account's zone. */
export async function getDelivery(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof definition>, 'query'>,
): Promise<Delivery> {
  const { range, numbers } = await readAsked(trx, actor, query, defaults.reportRangeDays.delivery);
  const asked = { actor, range, numbers };
  const before = { actor, range: rangeBefore(range), numbers };
  const now = await addUp(trx, asked);
  const then = await addUp(trx, before);
  const carriers = await addUpCarriers(trx, asked);
  const carriersBefore = await addUpCarriers(trx, before);
  const { rows: own } = await sql<{ TextNumberID: number; TextNumber: string; Name: string }>`
    select text_number_id as "TextNumberID", wire_phone(phone) as "TextNumber", name as "Name" from text_numbers
    where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
    order by lower(name), text_number_id`.execute(trx);
  return {
    StartDate: range.since,
    EndDate: range.until,
    Total: add(now.days.values()),
    Before: add(then.days.values()),
    Days: daysOf(range).map((day) => ({ Date: day, ...(now.days.get(day) ?? nothing) })),
    Numbers: own.map((number) => ({
      ...number,
      ...(now.numbers.get(number.TextNumberID) ?? nothing),
      BeforeRate: rateOf(then.numbers.get(number.TextNumberID) ?? nothing),
    })),
    Hours: Array.from({ length: 24 }, (_, Hour) => ({ Hour, ...(now.hours.get(Hour) ?? nothing) })),
    Carriers: [...carriers]
      .map(([Carrier, figures]) => ({
        Carrier,
        ...figures,
        BeforeRate: rateOf(carriersBefore.get(Carrier) ?? nothing),
      }))
      .filter(({ Sent }) => Sent > 0)
      .sort(
        (a, b) =>
          Number(a.Carrier === '') - Number(b.Carrier === '') ||
          b.Sent - a.Sent ||
          a.Carrier.localeCompare(b.Carrier),
      ),
    Reasons: listReasons(now.statuses, then.statuses),
  };
}

const arrivedOrUnderWay = new Set(['delivered', 'read', 'sent']);

function listReasons(
  now: ReadonlyMap<string, number>,
  then: ReadonlyMap<string, number>,
): Delivery['Reasons'] {
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter((status) => !arrivedOrUnderWay.has(status))
    .map((Status) => ({
      Status,
      Label: labelOf(Status),
      WhatToDo: whatToDoAbout(Status),
      Texts: now.get(Status) ?? 0,
      Before: then.get(Status) ?? 0,
    }))
    .filter(({ Texts, Before }) => Texts !== 0 || Before !== 0)
    .sort((a, b) => b.Texts - a.Texts || b.Before - a.Before || a.Status.localeCompare(b.Status));
}

const labelOf = (status: string) => (isTextStatusCode(status) ? textStatuses[status].label : status);

const daysAtOnce = 31;

export async function downloadDelivery(
  app: App,
  actor: Actor,
  { query }: Input<typeof downloadDefinition>,
): Promise<Download> {
  const inAccount = <T>(work: (trx: Trx) => Promise<T>) => asAccount(app.database, actor.accountId, work);
  const { range, numbers } = await inAccount((trx) =>
    readAsked(trx, actor, query, defaults.reportRangeDays.delivery),
  );
  async function* rows() {
    for (let since = range.since; since <= range.until; since = addDays(since, daysAtOnce)) {
      const last = addDays(since, daysAtOnce - 1);
      const part = { since, until: last < range.until ? last : range.until };
      const { rows: found } = await inAccount((trx) =>
        sql<{ day: string; phone: string; name: string; hour: string; status: string; texts: number }>`
          select to_char(d.day, 'YYYY-MM-DD') as day, wire_phone(n.phone) as phone, n.name, d.value as hour, d.status, d.texts
          from daily_results d
          join text_numbers n on n.account_id = d.account_id and n.text_number_id = d.text_number_id
          where ${isIn({ actor, range: part, numbers }, 'hour')} and d.texts <> 0
          order by d.day, lower(n.name), n.text_number_id, d.value::int, d.status`.execute(trx),
      );
      for (const row of found)
        yield [
          row.day,
          `${row.hour.padStart(2, '0')}:00`,
          formatPhone(row.phone),
          row.name,
          labelOf(row.status),
          String(row.texts),
        ];
    }
  }
  return csvDownload(
    `delivery-${range.since}-to-${range.until}.csv`,
    ['Date', 'Hour', 'Text Number', 'Name', 'Result', 'Texts'],
    rows(),
  );
}
