import { sql } from 'kysely';
import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { countUsage } from '../billing/count-usage.ts';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { nowMs } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { AnsweredBy, CallEnd } from '../outside/calls.ts';
import { recordBeside } from '../record-events.ts';
import { callsAgain, chargeOf, resultOfAttempt, retryMinutes } from './rules.ts';

export interface AttemptKey {
  accountId: number;
  callId: number;
  attempt: number;
}

export interface End {
  end: CallEnd;
  answeredBy?: AnsweredBy | null;
  seconds?: number | null;
  error?: string | null;
  /** Nobody could say whether it was placed: it isn't repeated. */
  isDoubt?: boolean;
  note?: string;
  /** The provider runs the whole flow by itself and tells afterwards what was heard. */
  isToldAfterwards?: boolean;
  isVoicemailPlayed?: boolean;
}

interface Ended {
  heard_at: Date | null;
  voicemail_at: Date | null;
  left_at: Date | null;
  played_at: Date | null;
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
 * Ends an attempt, once: whoever comes second finds it ended. Then it is called again in some minutes, or the call is
 * over and paid for. Its line is free either way. Returns what it came to; undefined when it had ended before.
 */
export async function endAttempt(trx: Trx, key: AttemptKey, end: End): Promise<CallResultCode | undefined> {
  const { accountId, callId, attempt } = key;
  const { rows } = await sql<Ended>`
    with ended as (
      update call_attempts
      set ended_at = clock_timestamp(), seconds = ${end.seconds ?? null}, error = ${end.error ?? null},
        answered_by = coalesce(answered_by, ${end.answeredBy ?? null}),
        heard_at = case when ${end.isToldAfterwards === true && end.end === 'completed'} then coalesce(heard_at, now())
          else heard_at end,
        voicemail_at = case when ${end.isVoicemailPlayed === true} then coalesce(voicemail_at, placed_at) else voicemail_at end
      where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and ended_at is null
      returning account_id, call_id, heard_at, voicemail_at, left_at, played_at, answered_by, provider, placed_at
    )
    select e.heard_at, e.voicemail_at, e.left_at, e.played_at, e.answered_by, e.provider, c.keys,
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
    endedMs: nowMs(),
    isPlayed: row.played_at !== null,
    isPressed,
    // Infobip's scenarios wait for the verdict before they say anything.
    isDetected: row.purpose === 'broadcast' && row.provider === 2 && end.isToldAfterwards !== true,
    seconds: end.seconds ?? null,
  });
  await sql`update call_attempts set result = ${result}
    where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt}`.execute(trx);
  // Whatever came of the call back, the message was heard before.
  if (row.is_callback) {
    await endCall(trx, key, { result: 'live_answer', row, note: end.note ?? '' });
    return result;
  }
  if (row.wants_callback && result === 'live_answer' && !row.is_canceled) {
    await callBack(trx, key);
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
  else await endCall(trx, key, { result, row, note: end.note ?? '' });
  return result;
}

async function callLater(trx: Trx, { accountId, callId }: AttemptKey, result: CallResultCode): Promise<void> {
  await sql`
    with back as (
      update call_queue
      set state = 'waiting', lease_id = null, look_at = null,
        due_at = clock_timestamp() + make_interval(mins => ${retryMinutes})
      where account_id = ${accountId} and call_id = ${callId}
    )
    update calls set result = ${result}, holds_line = false
    where account_id = ${accountId} and call_id = ${callId}`.execute(trx);
}

/** Before all who have not been called yet; the claim waits for a free line. */
async function callBack(trx: Trx, { accountId, callId }: AttemptKey): Promise<void> {
  await sql`
    with back as (
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

async function endCall(
  trx: Trx,
  { accountId, callId }: AttemptKey,
  { result, row, note }: { result: CallResultCode; row: Ended; note: string },
): Promise<void> {
  const charged = chargeOf(result, {
    reserved: row.credits,
    liveMs: row.live_ms,
    voicemailMs: row.voicemail_ms,
  });
  const { rows } = await sql<{ ended_at: Date; user_id: number | null; zone: string }>`
    with gone as (delete from call_queue where account_id = ${accountId} and call_id = ${callId})
    update calls c
    set is_over = true, ended_at = clock_timestamp(), result = ${result}, charged = ${charged}, holds_line = false,
      note = ${note}
    from accounts a
    where c.account_id = ${accountId} and c.call_id = ${callId} and a.account_id = c.account_id
    returning c.ended_at, a.time_zone as zone, coalesce(c.user_id, (
      select b.user_id from broadcasts b where b.account_id = c.account_id and b.broadcast_id = c.broadcast_id)) as user_id`.execute(
    trx,
  );
  // What was paid for: also in server/reports/recount-figures.ts.
  await countUsage(
    trx,
    rows.map(({ ended_at, user_id, zone }) => ({
      ...{ accountId, userId: user_id, kind: 'call' as const, credits: charged },
      day: localDay(ended_at, zone),
      messages: charged > 0 ? 1 : 0,
    })),
  );
  const reference = row.broadcast_id === null ? {} : { reference: ofBroadcast(row.broadcast_id) };
  await moveCredits(trx, [
    { accountId, kind: 'settle', credits: charged, note: 'Call', ...reference },
    { accountId, kind: 'release', credits: row.credits - charged, note: 'Call', ...reference },
  ]);
  if (row.broadcast_id === null) await notify(trx, accountId, [{ type: 'settings.changed' }]);
  // A broadcast has many calls: kept only where a webhook wants to know.
  const { rows: listening } = await sql`
    select from webhook_endpoints
    where account_id = ${accountId} and is_enabled and deleted_at is null and event_types @> '{call.ended}'
    limit 1`.execute(trx);
  if (listening.length > 0) await recordBeside(trx, { accountId }, [{ kind: 'call.ended', id: callId }]);
}
