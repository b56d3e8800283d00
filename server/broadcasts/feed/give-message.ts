import { sql } from 'kysely';
import { callingRefusals } from '../../../contract/calling.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { missingKeys } from '../../../contract/forms/broadcast.ts';
import { voiceUnits } from '../../../contract/money/units.ts';
import { callingEndsMs } from '../../../contract/time/calling-window.ts';
import { audioTooLong } from '../../../contract/uploads/audio.ts';
import { refuseUnlessInScope } from '../../access/refuse-unless.ts';
import { noteAudioUse } from '../../audio/note-audio-use.ts';
import { requireAudio } from '../../audio/queries.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { lockDraft } from '../draft/queries.ts';
import { readCalling } from '../draft/read-calling.ts';
import { type LockedBroadcast, lockBroadcast } from '../lock-broadcast.ts';
import { wireStatus } from '../rules.ts';

type Part = 'Audio' | 'AudioVM';

/**
 * Gives a draft, or a broadcast that was sent without it, one of its two messages. After the last missing one
 * it leaves NeedsMessage: it starts, or waits for its start.
 */
export async function giveMessage(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  { part, audioId }: { part: Part; audioId: number },
) {
  const audio = await requireAudio(trx, actor, audioId);
  const tooLong = audioTooLong(audio.Length);
  if (tooLong !== undefined) throw refuseField(part, tooLong);
  const found = await trx
    .selectFrom('broadcasts')
    .select('status')
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirst();
  if (found?.status === 'draft') {
    await lockDraft(trx, actor, broadcastId);
    await setMessage(trx, actor.accountId, broadcastId, { part, audioId });
    await notify(trx, actor.accountId, [{ type: 'draft.changed', DraftBroadcastID: broadcastId }]);
    return { BroadcastID: broadcastId, AudioID: audioId, BroadcastStatus: 'Draft' };
  }
  const row = await lockBroadcast(trx, actor, broadcastId);
  refuseUnlessInScope(actor, 'broadcasts:send');
  const has = part === 'Audio' ? row.audio_id : row.audio_vm_id;
  if (row.status !== 'needs_message' || has !== null) {
    throw new Refusal('conflict', callingRefusals.messageGiven);
  }
  const calling = await readCalling(trx, row);
  if (audio.Length > calling.MaxMessageLength) {
    throw refuseField(
      part,
      `Your message cannot exceed ${calling.MaxMessageLength} seconds. The message you selected is ${Math.ceil(audio.Length)} seconds long.`,
    );
  }
  if (part === 'Audio') {
    const [missing] = missingKeys(audio.Text, { type: row.broadcast_type, isTransfer: row.is_transfer });
    if (missing !== undefined) throw refuseField(part, missing);
  }
  await setMessage(trx, actor.accountId, broadcastId, { part, audioId });
  await noteAudioUse(trx, actor.accountId, [audioId]);
  const status = await startIfComplete(trx, actor, await lockBroadcast(trx, actor, broadcastId));
  await notify(trx, actor.accountId, [
    { type: 'broadcast.changed', BroadcastID: broadcastId },
    { type: 'broadcasts.changed' },
  ]);
  return { BroadcastID: broadcastId, AudioID: audioId, BroadcastStatus: wireStatus[status] };
}

async function setMessage(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  { part, audioId }: { part: Part; audioId: number },
) {
  await trx
    .updateTable('broadcasts')
    .set({ ...(part === 'Audio' ? { audio_id: audioId } : { audio_vm_id: audioId }), updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  await trx
    .updateTable('message_recordings')
    .set({ state: 'Kept', audio_id: audioId, updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('part', '=', part)
    .where('state', 'in', ['Waiting', 'Calling', 'Keeping'])
    .execute();
}

/** The amount reserved for the longest message is reduced to the cost of these two. */
async function startIfComplete(trx: Trx, actor: Actor, row: LockedBroadcast) {
  const calling = await readCalling(trx, row);
  const isMissing =
    (calling.Audio === null && row.record_later) || (calling.AudioVM === null && row.record_later_vm);
  if (isMissing) return 'needs_message' as const;
  const each =
    row.call_credits_each === 0
      ? 0
      : Math.max(voiceUnits(calling.Audio?.Length), voiceUnits(calling.AudioVM?.Length));
  const less = row.call_credits_unfed - each * row.call_count;
  await moveCredits(trx, [
    {
      accountId: actor.accountId,
      kind: 'release',
      credits: Math.max(0, less),
      note: 'The message is shorter than it might have been',
      reference: ofBroadcast(row.broadcast_id),
    },
  ]);
  const startMs = Math.max(nowMs(), row.start_at?.getTime() ?? 0);
  const isAhead = startMs > nowMs();
  const endsMs = callingEndsMs(calling, startMs, calling.zone);
  const status = isAhead ? ('scheduled' as const) : ('broadcasting' as const);
  await trx
    .updateTable('broadcasts')
    .set({
      status,
      started_at: isAhead ? null : sql`now()`,
      call_credits_each: each,
      call_credits_unfed: each * row.call_count,
      credits_reserved: sql`credits_reserved - ${Math.max(0, less)}::bigint`,
      next_call_at: new Date(startMs),
      call_until: endsMs === undefined ? null : new Date(endsMs),
    })
    .where('account_id', '=', row.account_id)
    .where('broadcast_id', '=', row.broadcast_id)
    .execute();
  await enqueue(trx, 'place_calls', {}, isAhead ? { runAt: new Date(startMs) } : {});
  await enqueue(trx, 'send_messages', {}, isAhead ? { runAt: new Date(startMs) } : {});
  return status;
}
