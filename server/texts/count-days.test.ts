import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { zoneAmendments } from '../../contract/time/zone-amendments.ts';
import { offsetMsAt } from '../../contract/time/zone-offset.ts';
import { allZones } from '../../contract/time/zones.ts';
import { asSystem } from '../db.ts';
import { applyInbound } from '../inbound/apply-inbound.ts';
import { buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { countDays } from './count-days.ts';

const number = '14235550100';
let app: TestApp;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
});

const daysOf = (accountId: number) =>
  app.database.system
    .selectFrom('daily_texts')
    .select([sql<string>`day::text`.as('day'), 'sent', 'delivered', 'failed', 'received', 'credits'])
    .where('account_id', '=', accountId)
    .orderBy('day')
    .execute();

it('adds up by the account’s own days, whatever PostgreSQL’s time zone data', async () => {
  const { accountId, numbers } = await buildAccount(app, {
    numbers: { [number]: 'infobip' },
    timeZone: 'America/Edmonton',
  });
  const textNumberId = numbers[number] ?? 0;
  const at = (text: string) => ({
    accountId,
    zone: 'America/Edmonton',
    textNumberId,
    atMs: Date.parse(text),
  });
  // Since November 2026 midnight is at 06:00 UTC there; older zone files have 07:00.
  await asSystem(app.database, (trx) =>
    countDays(trx, [
      { ...at('2026-12-15T05:59:59Z'), sent: 1, credits: 2 },
      { ...at('2026-12-15T06:00:00Z'), sent: 3 },
      { ...at('2026-12-15T06:30:00Z'), delivered: 2, failed: 1 },
      { ...at('2026-12-16T12:00:00Z'), sent: 0 },
    ]),
  );
  await asSystem(app.database, (trx) => countDays(trx, [{ ...at('2026-12-15T07:00:00Z'), failed: -1 }]));
  const nothing = { sent: 0, delivered: 0, failed: 0, received: 0, credits: 0 };
  expect(await daysOf(accountId)).toEqual([
    { ...nothing, day: '2026-12-14', sent: 1, credits: 2 },
    { ...nothing, day: '2026-12-15', sent: 3, delivered: 2 },
  ]);

  // A text that arrives half an hour after midnight.
  await app.database.system
    .insertInto('carrier_inbound')
    .values({
      aggregator_id: 5,
      inbound_key: 'half-past-midnight',
      from_phone: '14235550151',
      to_phone: number,
      body: 'Good morning',
      media: '[]',
      occurred_at: '2026-12-14T06:30:00Z',
    })
    .execute();
  await applyInbound(app.database, 100);
  expect(await daysOf(accountId)).toContainEqual({
    ...nothing,
    day: '2026-12-14',
    sent: 1,
    credits: 2,
    received: 1,
  });
});

/** The legal offsets, in minutes: zones that are wrong in older data, and neighbors that did not change. */
const facts: [zone: string, at: string, minutes: number][] = [
  ...zoneAmendments.flatMap(({ zones, offsetMinutes }) =>
    zones.flatMap((zone): [string, string, number][] => [
      [zone, '2027-01-15T12:00:00Z', offsetMinutes],
      [zone, '2027-07-15T12:00:00Z', offsetMinutes],
    ]),
  ),
  ['America/New_York', '2027-01-15T12:00:00Z', -300],
  ['America/New_York', '2027-07-15T12:00:00Z', -240],
  ['America/Regina', '2027-01-15T12:00:00Z', -360],
  ['America/Phoenix', '2027-07-15T12:00:00Z', -420],
  ['America/Denver', '2027-01-15T12:00:00Z', -420],
];

it('uses the legal offsets, and reports where PostgreSQL’s zone files differ', async () => {
  for (const [zone, at, minutes] of facts) {
    expect([zone, at, offsetMsAt(Date.parse(at), zone) / 60_000]).toEqual([zone, at, minutes]);
  }
  const zones = [...new Set([...allZones.map(({ iana }) => iana), ...facts.map(([zone]) => zone)])];
  const months = Array.from({ length: 36 }, (_, month) => new Date(Date.UTC(2026, month, 15, 12)));
  const asked = zones.flatMap((zone) => months.map((at) => ({ zone, at })));
  const { rows } = await sql<{ zone: string; at: Date; minutes: number }>`
    select zone, at, (extract(epoch from (at at time zone zone) - (at at time zone 'utc')) / 60)::int as minutes
    from unnest(${asked.map(({ zone }) => zone)}::text[], ${asked.map(({ at }) => at)}::timestamptz[]) as t(zone, at)`.execute(
    app.database.system,
  );
  expect(rows).toHaveLength(asked.length);
  const differing = rows.filter(
    ({ zone, at, minutes }) => offsetMsAt(at.getTime(), zone) / 60_000 !== minutes,
  );
  const firsts = [...Map.groupBy(differing, ({ zone }) => zone)].map(
    ([zone, [first]]) => `${zone} from ${first?.at.toISOString().slice(0, 7)}`,
  );
  // Not a failure: nothing reads them from PostgreSQL (scripts/boundaries.ts). Newer zone files make this
  // line go away.
  if (firsts.length > 0) console.info(`PostgreSQL’s zone files differ from ours: ${firsts.join(', ')}.`);
});
