import { type RawBuilder, sql } from 'kysely';
import type { Broadcast, getBroadcast as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { BroadcastType } from '../../../contract/money/units.ts';
import { categoryOf } from '../../../contract/states/broadcast-status.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import { may } from '../../access/refuse-unless.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { type MediaRow, toMediaItem } from '../../media/rules.ts';
import type { Actor } from '../../serve.ts';
import { type CallingRow, callerIdOnWire, readCalling } from '../draft/read-calling.ts';
import { listLinks } from '../links/list-links.ts';
import { type SentStatus, wireStatus } from '../rules.ts';
import { readSecondTextResults } from '../second-text/read-results.ts';
import { speedMinutes, speedOf, withCalls } from './estimate-end.ts';

/**
 * The broadcasts that this actor may see, as a condition on `b`: their own, or all. Without drafts and
 * deleted ones.
 */
export function seenBroadcasts(actor: Actor): RawBuilder<unknown> {
  return sql`b.account_id = ${actor.accountId} and b.status not in ('draft', 'model') and b.deleted_at is null
    and ${isSeenOrEmergency(actor)}`;
}

/** A user who may start an emergency sees all of them: after joining one they have to see its progress. */
export function isSeenOrEmergency(actor: Actor): RawBuilder<unknown> {
  return may(actor, 'startEmergency')
    ? sql`(${isSeenBroadcast(actor)} or b.is_emergency)`
    : isSeenBroadcast(actor);
}

/** The columns of a broadcast that results need, if this actor may see it, or not found. */
export async function requireBroadcast(trx: Trx, actor: Actor, broadcastId: number): Promise<SeenBroadcast> {
  const seen = seenBroadcasts(actor);
  const { rows } = await sql<SeenBroadcast>`
    select b.broadcast_id as "broadcastId", b.account_id as "accountId", b.name, b.status,
      b.text_number_id as "textNumberId", b.going_count as "goingCount", b.left_out_count as "leftOutCount",
      b.is_text_survey as "isTextSurvey", b.broadcast_type as "broadcastType",
      coalesce(b.reach_count, b.going_count) as "reachCount", b.is_transfer as "isTransfer",
      b.texts_archived_at is not null as "isArchived"
    from broadcasts b where ${seen} and b.broadcast_id = ${broadcastId}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That broadcast is no longer here.');
  return row;
}

export interface SeenBroadcast {
  accountId: number;
  broadcastId: number;
  name: string;
  status: SentStatus;
  textNumberId: number | null;
  goingCount: number;
  leftOutCount: number;
  isTextSurvey: boolean;
  broadcastType: BroadcastType;
  /** Number of people who get a text, a call or both. */
  reachCount: number;
  isTransfer: boolean;
  /** Some of its texts are in the archive. */
  isArchived: boolean;
}

/** Number of texts of `b` by state: the sums of its slices. */
export const sliceSums = sql`
  select coalesce(sum(s.total), 0) as total, coalesce(sum(s.waiting), 0) as waiting, coalesce(sum(s.sent), 0) as sent,
    coalesce(sum(s.delivered), 0) as delivered, coalesce(sum(s.read), 0) as read, coalesce(sum(s.failed), 0) as failed,
    coalesce(sum(s.invalid), 0) as invalid, coalesce(sum(s.opted_out), 0) as opted_out,
    coalesce(sum(s.canceled), 0) as canceled, coalesce(sum(s.settled), 0)::bigint as settled
  from broadcast_slices s where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id`;

/** Number of people who have answered `b`. */
export const replyCount = sql`
  select count(*) as replied from broadcast_recipients r
  where r.account_id = b.account_id and r.broadcast_id = b.broadcast_id and r.replied_at is not null`;

/** Number of people who have answered `b` with STOP, except those whose text the carrier refused for it. */
export const stopCount = sql`
  select count(*) as stopped from broadcast_recipients r
  where r.account_id = b.account_id and r.broadcast_id = b.broadcast_id and r.stopped_at is not null
    and not exists (select from messages m where m.account_id = r.account_id and m.message_id = r.message_id
      and m.status = 'opted_out')`;

/** Numbers of people who said Yes and No. Only a survey has such answers; for others nothing is read. */
const answerCounts = sql`
  select count(*) filter (where r.survey_answer = 'Yes') as yes, count(*) filter (where r.survey_answer = 'No') as no
  from broadcast_recipients r
  where b.is_text_survey and r.account_id = b.account_id and r.broadcast_id = b.broadcast_id
    and r.survey_answer is not null`;

/**
 * Number of calls of `b` by result. A person who was busy and is called again is waiting, and counts as busy only
 * after the last attempt. Broadcasts without calls read nothing.
 */
const callSums = sql`
  select coalesce(sum(k.many), 0)::int as made,
    coalesce(sum(k.many) filter (where k.result = 'live_answer'), 0)::int as live,
    coalesce(sum(k.many) filter (where k.result = 'voicemail'), 0)::int as voicemail,
    coalesce(sum(k.many - k.waiting) filter (where k.result in ('busy', 'no_answer')), 0)::int as busy,
    coalesce(sum(k.many) filter (where k.result in ('invalid', 'message_rejected', 'do_not_call')), 0)::int as bad,
    coalesce(sum(k.waiting), 0)::int as "callsWaiting",
    coalesce(sum(k.waiting) filter (where k.result not in ('not_yet_called', 'live_answer')), 0)::int
      - (select count(*) from call_queue q
        join calls c on c.account_id = q.account_id and c.call_id = q.call_id
        where q.account_id = b.account_id and q.broadcast_id = b.broadcast_id and q.state in ('placing', 'up', 'doubt')
          and q.attempt > 1 and c.result <> 'live_answer')::int as retrying,
    coalesce(sum(k.transfers), 0)::int as transfers,
    coalesce(sum(k.seconds), 0)::int as "transferSeconds", coalesce(sum(k.answers), 0)::int as answers,
    coalesce(sum(k.charged), 0)::bigint as charged, coalesce(sum(k.held), 0)::bigint as "creditsOfCalls",
    (select count(*) from call_queue q where q.account_id = b.account_id and q.broadcast_id = b.broadcast_id
      and q.state in ('placing', 'up', 'doubt'))::int as up
  from (
    select c.result, count(*) as many, count(*) filter (where not c.is_over) as waiting,
      count(c.transferred_at) as transfers, sum(c.transfer_seconds) as seconds, count(c.survey_key) as answers,
      sum(c.charged) as charged, sum(c.credits) filter (where not c.is_over) as held
    from calls c
    where b.call_count > 0 and c.account_id = b.account_id and c.broadcast_id = b.broadcast_id and c.purpose = 'broadcast'
    group by c.result) k`;

interface BroadcastRow {
  callCount: number;
  callFed: number;
  CallerID: string;
  IsTransfer: boolean;
  made: number;
  live: number;
  voicemail: number;
  busy: number;
  bad: number;
  callsWaiting: number;
  retrying: number;
  transfers: number;
  transferSeconds: number;
  answers: number;
  charged: number;
  creditsOfCalls: number;
  up: number;
  BroadcastID: number;
  BroadcastName: string;
  BroadcastType: BroadcastType;
  IsTextSurvey: boolean;
  status: SentStatus;
  isKeeping: boolean;
  StartDate: Date | null;
  EndDate: Date | null;
  startedAt: Date | null;
  RepeatingScheduleDescription: string;
  RepeatingBroadcastID: number | null;
  IsArchived: boolean;
  TextMessage: string;
  TextNumberID: number | null;
  PhoneNumberCount: number;
  LeftOutCount: number;
  MaxMessageLength: number;
  CustomData: string[];
  media: MediaRow[];
  Labels: Broadcast['Labels'];
  User: Broadcast['User'];
  HeldReason: string;
  PerMinute: number | null;
  creditsReserved: number;
  isSample: boolean;
  IsEmergency: boolean;
  IsDrill: boolean;
  goingCount: number;
  unfed: number;
  waiting: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  invalid: number;
  opted_out: number;
  canceled: number;
  settled: number;
  replied: number;
  stopped: number;
  yes: number;
  no: number;
}

/** The pictures of a broadcast `b` in their order, as rows of MediaRow. */
export const mediaColumn = sql`
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name, 'explicit_status', f.explicit_status,
      'created_at', f.created_at) order by array_position(b.media_ids, f.media_id))
    from media f where f.account_id = b.account_id and f.media_id = any(b.media_ids)), '[]') as media`;

const columns = sql`
  b.broadcast_id as "BroadcastID", b.name as "BroadcastName", b.broadcast_type as "BroadcastType",
  b.is_text_survey as "IsTextSurvey", b.status, b.status = 'needs_message' and (
    select count(*) > 0 and bool_and(m.state = 'Keeping') from message_recordings m
    where m.account_id = b.account_id and m.broadcast_id = b.broadcast_id and m.state in ('Waiting', 'Calling', 'Keeping')
  ) as "isKeeping", b.start_at as "StartDate", b.ended_at as "EndDate",
  b.started_at as "startedAt", coalesce(p.description, '') as "RepeatingScheduleDescription",
  b.repeating_id as "RepeatingBroadcastID", b.is_archived as "IsArchived", b.body as "TextMessage",
  b.text_number_id as "TextNumberID", coalesce(b.reach_count, b.going_count) as "PhoneNumberCount", b.left_out_count as "LeftOutCount",
  coalesce(case when b.call_count > 0 then b.max_message_length end, u.text_character_limit, 0) as "MaxMessageLength",
  array(select f.name from custom_fields f where f.account_id = b.account_id order by f.field_id) as "CustomData",
  ${mediaColumn},
  coalesce((
    select json_agg(json_build_object('LabelID', l.label_id, 'LabelName', l.name) order by lower(l.name))
    from broadcast_labels o join labels l on l.account_id = o.account_id and l.label_id = o.label_id
    where o.account_id = b.account_id and o.broadcast_id = b.broadcast_id), '[]') as "Labels",
  json_build_object('UserID', b.user_id, 'Name', coalesce(u.first_name || ' ' || u.last_name, '')) as "User",
  b.held_reason as "HeldReason", b.per_minute as "PerMinute", b.credits_reserved as "creditsReserved", b.is_sample as "isSample",
  b.is_emergency as "IsEmergency", b.is_drill as "IsDrill",
  b.going_count as "goingCount", greatest(b.going_count - b.fed_count, 0) as unfed,
  s.waiting, s.sent, s.delivered, s.read, s.failed, s.invalid, s.opted_out, s.canceled, s.settled, r.replied,
  o.stopped, a.yes, a.no, b.call_count as "callCount", b.call_fed as "callFed", b.is_transfer as "IsTransfer",
  coalesce(b.caller_id, '') as "CallerID", k.*`;

const joins = sql`
  left join users u on u.account_id = b.account_id and u.user_id = b.user_id
  left join repeating_broadcasts p on p.account_id = b.account_id and p.repeating_id = b.repeating_id
  cross join lateral (${sliceSums}) s
  cross join lateral (${replyCount}) r
  cross join lateral (${stopCount}) o
  cross join lateral (${answerCounts}) a
  cross join lateral (${callSums}) k`;

/** Broadcasts in the order of the given ids; the caller has checked that the actor may see them. */
export async function broadcastsById(trx: Trx, actor: Actor, ids: number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<BroadcastRow>`
    select ${columns} from broadcasts b ${joins}
    where b.account_id = ${actor.accountId} and b.broadcast_id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], b.broadcast_id)`.execute(trx);
  return rows.map((row) => toBroadcast(actor, row));
}

/**
 * A row in the API's format. Each text is counted once: together, the totals make PhoneNumberCount. People
 * who answered with STOP are counted as opted out in addition.
 */
function toBroadcast({ account }: Actor, row: BroadcastRow) {
  const {
    status,
    isKeeping: _,
    media,
    unfed,
    waiting,
    sent,
    delivered,
    read,
    canceled,
    replied,
    stopped,
    yes,
    no,
    ...shown
  } = row;
  // Its last message was recorded by telephone and is being prepared.
  const BroadcastStatus = row.isKeeping ? ('Processing' as const) : wireStatus[status];
  const isCanceled = status === 'canceled';
  const WaitingTotal = waiting + (isCanceled ? 0 : unfed);
  const CanceledTotal = canceled + (isCanceled ? unfed : 0);
  return {
    ...shown,
    BroadcastStatus,
    BroadcastStatusCategory: categoryOf(wireStatus[status]),
    IsPartOfRepeatingBroadcastSequence: row.RepeatingBroadcastID !== null,
    CallerID: callerIdOnWire({ callerId: row.CallerID, status }, account.CountryID),
    IsSampleBroadcast: row.isSample,
    IsFree: row.creditsReserved === 0,
    Media: media.map((item) => toMediaItem(item, row.User.Name)),
    ...callTotals(row),
    DeliveredTexts: delivered,
    ReadCount: read,
    FailedTextTotal: row.failed,
    InvalidTextCount: row.invalid,
    NotDeliveredTexts: WaitingTotal + sent + CanceledTotal,
    TextOptedOut: row.opted_out + stopped,
    StoppedTotal: stopped,
    RepliedTotal: replied,
    NotRepliedTotal: notReplied({ sent, delivered, read, replied }),
    TextSurveyResponseTotal: yes + no,
    WaitingTotal,
    SentTotal: sent,
    CanceledTotal,
  };
}

/**
 * The same for calls. A recipient without a call yet is waiting, or in a canceled broadcast never gets one.
 */
function callTotals(row: BroadcastRow) {
  const unfed = Math.max(0, row.callCount - row.callFed);
  return {
    CallTotal: row.callCount,
    CallsUp: row.up,
    LivePersonTotal: row.live,
    AnsweringMachineTotal: row.voicemail,
    BusyNoAnswerTotal: row.busy,
    InvalidNumberTotal: row.bad,
    TransferTotal: row.transfers,
    SurveyResponseTotal: row.answers,
    IncompleteCallTotal: Math.max(0, row.callCount - row.live - row.voicemail - row.busy - row.bad),
    WaitingCallTotal: row.callsWaiting + (row.status === 'canceled' ? 0 : unfed),
    RetryingCallTotal: row.retrying,
  };
}

/**
 * Recipients whose text was sent and who have not replied. A person who replies to a text that is recorded as
 * failed isn't counted twice.
 */
export function notReplied(counts: {
  sent: number;
  delivered: number;
  read: number;
  replied: number;
}): number {
  return Math.max(0, counts.sent + counts.delivered + counts.read - counts.replied);
}

export async function getBroadcast(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  return getWholeBroadcast(trx, actor, params.BroadcastID);
}

interface WholeRow extends BroadcastRow, CallingRow {
  status: SentStatus;
  transfersUp: number;
  transferPhone: string;
  abandoned: number;
  /** Calls that ended in the last minutes, and when the last waiting one is due. */
  endedLately: number;
  lastDue: Date | null;
  transferLines: number;
  IncludeSignature: boolean;
  HoursSetAsideBy: string;
  yesReply: string;
  noReply: string;
  Segments: number;
  IsRcs: boolean;
  UnansweredTotal: number;
  /** Credits of waiting texts: not fed yet, and fed but not handed over. */
  stillReserved: number;
  /** The cost of its pictures beyond a monthly fee. */
  addOnCents: number | null;
  /** The oldest sample of the last minutes. */
  sampledAt: Date | null;
  sampledSent: number | null;
}

/** One broadcast that this actor may see, with everything that its page shows. */
export async function getWholeBroadcast(trx: Trx, actor: Actor, broadcastId: number) {
  const seen = seenBroadcasts(actor);
  const { rows } = await sql<WholeRow>`
    select ${columns}, b.include_signature as "IncludeSignature",
      case when b.hours_set_aside_at is null then '' else coalesce((
        select btrim(h.first_name || ' ' || h.last_name) from users h
        where h.account_id = b.account_id and h.user_id = b.hours_set_aside_by), 'Somebody') end as "HoursSetAsideBy",
      b.yes_reply as "yesReply", b.no_reply as "noReply",
      b.segments as "Segments", n.rcs_agent is not null as "IsRcs",
      (select count(*) from broadcast_recipients r
        join conversations c on c.account_id = r.account_id and c.text_number_id = b.text_number_id and c.phone = r.phone
        where r.account_id = b.account_id and r.broadcast_id = b.broadcast_id and r.replied_at is not null
          and c.waiting_since is not null and c.place = 0) as "UnansweredTotal",
      b.credits_unfed + w.credits + b.call_credits_unfed as "stillReserved", (
        select o.amount_cents from add_on_charges o
        where o.account_id = b.account_id and o.broadcast_id = b.broadcast_id) as "addOnCents", (
        select count(*) from calls k where k.account_id = b.account_id and k.broadcast_id = b.broadcast_id and k.holds_line
      ) as "transfersUp",
      coalesce(b.transfer_phone, '') as "transferPhone", (
        select count(*) from calls k where k.account_id = b.account_id and k.broadcast_id = b.broadcast_id
          and k.transfer_asked_at is not null and k.abandoned_at is not null and k.transferred_at is null
          and not k.holds_line
      ) as abandoned, (
        select count(*) from calls k where b.call_count > 0 and k.account_id = b.account_id
          and k.broadcast_id = b.broadcast_id and k.purpose = 'broadcast' and k.is_over
          and k.ended_at > now() - ${speedMinutes} * interval '1 minute'
      ) as "endedLately", (
        select max(q.due_at) from call_queue q where q.account_id = b.account_id and q.broadcast_id = b.broadcast_id
          and q.state <> 'over'
      ) as "lastDue", coalesce(b.transfer_lines, 0) as "transferLines",
      b.account_id, b.user_id, b.caller_id, b.call_throttle, b.retries, b.check_calling_window, b.calling_days,
      b.calling_start, b.calling_stop, b.continue_on_next_day, b.max_message_length, b.country_id, b.audio_id,
      b.audio_vm_id, b.record_later, b.record_later_vm, b.voice_option, b.voice_type, b.is_transfer,
      b.transfer_number_id, b.transfer_lines, t.taken_at as "sampledAt", t.sent as "sampledSent"
    from broadcasts b ${joins}
    left join text_numbers n on n.account_id = b.account_id and n.text_number_id = b.text_number_id
    -- Few slices have waiting texts: those that a worker holds, and those with a text in doubt.
    cross join lateral (
      select coalesce(sum(m.credits), 0)::bigint as credits
      from broadcast_slices s join messages m on m.account_id = s.account_id
        and m.message_id between s.first_message_id and s.last_message_id and m.slice_id = s.slice_id
      where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id and s.waiting > 0
        and m.status = 'waiting') w
    left join lateral (
      select taken_at, sent from broadcast_samples o
      where o.account_id = b.account_id and o.broadcast_id = b.broadcast_id
        and o.taken_at >= now() - ${speedMinutes} * interval '1 minute'
      order by o.taken_at limit 1) t on true
    where ${seen} and b.broadcast_id = ${broadcastId}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That broadcast is no longer here.');
  return {
    ...toBroadcast(actor, row),
    ...moreOf(row),
    ...(await callsOf(trx, row)),
    Links: await listLinks(trx, actor.accountId, broadcastId),
    SecondText: await readSecondTextResults(trx, row),
    ...withCalls(speedOf(row, nowMs()), row, nowMs()),
    CanChange: may(actor, 'manageBroadcasts'),
  };
}

/** The recordings, times and caller ID of its calls, and the keys that people pressed. */
async function callsOf(trx: Trx, row: WholeRow) {
  const calling = await readCalling(trx, row);
  return {
    ...{ Audio: calling.Audio, AudioVM: calling.AudioVM },
    ...{ RecordLater: calling.RecordLater, RecordLaterVM: calling.RecordLaterVM },
    ...{ CallThrottle: calling.CallThrottle, Retries: calling.Retries },
    CallingWindowDays: calling.CallingWindowDays,
    StartTimeOfDay: calling.StartTimeOfDay,
    StopTimeOfDay: calling.StopTimeOfDay,
    ContinueOnNextDay: calling.ContinueOnNextDay,
    TransferNumber: row.transferPhone,
    TransferLines: row.transferLines,
    TransferLinesUp: row.transfersUp,
    TransferSeconds: row.transferSeconds,
    AbandonedTotal: row.abandoned,
    SurveyResponses: row.BroadcastType.endsWith('Survey') ? await countKeys(trx, row) : [],
  };
}

/** Number of times that each key of a survey was pressed, *1 first. Keys that were never pressed are left out. */
async function countKeys(trx: Trx, { account_id, BroadcastID }: WholeRow) {
  const { rows } = await sql<{ ID: number; Label: string; Count: number }>`
    select substr(survey_key, 2)::int as "ID", survey_key as "Label", count(*) as "Count" from calls
    where account_id = ${account_id} and broadcast_id = ${BroadcastID} and purpose = 'broadcast' and survey_key is not null
    group by survey_key order by survey_key`.execute(trx);
  return rows;
}

function moreOf(row: WholeRow) {
  const answers = [
    { Label: 'Yes', ID: 1, Message: row.yesReply, Count: row.yes },
    { Label: 'No', ID: 2, Message: row.noReply, Count: row.no },
  ] as const;
  const shown = row.IsTextSurvey ? answers : [];
  const reserved = row.stillReserved + row.creditsOfCalls;
  const settled = row.settled + row.charged;
  return {
    IncludeSignature: row.IncludeSignature,
    HoursSetAsideBy: row.HoursSetAsideBy,
    TextSurveyAutoReplies: shown.map(({ Label, Message }) => ({ Label, Message })),
    TextSurveyResponses: shown.map(({ ID, Label, Count }) => ({ ID, Label, Count })),
    EnhancedMessageAddOnCharge: row.addOnCents === null ? null : { ChargeAmount: row.addOnCents / 100 },
    Segments: row.Segments,
    Credits: {
      Reserved: reserved,
      Settled: settled,
      Released: Math.max(0, row.creditsReserved - settled - reserved),
    },
    IsRcs: row.IsRcs,
    UnansweredTotal: row.UnansweredTotal,
  };
}
