import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { cannotSendMessage } from '../../contract/states/account-status.ts';
import { type CallHours, nextCall } from '../../contract/time/call-hours.ts';
import { recipientHours } from '../../contract/time/quiet-hours.ts';
import { timeOfDay } from '../accounts/rules.ts';
import { nowMs } from '../clock.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { endWaiting, toSettle } from './end-waiting.ts';
import {
  claimSeconds,
  mostAbandonedPercent,
  startBurstSeconds,
  startSlack,
  startsAheadSeconds,
} from './rules.ts';

/** A call with a line and a start time. Its attempt begins then: server/calls/begin-attempt.ts. */
export interface ClaimedCall {
  accountId: number;
  callId: number;
  broadcastId: number | null;
  leaseId: string;
  phone: string;
  callerId: string;
  /** From the moment of the claim. */
  startsInMs: number;
}

export interface Claim {
  /** In the order in which they start. */
  calls: ClaimedCall[];
  /** The most that may begin in any second at this provider; 0 if it is not configured. */
  perSecond: number;
  /** Calls are due that the limits on lines or starts per second don't allow yet. */
  isHeldBack: boolean;
  /** Broadcasts of accounts that may no longer send: none of their calls was claimed. */
  barred: BarredBroadcast[];
}

export interface BarredBroadcast {
  accountId: number;
  broadcastId: number;
  reason: string;
}

interface Candidate {
  account_id: number;
  call_id: number;
  broadcast_id: number | null;
  zone: string;
  attempt: number;
  phone: string;
  caller_id: string;
  purpose: string;
  is_out: boolean;
  is_invalid: boolean;
  calling_days: string[] | null;
  calling_start: string | null;
  calling_stop: string | null;
  continue_on_next_day: boolean | null;
  call_zone: string | null;
  call_until: Date | null;
  time_zone: string;
  status_id: number;
  subscription_end_at: Date | null;
  quiet_hours_on: boolean;
  hours_set_aside_at: Date | null;
  quiet_start: string;
  quiet_stop: string;
}

/**
 * Gives due calls a line and a start time: no more than there are lines, none sooner than the pace allows,
 * and only the next half second's. One claim at a time per provider: its row in call_pace is locked, whatever
 * the number of workers.
 */
export async function claimCalls(database: Database, provider: number): Promise<Claim> {
  return asSystem(database, async (trx) => {
    const pace = await lockPace(trx, provider);
    if (pace === undefined) return { calls: [], perSecond: 0, isHeldBack: false, barred: [] };
    const { perSecond } = pace;
    const room = Math.min(pace.lines - pace.used, pace.starts);
    if (room <= 0) return { calls: [], perSecond, isHeldBack: true, barred: [] };
    const candidates = await findDue(trx, provider, room);
    const barred = barredBroadcasts(candidates);
    const callable = candidates.filter((one) => !barred.has(keyOf(one)));
    const allowed = await withoutBarred(trx, callable);
    const claimed = await claim(trx, allowed);
    if (claimed.length > 0)
      await spendStarts(trx, provider, pace.firstAt + claimed.length * spacingSeconds(pace));
    return {
      calls: claimed.map((call, index) => ({
        ...call,
        startsInMs: (pace.firstInSeconds + index * spacingSeconds(pace)) * 1000,
      })),
      perSecond,
      isHeldBack: candidates.length >= room || allowed.length < candidates.length,
      barred: [...barred.values()],
    };
  });
}

interface Pace {
  lines: number;
  perSecond: number;
  used: number;
  /** The first free start, in epoch seconds and relative to now. */
  firstAt: number;
  firstInSeconds: number;
  /** Number of starts that fit in the time that is claimed ahead. */
  starts: number;
}

async function lockPace(trx: Trx, provider: number): Promise<Pace | undefined> {
  // A separate statement: after waiting for the lock it has to count what the previous claim took.
  await sql`select from call_pace where provider = ${provider} for no key update`.execute(trx);
  const { rows } = await sql<Omit<Pace, 'starts'>>`
    select p.lines, p.starts_per_second::float8 as "perSecond",
      greatest(p.next_at, p.now_at - ${startBurstSeconds}::float8) as "firstAt",
      greatest(p.next_at - p.now_at, -${startBurstSeconds}::float8) as "firstInSeconds",
      (select count(*) from call_queue q
        where q.provider = p.provider and q.state not in ('waiting', 'over'))::int as used
    from (
      select *, extract(epoch from next_start_at)::float8 as next_at, extract(epoch from clock_timestamp())::float8 as now_at
      from call_pace where provider = ${provider} and lines > 0) p`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const aheadSeconds = startsAheadSeconds - row.firstInSeconds;
  return { ...row, starts: aheadSeconds < 0 ? 0 : 1 + Math.floor(aheadSeconds / spacingSeconds(row)) };
}

const spacingSeconds = ({ perSecond }: Pick<Pace, 'perSecond'>) => (1 + startSlack) / perSecond;

async function spendStarts(trx: Trx, provider: number, nextAt: number): Promise<void> {
  await sql`update call_pace set next_start_at = to_timestamp(${nextAt}::float8) where provider = ${provider}`.execute(
    trx,
  );
}

/**
 * Calls that people wait for and those of emergencies first, then those of broadcasts in turn: none gets more
 * lines than its limit, and none blocks another that has lines left. With transfer, a person who asked to be
 * called back is called when a transfer line is free; and once too many found none, nobody is called while
 * all are in use.
 */
async function findDue(trx: Trx, provider: number, room: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with due as (
      select q.account_id, q.call_id, q.broadcast_id, q.zone, q.attempt, q.due_at, 0 as turn
      from (
        select * from call_queue
        where provider = ${provider} and state = 'waiting' and due_at <= now() and broadcast_id is null
        order by due_at limit ${room}) q
      union all
      select q.account_id, q.call_id, q.broadcast_id, q.zone, q.attempt, q.due_at,
        case when b.is_emergency then 0 else q.turn end as turn
      from broadcasts b
      cross join lateral (
        select count(*) filter (where t.holds_line) < b.transfer_lines as has_line,
          count(*) filter (where t.abandoned_at is not null and t.transferred_at is null and not t.holds_line)::int as abandoned
        from calls t
        where b.transfer_phone is not null and t.account_id = b.account_id and t.broadcast_id = b.broadcast_id
          and t.transfer_asked_at is not null) t
      cross join lateral (
        select b.transfer_phone is not null and not t.has_line and t.abandoned > 0 and t.abandoned * 100 > (
          select count(*) from calls l
          where l.account_id = b.account_id and l.broadcast_id = b.broadcast_id and l.purpose = 'broadcast'
            and l.result = 'live_answer') * ${mostAbandonedPercent}::int as is_held) h
      cross join lateral (
        select w.*, row_number() over (order by w.due_at, w.call_id)::int as turn
        from (
          select * from call_queue w
          where w.account_id = b.account_id and w.broadcast_id = b.broadcast_id and w.state = 'waiting'
            and w.due_at <= now()
            and (w.attempt = 0 or b.transfer_phone is null or t.has_line or not exists (
              select from calls k where k.account_id = w.account_id and k.call_id = w.call_id
                and k.callback_at is not null))
          order by w.due_at, w.call_id
          limit case when h.is_held then 0 when b.call_throttle = 0 then ${room} else least(${room}, greatest(0, b.call_throttle - (
            select count(*) from call_queue u
            where u.account_id = b.account_id and u.broadcast_id = b.broadcast_id
              and u.state in ('claimed', 'placing', 'up', 'doubt')))) end) w) q
      where b.status = 'broadcasting' and b.call_provider = ${provider} and b.call_count > 0
    )
    select q.account_id, q.call_id, q.broadcast_id, q.zone, q.attempt, c.phone, c.caller_id, c.purpose,
      coalesce(s.voice_state = 'out', false) as is_out, coalesce(not p.is_valid, false) as is_invalid, b.calling_days, b.calling_start, b.calling_stop,
      b.continue_on_next_day, b.call_zone, b.call_until, a.time_zone, a.status_id, a.subscription_end_at, a.quiet_hours_on, b.hours_set_aside_at,
      a.quiet_start, a.quiet_stop
    from (select * from due order by turn, due_at limit ${room}) q
    join calls c on c.account_id = q.account_id and c.call_id = q.call_id
    join accounts a on a.account_id = q.account_id
    left join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
    left join phone_consents s on s.account_id = q.account_id and s.phone = c.phone
    left join phone_lookups p on p.account_id = q.account_id and p.phone = c.phone
    order by q.turn, q.due_at`.execute(trx);
  return rows;
}

const keyOf = ({ account_id, broadcast_id }: Candidate) => `${account_id} ${broadcast_id}`;

/** Broadcasts of accounts that were suspended, closed or expired after their calls had been created. */
function barredBroadcasts(candidates: Candidate[]): Map<string, BarredBroadcast> {
  const barred = new Map<string, BarredBroadcast>();
  for (const one of candidates) {
    if (one.broadcast_id === null || barred.has(keyOf(one))) continue;
    const reason = cannotSendMessage(
      {
        AccountStatusID: one.status_id,
        SubscriptionEndDate: one.subscription_end_at?.toISOString() ?? null,
      },
      nowMs(),
    );
    if (reason !== undefined)
      barred.set(keyOf(one), { accountId: one.account_id, broadcastId: one.broadcast_id, reason });
  }
  return barred;
}

/**
 * Without those who asked not to be called or turned out to have no phone since, and those whose hours or
 * window don't allow it now.
 */
async function withoutBarred(trx: Trx, candidates: Candidate[]): Promise<Candidate[]> {
  const atMs = nowMs();
  const allowed: Candidate[] = [];
  const closed = new Map<string, { one: Candidate; atMs: number | undefined }>();
  for (const one of candidates) {
    if (one.purpose !== 'broadcast') allowed.push(one);
    else if (one.is_out) await endUncalled(trx, one, 'do_not_call');
    else if (one.is_invalid) await endUncalled(trx, one, 'invalid');
    else {
      const next = nextOf(one, atMs);
      if (next !== 'expired' && next.atMs <= atMs) allowed.push(one);
      else {
        const key = `${one.account_id} ${one.broadcast_id} ${one.zone}`;
        closed.set(key, { one, atMs: next === 'expired' ? undefined : next.atMs });
      }
    }
  }
  for (const { one, atMs: opensMs } of closed.values()) {
    if (opensMs === undefined) await expireZone(trx, one);
    else await postponeZone(trx, one, new Date(opensMs));
  }
  return allowed;
}

function nextOf(one: Candidate, atMs: number) {
  if (one.call_until !== null && one.call_until.getTime() <= atMs) return 'expired' as const;
  const hours: CallHours = {
    window: {
      CallingWindowDays: one.calling_days ?? [],
      StartTimeOfDay: timeOfDay(one.calling_start ?? '00:00'),
      StopTimeOfDay: timeOfDay(one.calling_stop ?? '00:00'),
      ContinueOnNextDay: one.continue_on_next_day === true,
    },
    senderZone: one.call_zone ?? one.time_zone,
    hours:
      one.quiet_hours_on && one.hours_set_aside_at === null
        ? {
            ...recipientHours,
            StartTimeOfDay: timeOfDay(one.quiet_start),
            StopTimeOfDay: timeOfDay(one.quiet_stop),
          }
        : undefined,
    accountZone: one.time_zone,
  };
  return nextCall(one.zone, atMs, hours);
}

async function postponeZone(
  trx: Trx,
  { account_id, broadcast_id, zone }: Candidate,
  until: Date,
): Promise<void> {
  await sql`
    update call_queue set due_at = ${until}
    where account_id = ${account_id} and broadcast_id = ${broadcast_id} and zone = ${zone} and state = 'waiting'
      and due_at < ${until}`.execute(trx);
}

/**
 * The window has closed for good: people who were never called are Expired, others get the result of their
 * last attempt.
 */
async function expireZone(trx: Trx, { account_id, broadcast_id, zone }: Candidate): Promise<void> {
  const held = sql`
      select account_id, call_id from call_queue
      where account_id = ${account_id} and broadcast_id = ${broadcast_id} and zone = ${zone} and state = 'waiting'`;
  const result = sql`case when c.attempts = 0 then 'expired' else c.result end`;
  await sql`with ${endWaiting(held, result)} ${toSettle}`.execute(trx);
}

async function endUncalled(trx: Trx, one: Candidate, result: 'do_not_call' | 'invalid'): Promise<void> {
  const held = sql`
      select account_id, call_id from call_queue
      where account_id = ${one.account_id} and call_id = ${one.call_id} and state = 'waiting'`;
  await sql`with ${endWaiting(held, sql`${result}::text`)} ${toSettle}`.execute(trx);
}

async function claim(trx: Trx, allowed: Candidate[]): Promise<Omit<ClaimedCall, 'startsInMs'>[]> {
  if (allowed.length === 0) return [];
  const leaseId = randomUUID();
  const { rows } = await sql<{ account_id: number; call_id: number }>`
    update call_queue q
    set state = 'claimed', lease_id = ${leaseId}, look_at = now() + make_interval(secs => ${claimSeconds})
    from unnest(${allowed.map((one) => one.account_id)}::bigint[], ${allowed.map((one) => one.call_id)}::bigint[])
      as g(account_id, call_id)
    where q.account_id = g.account_id and q.call_id = g.call_id and q.state = 'waiting'
    returning q.account_id, q.call_id`.execute(trx);
  const claimed = new Set(rows.map((row) => `${row.account_id} ${row.call_id}`));
  return allowed
    .filter((one) => claimed.has(`${one.account_id} ${one.call_id}`))
    .map((one) => ({
      accountId: one.account_id,
      callId: one.call_id,
      broadcastId: one.broadcast_id,
      leaseId,
      phone: one.phone,
      callerId: one.caller_id,
    }));
}
