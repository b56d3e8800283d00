import { type Kysely, sql } from 'kysely';
import type { Trx } from '../db.ts';
import type { AnsweredBy } from '../outside/calls.ts';
import { prepared } from '../prepared.ts';
import type { DB } from '../schema.types.ts';
import { type CallInFlow, type FlowRow, flowOf, flowSelect } from './queries.ts';
import { type CallKey, graceSeconds, ringSeconds } from './rules.ts';

export interface Progress {
  /** A person or a machine has answered. */
  isUp?: boolean;
  /** The live message was requested, or the one for voicemail. Not kept if the broadcast was canceled before. */
  isHeard?: boolean;
  isVoicemail?: boolean;
  /** It has been played to its end. */
  isLeft?: boolean;
  /** The live message was played to its end, or a key was pressed. */
  isPlayed?: boolean;
  answeredBy?: AnsweredBy;
  isRepeated?: boolean;
  /** Seconds until the next check, if no more events arrive. */
  lookSeconds?: number;
}

/**
 * Records the events of a webhook about an attempt. The first call that reports for an attempt binds it;
 * false for a second one, which is hung up: a phone might ring twice, nobody hears the message twice. Also
 * false once the attempt has ended. It may be repeated.
 */
export async function bindAttempt(
  trx: Kysely<DB>,
  key: CallKey,
  sid: string,
  progress: Progress = {},
): Promise<boolean> {
  const { rows } = await sql<{ call_id: number }>`
    ${prepared} ${binding(key, sid, progress)}
    select call_id from bound`.execute(trx);
  return rows.length > 0;
}

/**
 * Records who answered, by the provider's verdict, and returns the current verdict; undefined for a second
 * call. Also whether the voicemail message has begun: the same webhook may come twice. Machines press no keys: somebody with a long greeting who presses one is a person, whatever the
 * detection said.
 */
export async function bindVerdict(
  trx: Kysely<DB>,
  key: CallKey,
  sid: string,
  answeredBy: AnsweredBy,
): Promise<{ answeredBy: AnsweredBy; isPlaying: boolean } | undefined> {
  const { rows } = await sql<{ answeredBy: AnsweredBy; isPlaying: boolean }>`
    ${prepared} ${binding(key, sid, {
      isUp: true,
      answeredBy,
      // If the next request gets lost, a worker checks soon and asks again.
      ...(answeredBy === 'machine' ? { lookSeconds: 5 } : {}),
    })}
    select answered_by as "answeredBy", voicemail_at is not null as "isPlaying" from bound`.execute(trx);
  return rows[0];
}

/**
 * The same, with everything that the next step needs: a person on the telephone waits for this one statement.
 */
export async function bindStep(
  trx: Kysely<DB>,
  key: CallKey,
  { sid, progress, publicUrl }: { sid: string; progress: Progress; publicUrl: string },
): Promise<CallInFlow | undefined> {
  const { rows } = await sql<FlowRow>`
    ${prepared} ${binding(key, sid, progress)}
    ${flowSelect(sql`bound`)}`.execute(trx);
  const [row] = rows;
  return row === undefined ? undefined : { row, flow: flowOf(row, publicUrl) };
}

function binding({ accountId, callId, attempt, nonce }: CallKey, sid: string, progress: Progress) {
  const { isUp = false, isHeard = false, isVoicemail = false, isLeft = false, isRepeated = false } = progress;
  const { isPlayed = false } = progress;
  // Decided in this statement: no message begins after Cancel, and one that has begun isn't cut off.
  const isWithdrawn = sql`exists (
          select from calls c
          join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
          where c.account_id = ${accountId} and c.call_id = ${callId} and c.purpose = 'broadcast' and b.status = 'canceled')`;
  return sql`
    with bound as (
      update call_attempts
      set sid = ${sid}::text, accepted_at = coalesce(accepted_at, now()),
        answered_at = case when ${isUp}::bool then coalesce(answered_at, clock_timestamp()) else answered_at end,
        heard_at = case when ${isHeard}::bool and (voicemail_at is not null or not ${isWithdrawn})
          then coalesce(heard_at, clock_timestamp()) else heard_at end,
        voicemail_at = case when ${isVoicemail}::bool and (heard_at is not null or not ${isWithdrawn})
          then coalesce(voicemail_at, clock_timestamp()) else voicemail_at end,
        left_at = case when ${isLeft}::bool then coalesce(left_at, clock_timestamp()) else left_at end,
        played_at = case when ${isPlayed}::bool then coalesce(played_at, clock_timestamp()) else played_at end,
        answered_by = case when ${progress.answeredBy ?? null}::text = 'machine' and exists (
            select from calls c where c.account_id = ${accountId} and c.call_id = ${callId} and c.keys <> '') then 'human'
          else coalesce(${progress.answeredBy ?? null}::text, answered_by) end,
        repeats = repeats + ${isRepeated ? 1 : 0}::int
      where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and nonce = ${nonce}
        and ended_at is null and (sid is null or sid = ${sid}::text)
      returning *
    ),
    queued as (
      update call_queue q
      set state = 'up', lease_id = null,
        look_at = now() + make_interval(secs => coalesce(${progress.lookSeconds ?? null}::float8, ${graceSeconds}::float8
          + case when b.answered_at is null then ${ringSeconds}::float8 else coalesce((
            select max(x.length_ms) / 1000.0
            from calls c
            join broadcasts o on o.account_id = c.account_id and o.broadcast_id = c.broadcast_id
            join audio x on x.account_id = o.account_id and x.audio_id in (o.audio_id, o.audio_vm_id)
            where c.account_id = b.account_id and c.call_id = b.call_id), 120) end))
      from bound b where q.account_id = b.account_id and q.call_id = b.call_id
        and q.state in ('placing', 'up', 'doubt')
    )`;
}

/** Keys as they were pressed, and the answer to a survey: the first one counts. */
export async function noteKeys(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
  { keys, answer }: { keys: string; answer: string | null },
): Promise<void> {
  await sql`
    update calls
    set keys = left(keys || case when keys = '' then '' else ' ' end || ${keys}, 200),
      survey_key = coalesce(survey_key, ${answer})
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/**
 * Reserves a line of the transfer number, if one is free. The broadcast's row is locked: two people who press
 * 0 at once can't both get the last one.
 */
export async function takeLine(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
  { broadcastId, lines }: { broadcastId: number; lines: number },
): Promise<boolean> {
  await sql`select from broadcasts where account_id = ${accountId} and broadcast_id = ${broadcastId}
    for no key update`.execute(trx);
  const { rows } = await sql<{ call_id: number }>`
    update calls set holds_line = true, transfer_asked_at = coalesce(transfer_asked_at, clock_timestamp())
    where account_id = ${accountId} and call_id = ${callId} and (holds_line or ${lines} > (
      select count(*) from calls k
      where k.account_id = ${accountId} and k.broadcast_id = ${broadcastId} and k.holds_line))
    returning call_id`.execute(trx);
  if (rows.length > 0) return true;
  await sql`update calls set transfer_asked_at = coalesce(transfer_asked_at, clock_timestamp())
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
  return false;
}

/**
 * Pressed 0 and found no free line. Wants to be called back, or not. Whoever gets a line after the wait doesn't count
 * while they hold it, nor after they have spoken.
 */
export async function noteAbandoned(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
  { wantsCall }: { wantsCall: boolean },
): Promise<void> {
  await sql`update calls set abandoned_at = coalesce(abandoned_at, clock_timestamp()),
      callback_at = case when ${wantsCall} then coalesce(callback_at, clock_timestamp()) else callback_at end
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/** The line is free again; the result is saved. It counts as a transfer when the two have spoken. */
export async function endTransfer(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
  { isBridged, seconds, status }: { isBridged: boolean; seconds: number; status: string },
): Promise<void> {
  await sql`
    update calls
    set holds_line = false, transfer_result = ${status},
      transferred_at = case when ${isBridged}
        then coalesce(transferred_at, clock_timestamp() - make_interval(secs => ${seconds})) else transferred_at end,
      transfer_seconds = case when ${isBridged} then ${seconds} else transfer_seconds end
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

export async function noteOptOut(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
): Promise<void> {
  await sql`update calls set opted_out_at = coalesce(opted_out_at, now())
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/** Saves what a recording call has captured so far. */
export async function noteRecorded(
  trx: Trx,
  { accountId, callId }: Pick<CallKey, 'accountId' | 'callId'>,
  url: string,
): Promise<void> {
  await sql`update calls set task = task || ${JSON.stringify({ recordedUrl: url })}::jsonb
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}
