import { type RawBuilder, sql } from 'kysely';
import { checkGroupSize, type GroupSizeCheck } from '../../../contract/money/group-size.ts';
import { tollFreeCaps } from '../../../contract/money/toll-free-caps.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { isTollFree } from '../../../contract/phone/toll-free.ts';
import { messagesPerDayOf } from '../../../contract/reference/messaging-limits.ts';
import { dayBounds, localDay } from '../../../contract/time/local-day.ts';
import { hourMs, parseMoment } from '../../../contract/time/wall-clock.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { ofFreeTrial } from '../../numbers/queries.ts';
import type { Actor } from '../../serve.ts';
import { weighText } from '../../texts/create-texts.ts';
import { isMergeFresh, type Sending } from '../draft/read-sending.ts';
import { isReached } from '../is-reached.ts';
import { type KeptSummary, summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { hasRegisteredNumber } from './get-messaging-limits.ts';
import { type Cap, fastestPerMinute, type Plan, planZones } from './plan-zones.ts';
import { type CallReckoning, planTheCalls, reckonCalls } from './reckon-calls.ts';

/** The cost of a broadcast, as it is or with the changes that the wizard tries out. */
export interface Reckoning {
  summary: KeptSummary;
  number: SendingNumber | undefined;
  /** Number of texts by their segments, the fewest segments first. */
  bySegments: { segments: number; count: number }[];
  /** Segments of all texts: what carriers count. */
  messages: number;
  /** Their cost; 0 where texts cost nothing. */
  credits: number;
  isFree: boolean;
  startMs: number;
  /** Undefined for broadcasts without calls. */
  calls: CallReckoning | undefined;
  /** People who get a text, a call or both. */
  reached: number;
  /** The total of credits for texts and calls. */
  allCredits: number;
}

/** Values that may be tried out before they are saved. */
export interface Trial {
  /** Characters of the text with its signature. */
  characters?: number | undefined;
  hasMedia?: boolean | undefined;
  startDate?: string | undefined;
  textNumberId?: number | undefined;
  broadcastType?: BroadcastType | undefined;
  audioId?: number | undefined;
  audioVmId?: number | undefined;
  callThrottle?: number | undefined;
  isTransfer?: boolean | undefined;
}

type SendingNumber = NonNullable<Awaited<ReturnType<typeof findNumber>>>;

async function findNumber(trx: Trx, accountId: number, textNumberId: number | null) {
  if (textNumberId === null) return undefined;
  return trx
    .selectFrom('text_numbers')
    .select([
      ...(['text_number_id', 'phone', 'name', 'registration_status', 'is_blocked', 'can_text'] as const),
      ...([
        'can_create_broadcast',
        'aggregator_id',
        'per_minute',
        'flat_rate_status',
        'flat_rate_end_at',
      ] as const),
      ofFreeTrial,
    ])
    .where('account_id', '=', accountId)
    .where('text_number_id', '=', textNumberId)
    .where('released_at', 'is', null)
    .executeTakeFirst();
}

export async function reckonSending(
  trx: Trx,
  actor: Pick<Actor, 'timeZone'>,
  sending: Sending,
  trial: Trial = {},
): Promise<Reckoning> {
  const { accountId, broadcast_id } = sending;
  // While a merge is running, its slices change the counts all the time: those from its beginning are close
  // enough.
  const kept = sending.merge_state === 'running' ? (sending.summary as KeptSummary | null) : null;
  const all = kept ?? (await summarizeRecipients(trx, accountId, broadcast_id));
  const type = trial.broadcastType ?? sending.broadcast_type;
  const summary = sendsTexts(type) ? all : { ...all, good: 0, zones: {}, segments: {} };
  const number = await findNumber(trx, accountId, trial.textNumberId ?? sending.text_number_id);
  const bySegments = segmentsOf(sending, summary, trial);
  const messages = bySegments.reduce((sum, { segments, count }) => sum + segments * count, 0);
  // Unlimited conversations of a number are one-to-one: a broadcast from it costs credits like any other.
  const isFree = !sending.takesCredits;
  const credits = isFree ? 0 : messages;
  const startMs = startOf(sending, actor.timeZone, trial.startDate);
  const calls = placesCalls(type) ? await reckonCalls(trx, sending, { ...trial, type }) : undefined;
  return {
    summary,
    number,
    bySegments,
    messages,
    credits,
    isFree,
    startMs,
    calls,
    reached: calls?.summary.reached ?? summary.good,
    allCredits: credits + (calls?.credits ?? 0),
  };
}

/** Merged texts each have their own length; before the merge, fields count as they are written. */
function segmentsOf(
  sending: Sending,
  { good, segments }: KeptSummary,
  trial: Trial,
): Reckoning['bySegments'] {
  if (good === 0) return [];
  const isTried = trial.characters !== undefined || trial.hasMedia !== undefined;
  if (sending.isPersonalized && isMergeFresh(sending) && !isTried) {
    // Recipients without their own figure have as many as most.
    const counts = new Map<number, number>();
    for (const [key, count] of Object.entries(segments)) {
      const each = key === '' ? sending.segments : Number(key);
      counts.set(each, (counts.get(each) ?? 0) + count);
    }
    return [...counts]
      .map(([each, count]) => ({ segments: each, count }))
      .sort((a, b) => a.segments - b.segments);
  }
  return [{ segments: commonSegments(sending, trial), count: good }];
}

/** Segments of the text that everybody gets, or of each merged text. Of two texts, of the longer one. */
export function commonSegments(sending: Sending, trial: Trial = {}): number {
  const { second } = sending;
  if (second !== undefined) {
    const alone = { ...sending, second: undefined };
    const { hasMedia } = trial;
    return Math.max(
      commonSegments(alone, trial),
      commonSegments({ ...alone, body: second.body }, { hasMedia }),
    );
  }
  const { international, keepCharacters } = sending;
  const hasMedia = trial.hasMedia ?? sending.hasMedia;
  const message = trial.characters === undefined ? sending.body : ' '.repeat(trial.characters);
  const suffix = trial.characters === undefined ? sending.suffix : '';
  const by = { international, takesCredits: false, flatRateStatus: null };
  return weighText({ message, suffix, hasMedia, keepCharacters }, by).segments;
}

/** Now, unless a later time was chosen. */
function startOf(sending: Sending, zone: string, tried: string | undefined): number {
  const chosen = tried ?? (sending.start_option === 'START_IMMEDIATELY' ? null : sending.start_wall);
  const startMs = chosen === null ? undefined : parseMoment(chosen, zone)?.epochMs;
  return Math.max(nowMs(), startMs ?? 0);
}

/** Times when each zone gets it, with the cap that spreads it. */
export type SendingPlan = Plan & { cap: Cap | undefined };

export async function planSending(trx: Trx, sending: Sending, reckoning: Reckoning): Promise<SendingPlan> {
  const { number, summary, startMs } = reckoning;
  const cap = number === undefined ? undefined : await findCap(trx, sending, { ...reckoning, number });
  const speeds = [sending.per_minute, number?.per_minute ?? null].filter((speed) => speed !== null);
  const { second } = sending;
  const planFor = (from: number, part: number) =>
    planZones({
      startMs: from,
      zones: Object.entries(summary.zones).map(([zone, count]) => ({ zone, count: Math.ceil(count * part) })),
      perMinute: Math.min(...speeds, fastestPerMinute(number?.aggregator_id ?? 5)),
      hours: sending.hours,
      accountZone: sending.accountZone,
      cap,
    });
  if (second === undefined) return { ...planFor(startMs, 1), cap };
  // Two texts: some hours after the last of the first part, the rest follow.
  const tried = (2 * second.share) / 100;
  const first = planFor(startMs, tried);
  const rest = planFor(first.endsMs + second.hours * hourMs, 1 - tried);
  return {
    startsMs: first.startsMs,
    endsMs: rest.endsMs,
    zones: first.zones.map((zone) => ({
      ...zone,
      count: summary.zones[zone.zone] ?? zone.count,
      doneMs: rest.zones.find((one) => one.zone === zone.zone)?.doneMs ?? zone.doneMs,
    })),
    cap,
  };
}

/** Times when texts and calls begin and when the last of them has ended. */
export async function planBoth(
  trx: Trx,
  sending: Sending,
  reckoning: Reckoning,
): Promise<{ startsMs: number; endsMs: number }> {
  const plans = [
    ...(reckoning.summary.good > 0 ? [await planSending(trx, sending, reckoning)] : []),
    ...(reckoning.calls === undefined ? [] : [planTheCalls(sending, reckoning.calls, reckoning.startMs)]),
  ];
  return {
    startsMs: Math.min(...plans.map(({ startsMs }) => startsMs)),
    endsMs: Math.max(...plans.map(({ endsMs }) => endsMs)),
  };
}

/** The caps of a toll-free number, in texts of this broadcast. Free texts count by their segments. */
async function findCap(
  trx: Trx,
  { accountId, accountZone }: Sending,
  { number, messages, summary, startMs }: Reckoning & { number: SendingNumber },
): Promise<Cap | undefined> {
  if (!isTollFree(number.phone) || summary.good === 0) return undefined;
  const caps = tollFreeCaps(
    { TextPhoneNumber: number.phone, RegistrationStatus: number.registration_status },
    startMs,
  );
  if (!Number.isFinite(caps.DailyCredits)) return undefined;
  const { rows } = await sql<{ used: number }>`
    select coalesce(greatest(d.credits, d.sent), 0) as used
    from generate_series(29, 0, -1) back
    left join daily_texts d on d.account_id = ${accountId} and d.text_number_id = ${number.text_number_id}
      and d.day = ${localDay(startMs, accountZone)}::date - back
    order by back desc`.execute(trx);
  const each = messages / summary.good;
  return {
    perDay: caps.DailyCredits / each,
    perWeek: caps.WeeklyCredits / each,
    perMonth: caps.MonthlyCredits / each,
    used: rows.map(({ used }) => used / each),
  };
}

/**
 * Texts of other broadcasts on the day of the start in the account's zone, and for today also those already
 * sent. Where texts cost nothing their segments count: carriers limit free texts too.
 */
export async function countAllocated(trx: Trx, sending: Sending, startMs: number): Promise<number> {
  const { accountId, accountZone, broadcast_id } = sending;
  const day = localDay(startMs, accountZone);
  const { begins, ends } = dayBounds(day, accountZone);
  const isToday = day === localDay(nowMs(), accountZone);
  const { rows } = await sql<{ allocated: number }>`
    select (coalesce((
        select sum(case when b.credits_reserved > 0 then b.credits_unfed
          else (b.going_count - b.fed_count)::bigint * b.segments end)
        from broadcasts b
        where b.account_id = ${accountId} and b.broadcast_id <> ${broadcast_id} and b.deleted_at is null
          and b.status in ('scheduled', 'broadcasting', 'paused') and b.start_at < ${ends}
          -- Broadcasts that began earlier and aren't finished continue today.
          and (b.start_at >= ${begins} or ${isToday})), 0)
      + coalesce((
        select sum(greatest(t.credits, t.sent)) from daily_texts t
        where t.account_id = ${accountId} and t.day = ${day}::date), 0))::float8 as allocated`.execute(trx);
  return rows[0]?.allocated ?? 0;
}

/** The carriers' daily limit of texts for the account. */
export async function getDailyLimit(trx: Trx, { accountId, messagesPerDay }: Sending): Promise<number> {
  if (messagesPerDay !== null) return messagesPerDay;
  return messagesPerDayOf({ messagesPerDay, isRegistered: await hasRegisteredNumber(trx, accountId) });
}

/**
 * Checks whether a monthly account may reach this many people in its billing period; undefined if it pays per text.
 * People already reached in this period count once. They are looked up only if that could change the answer, or if
 * the number must be exact.
 */
export async function checkGroup(
  trx: Trx,
  sending: Sending,
  good: number,
  { isExact = false }: { isExact?: boolean } = {},
): Promise<(GroupSizeCheck & { newPeople: number }) | undefined> {
  const { MonthlyLevel, UniqueCallCount } = sending.group;
  if (sending.takesCredits || MonthlyLevel === null) return undefined;
  const size = { MonthlyLevel, UniqueCallCount };
  const allNew = { ...checkGroupSize(size, good), newPeople: good };
  // These results are final, whatever is found among the people already reached.
  if (!isExact && (allNew.isWithin || good > MonthlyLevel)) return allNew;
  const newPeople = await countNewPeople(trx, sending);
  return { ...checkGroupSize(size, newPeople), newPeople };
}

/**
 * The recipients whom no other broadcast of the billing period counts: all of them, or those that match the
 * condition on `r`. A canceled broadcast doesn't count people whom it never reached.
 */
export async function countNewPeople(
  trx: Trx,
  {
    accountId,
    broadcast_id,
    broadcast_type,
    group,
  }: Pick<Sending, 'accountId' | 'broadcast_id' | 'broadcast_type' | 'group'>,
  which: RawBuilder<unknown> = isReached(broadcast_type),
): Promise<number> {
  const countedBy = (isReachedByIt: RawBuilder<unknown>) => sql`exists (
        select from broadcasts b
        join broadcast_recipients o on o.account_id = b.account_id and o.broadcast_id = b.broadcast_id
        where b.account_id = ${accountId} and b.broadcast_id <> ${broadcast_id}
          and b.confirmed_at >= ${periodStart(group)} and o.phone = r.phone and ${isReachedByIt}
          and not ${isSpared(sql`b`, sql`o`)})`;
  // Texts and calls apart: each has an index of its own by phone.
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from broadcast_recipients r
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcast_id} and ${which}
      and not ${countedBy(sql`b.broadcast_type like '%SMS%' and o.problem is null`)}
      and not ${countedBy(sql`b.broadcast_type ~ '(Announcement|Survey)$' and o.call_state = 'called'`)}`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/** The start of the billing period: without a subscription's cycle, the start of the month. */
export function periodStart({ cycleStart }: Sending['group']): RawBuilder<Date> {
  return sql`coalesce(${cycleStart}::timestamptz, date_trunc('month', now()))`;
}

/**
 * True if a recipient got nothing because the broadcast was canceled: no text was created, or it was withdrawn in the
 * transaction that canceled, and the phone never rang. A text that a worker held then may still end as Canceled, and
 * stays counted.
 */
export function isSpared(
  broadcast: RawBuilder<unknown>,
  recipient: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(${broadcast}.status = 'canceled' and (${recipient}.message_id is null or exists (
    select from messages m where m.account_id = ${recipient}.account_id and m.message_id = ${recipient}.message_id
      and m.status = 'canceled' and m.status_at <= ${broadcast}.ended_at)) and not exists (
    select from calls c where c.account_id = ${recipient}.account_id and c.broadcast_id = ${recipient}.broadcast_id
      and c.recipient_id = ${recipient}.recipient_id and c.purpose = 'broadcast' and c.attempts > 0))`;
}
