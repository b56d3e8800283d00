import { sql } from 'kysely';
import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { AnsweredBy, CallEnd } from '../outside/calls.ts';
import { prepared } from '../prepared.ts';
import { callsAgain, chargeOf, resultOfAttempt, retryMinutes } from './rules.ts';

export interface AttemptKey {
  accountId: number;
  callId: number;
  attempt: number;
}

export interface End {
  end: CallEnd;
  /** The provider's call that reports its end: it binds the attempt, as in bind-attempt.ts. */
  by?: { sid: string; nonce: number };
  answeredBy?: AnsweredBy | null;
  seconds?: number | null;
  error?: string | null;
  /** It is unknown whether it was placed: it isn't repeated. */
  isDoubt?: boolean;
  note?: string;
  /** The provider runs the whole flow by itself and reports afterwards what was heard. */
  isToldAfterwards?: boolean;
  isVoicemailPlayed?: boolean;
}

interface Ended {
  heard_at: Date | null;
  voicemail_at: Date | null;
  left_at: Date | null;
  played_at: Date | null;
  ended_at: Date;
  provider: number;
  keys: string;
  /** They asked to be called back, and this was that call. */
  wants_callback: boolean;
  is_callback: boolean;
  answered_by: AnsweredBy | null;
  broadcast_id: number | null;
  purpose: string;
  attempts: number;
  credits: number;
  retries: number | null;
  is_canceled: boolean;
  live_ms: number | null;
  voicemail_ms: number | null;
}

/**
 * Ends an attempt, once: a second caller finds it ended. Then it is called again in some minutes, or the call
 * is over and paid for. Its line is free either way. Returns the result; undefined when it had ended before.
 */
export async function endAttempt(trx: Trx, key: AttemptKey, end: End): Promise<CallResultCode | undefined> {
  const { accountId, callId, attempt } = key;
  const { rows } = await sql<Ended>`
    ${prepared} with ended as (
      update call_attempts
      set sid = coalesce(sid, ${end.by?.sid ?? null}::text), accepted_at = coalesce(accepted_at, now()),
        ended_at = clock_timestamp(), seconds = ${end.seconds ?? null}::int, error = ${end.error ?? null}::text,
        answered_by = coalesce(answered_by, ${end.answeredBy ?? null}::text),
        heard_at = case when ${end.isToldAfterwards === true && end.end === 'completed'}::bool then coalesce(heard_at, now())
          else heard_at end,
        voicemail_at = case when ${end.isVoicemailPlayed === true}::bool then coalesce(voicemail_at, placed_at) else voicemail_at end
      where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and ended_at is null
        and (${end.by?.nonce ?? null}::int is null or nonce = ${end.by?.nonce ?? null}::int)
        and (${end.by?.sid ?? null}::text is null or sid is null or sid = ${end.by?.sid ?? null}::text)
      returning account_id, call_id, heard_at, voicemail_at, left_at, played_at, ended_at, answered_by, provider, placed_at
    )
    select e.heard_at, e.voicemail_at, e.left_at, e.played_at, e.ended_at, e.answered_by, e.provider, c.keys,
      c.callback_at is not null as wants_callback, coalesce(e.placed_at > c.callback_at, false) as is_callback, c.broadcast_id, c.purpose, c.attempts, c.credits, b.retries,
      coalesce(b.status = 'canceled', false) as is_canceled, live.length_ms as live_ms, vm.length_ms as voicemail_ms
    from ended e
    join calls c on c.account_id = e.account_id and c.call_id = e.call_id
    left join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
    left join audio live on live.account_id = c.account_id
      and live.audio_id = coalesce(b.audio_id, (c.task ->> 'audioId')::bigint)
    left join audio vm on vm.account_id = c.account_id and vm.audio_id = b.audio_vm_id`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const isPressed = row.keys !== '';
  const result = resultOfAttempt({
    end: end.end,
    answeredBy: row.answered_by,
    heardMs: row.heard_at?.getTime() ?? null,
    voicemailMs: row.voicemail_at?.getTime() ?? null,
    isLeft: row.left_at !== null || end.isVoicemailPlayed === true,
    // Like the other times here: PostgreSQL's clock.
    endedMs: row.ended_at.getTime(),
    isPlayed: row.played_at !== null,
    isPressed,
    // Infobip's scenarios wait for the verdict before they say anything.
    isDetected: row.purpose === 'broadcast' && row.provider === 2 && end.isToldAfterwards !== true,
    isCanceled: row.is_canceled,
    seconds: end.seconds ?? null,
  });
  // Whatever the result of the callback, the message was heard before.
  if (row.is_callback) {
    await endCall(trx, key, { result, over: 'live_answer', row, note: end.note ?? '' });
    return result;
  }
  if (row.wants_callback && result === 'live_answer' && !row.is_canceled) {
    await callBack(trx, key, result);
    return result;
  }
  const again =
    row.purpose === 'broadcast' &&
    !row.is_canceled &&
    callsAgain(result, {
      attempts: row.attempts,
      retries: row.retries ?? 0,
      isDoubt: end.isDoubt === true,
    });
  if (again) await callLater(trx, key, result);
  else await endCall(trx, key, { result, over: result, row, note: end.note ?? '' });
  return result;
}

const noteResult = ({ accountId, callId, attempt }: AttemptKey, result: CallResultCode) => sql`
    update call_attempts set result = ${result}::text
    where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt}`;

async function callLater(trx: Trx, key: AttemptKey, result: CallResultCode): Promise<void> {
  const { accountId, callId } = key;
  await sql`
    ${prepared} with told as (${noteResult(key, result)}),
    back as (
      update call_queue
      set state = 'waiting', lease_id = null, look_at = null,
        due_at = clock_timestamp() + make_interval(mins => ${retryMinutes})
      where account_id = ${accountId} and call_id = ${callId}
    )
    update calls set result = ${result}::text, holds_line = false
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/** Before all who have not been called yet; the claim waits for a free line. */
async function callBack(trx: Trx, key: AttemptKey, result: CallResultCode): Promise<void> {
  const { accountId, callId } = key;
  await sql`
    with told as (${noteResult(key, result)}),
    back as (
      update call_queue q
      set state = 'waiting', lease_id = null, look_at = null,
        due_at = coalesce(b.started_at, clock_timestamp())
      from broadcasts b
      where q.account_id = ${accountId} and q.call_id = ${callId}
        and b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
    )
    update calls set result = 'live_answer', holds_line = false
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/**
 * Its line is free; it stays in the queue until it is paid for (settle-calls.ts). Infobip doesn't say how a transfer
 * went: whoever was connected until the end counts as transferred, without a length.
 */
async function endCall(
  trx: Trx,
  key: AttemptKey,
  { result, over, row, note }: { result: CallResultCode; over: CallResultCode; row: Ended; note: string },
): Promise<void> {
  const { accountId, callId } = key;
  const charged = chargeOf(over, {
    reserved: row.credits,
    liveMs: row.live_ms,
    voicemailMs: row.voicemail_ms,
  });
  const isUntold = sql`(holds_line and ${row.provider === 5}::bool)`;
  await sql`
    ${prepared} with told as (${noteResult(key, result)}),
    queued as (
      update call_queue set state = 'over', lease_id = null, look_at = null
      where account_id = ${accountId} and call_id = ${callId}
    )
    update calls
    set is_over = true, ended_at = clock_timestamp(), result = ${over}::text, charged = ${charged}::int, holds_line = false,
      transfer_result = case when ${isUntold} then 'unknown' else transfer_result end,
      transferred_at = case when ${isUntold} then coalesce(transferred_at, transfer_asked_at) else transferred_at end,
      note = ${note}::text
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
  if (row.broadcast_id === null) await notify(trx, accountId, [{ type: 'settings.changed' }]);
}
