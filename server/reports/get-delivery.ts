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
import { csvDownload } from '../csv.ts';
import { asAccount, type Trx } from '../db.ts';
import type { Actor, App, Download } from '../serve.ts';
import { readAsked } from './read-asked.ts';
import { daysOf, partsOf, type Range, rangeBefore } from './rules.ts';

type Delivery = Reply<typeof definition>;
type Figures = Delivery['Total'];

interface Asked {
  actor: Actor;
  range: Range;
  numbers: readonly number[];
}

const isIn = ({ actor, range, numbers }: Asked, dimension: 'hour' | 'carrier'): RawBuilder<unknown> =>
  sql`d.account_id = ${actor.accountId} and d.text_number_id = any(${numbers}::bigint[])
    and d.day between ${range.since}::date and ${range.until}::date and d.dimension = ${dimension}`;

/** The percentage of texts with a final status that arrived; null without any. */
function rateOf({ Delivered, Failed, Unknown }: Omit<Figures, 'Sent'>): number | null {
  const ended = Delivered + Failed + Unknown;
  return ended <= 0 ? null : Math.round((Delivered / ended) * 1000) / 10;
}

/** One sum for each status instead of four with a condition each. */
interface StatusSum {
  status: string;
  texts: number;
}

/** The category of a status. One that a carrier has only just accepted is sent, and nothing else yet. */
function figureOf(status: string): keyof Figures | undefined {
  if (status === 'delivered' || status === 'read') return 'Delivered';
  if (status === 'sent') return undefined;
  return status === 'unknown' ? 'Unknown' : 'Failed';
}

function addStatuses(all: readonly StatusSum[]): Figures {
  const figures = { Sent: 0, Delivered: 0, Failed: 0, Unknown: 0 };
  for (const { status, texts } of all) {
    figures.Sent += texts;
    const name = figureOf(status);
    if (name !== undefined) figures[name] += texts;
  }
  return figures;
}

/** The rows with a key, added up by it. */
function addBy<R extends StatusSum, K>(rows: readonly R[], keyOf: (row: R) => K | null): Map<K, Figures> {
  const groups = new Map<K, R[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return new Map(Array.from(groups, ([key, group]) => [key, addStatuses(group)]));
}

interface Sums {
  total: Figures;
  numbers: Map<number, Figures>;
  statuses: Map<string, number>;
}

function sumsOf(ofNumbers: readonly (StatusSum & { number: number | null })[]): Sums {
  const statuses = new Map<string, number>();
  for (const { status, texts } of ofNumbers) statuses.set(status, (statuses.get(status) ?? 0) + texts);
  return { total: addStatuses(ofNumbers), numbers: addBy(ofNumbers, ({ number }) => number), statuses };
}

/**
 * One scan of the rows, added up by day, and by number and hour at the same time: there are few of those two.
 */
async function addUp(
  trx: Trx,
  asked: Asked,
): Promise<Sums & { days: Map<string, Figures>; hours: Map<number, Figures> }> {
  const { rows } = await sql<StatusSum & { day: string | null; number: number | null; hour: number | null }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, d.text_number_id as number, d.value::int as hour, d.status,
      sum(d.texts)::int as texts
    from daily_results d where ${isIn(asked, 'hour')}
    group by grouping sets ((d.day, d.status), (d.text_number_id, d.value, d.status))`.execute(trx);
  return {
    ...sumsOf(rows.filter(({ number }) => number !== null)),
    days: addBy(rows, ({ day }) => day),
    hours: addBy(rows, ({ hour }) => hour),
  };
}

/** The same for the previous period, for the compared figures. */
async function addUpBefore(trx: Trx, asked: Asked): Promise<Sums & { hours: Map<number, Figures> }> {
  const { rows } = await sql<StatusSum & { number: number; hour: number }>`
    select d.text_number_id as number, d.value::int as hour, d.status, sum(d.texts)::int as texts
    from daily_results d where ${isIn(asked, 'hour')} group by d.text_number_id, d.value, d.status`.execute(
    trx,
  );
  return { ...sumsOf(rows), hours: addBy(rows, ({ hour }) => hour) };
}

async function addUpCarriers(trx: Trx, asked: Asked): Promise<Map<string, Figures>> {
  const { rows } = await sql<StatusSum & { carrier: string }>`
    select d.value as carrier, d.status, sum(d.texts)::int as texts
    from daily_results d where ${isIn(asked, 'carrier')} group by 1, 2`.execute(trx);
  return addBy(rows, ({ carrier }) => carrier);
}

const nothing: Figures = { Sent: 0, Delivered: 0, Failed: 0, Unknown: 0 };

/** From the stored days (server/texts/count-results.ts), in the account's zone. */
export async function getDelivery(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof definition>, 'query'>,
): Promise<Delivery> {
  const { range, numbers } = await readAsked(trx, actor, query, defaults.reportRangeDays.delivery);
  const asked = { actor, range, numbers };
  const before = { actor, range: rangeBefore(range), numbers };
  const now = await addUp(trx, asked);
  const then = await addUpBefore(trx, before);
  const carriers = await addUpCarriers(trx, asked);
  const carriersBefore = await addUpCarriers(trx, before);
  const { rows: own } = await sql<
    Pick<Delivery['Numbers'][number], 'TextNumberID' | 'TextNumber' | 'Name' | 'IsReleased'>
  >`
    select text_number_id as "TextNumberID", wire_phone(phone) as "TextNumber", name as "Name",
      released_at is not null as "IsReleased"
    from text_numbers
    where account_id = ${actor.accountId} and text_number_id = any(${numbers}::bigint[])
    order by released_at is not null, lower(name), text_number_id`.execute(trx);
  return {
    StartDate: range.since,
    EndDate: range.until,
    Total: now.total,
    Before: then.total,
    Days: daysOf(range).map((day) => ({ Date: day, ...(now.days.get(day) ?? nothing) })),
    Numbers: own.map((number) => ({
      ...number,
      ...(now.numbers.get(number.TextNumberID) ?? nothing),
      BeforeRate: rateOf(then.numbers.get(number.TextNumberID) ?? nothing),
    })),
    Hours: Array.from({ length: 24 }, (_, Hour) => ({
      Hour,
      ...(now.hours.get(Hour) ?? nothing),
      BeforeRate: rateOf(then.hours.get(Hour) ?? nothing),
    })),
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
    for (const part of partsOf(range)) {
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
    actor,
  );
}
