import { sql } from 'kysely';
import { tollFreeCaps } from '../../../contract/money/toll-free-caps.ts';
import { isTollFree } from '../../../contract/phone/toll-free.ts';
import type { OpenHours } from '../../../contract/time/calling-window.ts';
import { localDay } from '../../../contract/time/local-day.ts';
import { recipientHours } from '../../../contract/time/quiet-hours.ts';
import { weekdayNames } from '../../../contract/time/wall-clock.ts';
import type { Trx } from '../../db.ts';
import { prepared } from '../../prepared.ts';
import { type DueSecondText, secondTextColumn } from '../second-text/next-part.ts';
import type { FeedState } from './next-feed.ts';

interface DueRow {
  account_id: number;
  broadcast_id: number;
  status: 'scheduled' | 'broadcasting';
  text_number_id: number;
  aggregator_id: number;
  user_id: number;
  body: string;
  keep_characters: boolean;
  sent_body: string;
  sent_prefix: string;
  sent_suffix: string;
  media_ids: number[];
  media_keys: string[];
  segments: number;
  credits_each: number;
  is_personalized: boolean;
  sequence_id: number | null;
  /** A step of a drip campaign that people join and that skips weekends. */
  skips_weekends: boolean;
  link_base: string | null;
  per_minute: number | null;
  pace_from: Date | null;
  pace_fed: number;
  held_reason: string;
  is_emergency: boolean;
  hours_set_aside_at: Date | null;
  call_count: number;
  is_behind_emergency: boolean;
  from_phone: string;
  rcs_agent: string | null;
  registration_status: string;
  is_blocked: boolean;
  can_text: boolean;
  flat_rate_status: string | null;
  flat_rate_end_at: Date | null;
  number_per_minute: number | null;
  sharing: number;
  time_zone: string;
  quiet_hours_on: boolean;
  quiet_start: string;
  quiet_stop: string;
  status_id: number;
  subscription_end_at: Date | null;
  is_free_trial: boolean;
  requires_opt_in: boolean;
  country_id: number;
  at_ms: number;
  /** The second text of an A/B test; null without one. */
  second: DueSecondText | null;
  zones: { zone: string; total: number; fed: number; cursor: number }[];
}

/**
 * A broadcast whose next slice is due, with everything that limits how much of it may be sent. Its row is
 * locked.
 */
export type DueBroadcast = DueRow & { state: FeedState };

export interface DueKey {
  account_id: number;
  broadcast_id: number;
}

/**
 * An emergency first, then the one that has waited longest, of those that nobody is feeding now. Locks its row. An
 * emergency always goes before its own organization's broadcasts. Other organizations' broadcasts on the same carrier
 * get every second turn, so that an emergency of hours doesn't stop everybody else's.
 */
export async function lockDue(trx: Trx, aggregatorId: number): Promise<DueKey | undefined> {
  const isDue = (alias: string) => {
    const b = sql.ref(alias);
    return sql`${b}.aggregator_id = ${aggregatorId} and ${b}.status in ('scheduled', 'broadcasting')
      and ${b}.next_feed_at <= now() and ${b}.deleted_at is null`;
  };
  const { rows } = await sql<DueKey>`
    ${prepared} select b.account_id, b.broadcast_id from broadcasts b
    where ${isDue('b')}
    order by
      -- Its first slice at once, and each further one after another organization's turn, or if no other is
      -- waiting.
      b.is_emergency and coalesce(b.last_fed_at < (
        select max(coalesce(o.last_fed_at, '-infinity')) from broadcasts o
        where ${isDue('o')} and not o.is_emergency and not exists (
          select from broadcasts e where ${isDue('e')} and e.account_id = o.account_id and e.is_emergency)), true) desc,
      not b.is_emergency and exists (
        select from broadcasts e where ${isDue('e')} and e.account_id = b.account_id and e.is_emergency),
      b.last_fed_at nulls first, b.broadcast_id
    limit 1
    for no key update of b skip locked`.execute(trx);
  return rows[0];
}

/** A separate statement after the lock, so that it sees the cursors that the last feeder committed. */
export async function readDue(trx: Trx, held: DueKey, size: number): Promise<DueBroadcast> {
  const { rows } = await sql<DueRow>`
    ${prepared} select b.account_id, b.broadcast_id, b.status, b.text_number_id, b.aggregator_id,
      coalesce(b.sent_by_user_id, b.user_id) as user_id, b.body, b.keep_characters, b.sent_body, b.sent_prefix,
      b.sent_suffix, b.media_ids, b.segments,
      b.credits_each, b.is_personalized, b.sequence_id, b.link_base,
      coalesce((select q.skips_weekends and q.starts_on <> 'dates' from sequences q
        where q.account_id = b.account_id and q.sequence_id = b.sequence_id), false) as skips_weekends, b.per_minute, b.pace_from, b.pace_fed, b.held_reason,
      b.is_emergency, b.hours_set_aside_at, b.call_count,
      array(
        select f.public_key from unnest(b.media_ids) with ordinality as i(media_id, place)
        join media f on f.account_id = b.account_id and f.media_id = i.media_id order by i.place) as media_keys,
      n.phone as from_phone, n.rcs_agent, n.registration_status, n.is_blocked, n.can_text, n.flat_rate_status, n.flat_rate_end_at,
      n.per_minute as number_per_minute,
      -- Several broadcasts from one number share what its carrier takes. An emergency shares it only with another one.
      case when n.per_minute is null then 1 else greatest(1, (
        select count(*) from broadcasts o
        where (o.is_emergency or not b.is_emergency) and o.aggregator_id = b.aggregator_id and o.status = 'broadcasting' and o.next_feed_at is not null
          and o.held_reason = '' and o.account_id = b.account_id and o.text_number_id = b.text_number_id)) end as sharing,
      not b.is_emergency and n.per_minute is not null and exists (
        select from broadcasts o
        where o.aggregator_id = b.aggregator_id and o.status = 'broadcasting' and o.next_feed_at is not null
          and o.held_reason = '' and o.account_id = b.account_id and o.text_number_id = b.text_number_id
          and o.is_emergency) as is_behind_emergency,
      a.time_zone, a.quiet_hours_on, a.quiet_start::text, a.quiet_stop::text,
      a.status_id, a.subscription_end_at, a.is_free_trial, a.country_id,
      ${secondTextColumn},
      a.require_text_opt_in or a.explicit_opt_in_required as requires_opt_in,
      (extract(epoch from now()) * 1000)::float8 as at_ms,
      (select coalesce(json_agg(json_build_object('zone', z.zone, 'total', z.total, 'fed', z.fed, 'cursor', z.cursor)), '[]')
        from broadcast_zones z where z.account_id = b.account_id and z.broadcast_id = b.broadcast_id) as zones
    from broadcasts b
    join text_numbers n on n.account_id = b.account_id and n.text_number_id = b.text_number_id
    join accounts a on a.account_id = b.account_id
    where b.account_id = ${held.account_id} and b.broadcast_id = ${held.broadcast_id}`.execute(trx);
  const [due] = rows;
  if (due === undefined) throw new Error(`broadcast ${held.broadcast_id} has no text number`);
  return { ...due, state: { ...stateOf(due), size, cap: await findCap(trx, due) } };
}

function stateOf(due: DueRow): Omit<FeedState, 'size' | 'cap'> {
  const speeds = [
    due.per_minute,
    due.number_per_minute === null ? null : due.number_per_minute / due.sharing,
  ];
  const perMinute = Math.min(...speeds.map((speed) => speed ?? Number.POSITIVE_INFINITY));
  return {
    atMs: due.at_ms,
    perMinute: Number.isFinite(perMinute) ? perMinute : undefined,
    pace: due.pace_from === null ? undefined : { fromMs: due.pace_from.getTime(), fed: due.pace_fed },
    hours: hoursOf(due),
    isBehindEmergency: due.is_behind_emergency,
    accountZone: due.time_zone,
    zones: due.zones.map(({ zone, total, fed }) => ({ zone, left: total - fed })),
  };
}

function hoursOf(due: DueRow): OpenHours | undefined {
  const { quiet_hours_on, quiet_start, quiet_stop, hours_set_aside_at, skips_weekends } = due;
  if (!quiet_hours_on || hours_set_aside_at !== null) return undefined;
  const timeOf = (text: string) => ({ Hour: Number(text.slice(0, 2)), Minute: Number(text.slice(3, 5)) });
  const days = skips_weekends ? { CallingWindowDays: weekdayNames } : {};
  return {
    ...recipientHours,
    ...days,
    StartTimeOfDay: timeOf(quiet_start),
    StopTimeOfDay: timeOf(quiet_stop),
  };
}

/** Number of recipients left in the other zones. */
export function zonesLeft(due: DueBroadcast, zone: string): number {
  return due.zones.reduce((sum, one) => sum + (one.zone === zone ? 0 : one.total - one.fed), 0);
}

/**
 * The remaining allowance of a toll-free number: per day, and per seven and thirty days. Waiting texts count
 * as sent. Texts that cost nothing count as one credit each.
 */
async function findCap(trx: Trx, due: DueRow): Promise<FeedState['cap']> {
  if (!isTollFree(due.from_phone)) return undefined;
  const caps = tollFreeCaps(
    { TextPhoneNumber: due.from_phone, RegistrationStatus: due.registration_status },
    due.at_ms,
  );
  const today = localDay(due.at_ms, due.time_zone);
  const { rows } = await sql<{ day: number; week: number; month: number; waiting: number }>`
    select coalesce(sum(used) filter (where day = today), 0)::int as day,
      coalesce(sum(used) filter (where day > today - 7), 0)::int as week, coalesce(sum(used), 0)::int as month,
      (select coalesce(sum(s.waiting * greatest(1, b.segments)), 0)::int
        from broadcasts b join broadcast_slices s on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id
        where b.account_id = ${due.account_id} and b.text_number_id = ${due.text_number_id}
          and b.status in ('broadcasting', 'paused') and s.waiting > 0) as waiting
    from (
      select day, greatest(credits, sent) as used, ${today}::date as today from daily_texts
      where account_id = ${due.account_id} and text_number_id = ${due.text_number_id}
        and day > ${today}::date - 30) u`.execute(trx);
  const { day, week, month, waiting } = rows[0] ?? { day: 0, week: 0, month: 0, waiting: 0 };
  const left = [
    { left: caps.DailyCredits - day, name: 'Daily limit of toll-free numbers' },
    { left: caps.WeeklyCredits - week, name: 'Weekly limit of toll-free numbers' },
    { left: caps.MonthlyCredits - month, name: 'Monthly limit of toll-free numbers' },
  ].toSorted((a, b) => a.left - b.left);
  const [least] = left;
  if (least === undefined || !Number.isFinite(least.left)) return undefined;
  return { ...least, left: Math.floor((least.left - waiting) / Math.max(1, due.segments)) };
}
