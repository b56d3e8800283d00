import { sql } from 'kysely';
import type { Input, Reply } from '../../contract/call.ts';
import { defaults } from '../../contract/reference/limits.ts';
import type {
  getOptInCounts as insDefinition,
  getOptOutCounts as outsDefinition,
} from '../../contract/reports.ts';
import { dayBounds, daysBetween, localDay } from '../../contract/time/local-day.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { type Asked, daysOf, monthsOf, type Range, readRange } from './rules.ts';

/** Longer ranges are counted by month: a bar for each day would be too thin to read. */
const mostDays = 62;

/** Days ("2026-03-02") or months ("2026-03") of a range, each with its start and end time. */
function periodsOf(range: Range, zone: string): { period: string; begins: Date; ends: Date }[] {
  if (daysBetween(range.since, range.until) < mostDays)
    return daysOf(range).map((day) => ({ period: day, ...dayBounds(day, zone) }));
  const months = monthsOf(range, zone);
  const first = dayBounds(range.since, zone).begins;
  const { ends } = dayBounds(range.until, zone);
  return months.map(({ month, begins }, index) => ({
    period: month,
    begins: index === 0 ? first : begins,
    ends: months[index + 1]?.begins ?? ends,
  }));
}

const figures = {
  Texts: 'texts_out',
  Calls: 'calls_out',
  OptIns: 'texts_in',
} as const;
type Figure = keyof typeof figures;

/** A sum for each period instead of one with groups: it reads only its range of the key. */
async function readPeriods(trx: Trx, actor: Actor, query: Asked, names: readonly Figure[]) {
  const zone = actor.timeZone;
  const range = readRange(query, localDay(now(), zone), defaults.reportRangeDays.credits);
  const periods = periodsOf(range, zone);
  const sums = names.map(
    (name) => sql`greatest(0, coalesce(sum(${sql.ref(figures[name])}), 0))::int as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Partial<Record<Figure, number>>>`
    select c.* from unnest(
      ${periods.map(({ begins }) => begins)}::timestamptz[], ${periods.map(({ ends }) => ends)}::timestamptz[]
    ) with ordinality as t(begins, ends, place)
    cross join lateral (
      select ${sql.join(sums)} from consent_counts
      where account_id = ${actor.accountId} and quarter >= t.begins and quarter < t.ends) c
    order by t.place`.execute(trx);
  return {
    dates: { StartDate: range.since, EndDate: range.until },
    rows: periods.map(({ period }, index): Partial<Record<Figure, number>> & { Period: string } => ({
      Period: period,
      ...rows[index],
    })),
  };
}

/** Times when the opted-out phones opted out, as in the list: those that opted in again since aren't counted. */
export async function getOptOutCounts(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof outsDefinition>, 'query'>,
): Promise<Reply<typeof outsDefinition>> {
  const { dates, rows } = await readPeriods(trx, actor, query, ['Texts', 'Calls']);
  const Periods = rows.map(({ Period, Texts = 0, Calls = 0 }) => ({ Period, Texts, Calls }));
  return {
    ...dates,
    Texts: Periods.reduce((sum, { Texts }) => sum + Texts, 0),
    Calls: Periods.reduce((sum, { Calls }) => sum + Calls, 0),
    Periods,
  };
}

export async function getOptInCounts(
  trx: Trx,
  actor: Actor,
  { query }: Pick<Input<typeof insDefinition>, 'query'>,
): Promise<Reply<typeof insDefinition>> {
  const { dates, rows } = await readPeriods(trx, actor, query, ['OptIns']);
  const Periods = rows.map(({ Period, OptIns = 0 }) => ({ Period, OptIns }));
  return { ...dates, OptIns: Periods.reduce((sum, { OptIns }) => sum + OptIns, 0), Periods };
}
