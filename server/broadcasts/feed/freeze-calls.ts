import { sql } from 'kysely';
import { callingEndsMs } from '../../../contract/time/calling-window.ts';
import { noteAudioUse } from '../../audio/note-audio-use.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import type { Sending } from '../draft/read-sending.ts';
import type { CallReckoning } from '../preflight/reckon-calls.ts';
import type { Reckoning } from '../preflight/reckon-sending.ts';

/** The check from when they were added is repeated: they may have asked not to be called. */
export async function judgeAgain(trx: Trx, { accountId, broadcast_id }: Sending): Promise<void> {
  await sql`update broadcasts set calls_judged = null
    where account_id = ${accountId} and broadcast_id = ${broadcast_id}`.execute(trx);
}

/**
 * Everything that determines its calls, from the moment of Send on: settings, counts, credits, and the
 * message or the wait for it. Recipients become calls when it starts (server/calling/feed-calls.ts).
 */
export async function freezeCalls(
  trx: Trx,
  sending: Sending,
  { calls, reached, startMs }: Reckoning & { calls: CallReckoning },
): Promise<void> {
  const { accountId, broadcast_id } = sending;
  const { calling, summary, creditsEach, credits, callerPhone, provider } = calls;
  const isAhead = startMs > nowMs();
  const isMissing =
    (calling.Audio === null && sending.record_later) || (calling.AudioVM === null && sending.record_later_vm);
  const endsMs = callingEndsMs(calling, startMs, calling.zone);
  await trx
    .updateTable('broadcasts')
    .set({
      ...(isMissing ? { status: 'needs_message' as const, started_at: null } : {}),
      caller_id: callerPhone ?? '',
      call_throttle: calling.CallThrottle,
      retries: calling.Retries,
      calling_days: calling.CallingWindowDays,
      calling_start: clock(calling.StartTimeOfDay),
      calling_stop: clock(calling.StopTimeOfDay),
      continue_on_next_day: calling.ContinueOnNextDay,
      max_message_length: calling.MaxMessageLength,
      country_id: calling.CountryID,
      call_provider: provider?.aggregatorId ?? null,
      call_zone: calling.zone,
      transfer_phone: calling.IsTransfer ? (calling.TransferNumber?.PhoneNumber ?? null) : null,
      call_count: summary.called,
      reach_count: reached,
      call_cursor: 0,
      call_fed: 0,
      call_credits_each: creditsEach,
      call_credits_unfed: credits,
      next_call_at: summary.called === 0 ? null : isAhead ? new Date(startMs) : sql<Date>`now()`,
      call_until: endsMs === undefined ? null : new Date(endsMs),
    })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
  const played = [calling.Audio, calling.AudioVM].flatMap((audio) => (audio === null ? [] : [audio.AudioID]));
  if (played.length > 0) await noteAudioUse(trx, accountId, played);
  if (isMissing) await beginRecordings(trx, sending, calls);
  else await enqueue(trx, 'place_calls', {}, isAhead ? { runAt: new Date(startMs) } : {});
}

function clock({ Hour, Minute }: { Hour: number; Minute: number }): string {
  return `${String(Hour).padStart(2, '0')}:${String(Minute).padStart(2, '0')}`;
}

/** One for each message that is still to be recorded. */
async function beginRecordings(trx: Trx, sending: Sending, { calling }: CallReckoning): Promise<void> {
  const parts = [
    ...(calling.Audio === null ? (['Audio'] as const) : []),
    ...(calling.AudioVM === null ? (['AudioVM'] as const) : []),
  ];
  for (const part of parts) {
    await trx
      .insertInto('message_recordings')
      .values({
        account_id: sending.accountId,
        user_id: sending.user_id,
        broadcast_id: sending.broadcast_id,
        part,
      })
      .onConflict((on) => on.doNothing())
      .execute();
  }
}

/** The first message of a broadcast that is still to be recorded. */
export function findRecording(trx: Trx, accountId: number, broadcastId: number) {
  return trx
    .selectFrom('message_recordings')
    .select('recording_id')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('state', 'in', ['Waiting', 'Calling', 'Keeping'])
    .orderBy('recording_id')
    .executeTakeFirst();
}
