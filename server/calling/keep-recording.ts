import { sql } from 'kysely';
import { audioNameLength } from '../../contract/audio.ts';
import { Refusal } from '../../contract/errors.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { BadAudio } from '../audio/rules.ts';
import { giveMessage } from '../broadcasts/feed/give-message.ts';
import { now } from '../clock.ts';
import { asAccount, asSystem, type Database } from '../db.ts';
import type { Tasks } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { dropRecording, fetchRecording, type RecordingContext } from './fetch-recording.ts';

/**
 * Fetches what somebody recorded by telephone from the provider, makes it a recording of the library, gives it to the
 * broadcast that waits for it, and deletes it at the provider. A second time it finds it kept.
 */
export async function keepRecording(
  { database, files, log, providers }: RecordingContext,
  payload: Tasks['keep_recording'],
): Promise<void> {
  const { accountId, url } = payload;
  const row = await findRecording(database, payload);
  const provider = row && providers.get(row.provider);
  if (row === undefined || provider === undefined || row.state === 'Kept') return;
  try {
    const insert = await fetchRecording(files, provider, {
      url,
      accountId,
      userId: row.user_id,
      name: nameOf(row.broadcast_name),
    });
    await asAccount(database, accountId, async (trx) => {
      const audioId = await insert(trx);
      const actor = await findActiveActor(trx, accountId, row.user_id);
      await recordEvents(trx, { accountId, userId: row.user_id }, [{ kind: 'audio.created', id: audioId }]);
      await trx
        .updateTable('message_recordings')
        .set({ state: 'Kept', audio_id: audioId, note: '', updated_at: sql`now()` })
        .where('account_id', '=', accountId)
        .where('recording_id', '=', row.recording_id)
        .execute();
      const part = row.part === 'AudioVM' ? 'AudioVM' : 'Audio';
      if (row.broadcast_id !== null && actor !== undefined) {
        await giveMessage(trx, actor, row.broadcast_id, { part, audioId });
      }
      await notify(trx, accountId, [{ type: 'audio.changed' }, { type: 'settings.changed' }]);
    });
  } catch (error) {
    const sentence = error instanceof BadAudio || error instanceof Refusal ? error.message : undefined;
    // What may pass is tried again by the job; what won't is told to whoever recorded it.
    if (sentence === undefined) throw error;
    await failRecording(database, accountId, row.recording_id, sentence);
    return;
  }
  await dropRecording(log, provider, url);
}

function nameOf(broadcastName: string | null): string {
  const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(now());
  const name = broadcastName === null || broadcastName === '' ? `Recorded by phone, ${day}` : broadcastName;
  return [...name].slice(0, audioNameLength).join('');
}

/** By the call that we placed, or by the one that came in. */
async function findRecording(
  database: Database,
  { accountId, callId, launchCallId = 0 }: Tasks['keep_recording'],
) {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<{
      recording_id: number;
      user_id: number;
      broadcast_id: number | null;
      broadcast_name: string | null;
      part: string;
      state: string;
      provider: number;
    }>`
      select r.recording_id, r.user_id, r.broadcast_id, b.name as broadcast_name, r.part, r.state,
        coalesce(l.provider, a.provider) as provider
      from message_recordings r
      left join call_attempts a on a.account_id = r.account_id and a.call_id = r.call_id
      left join launch_calls l on l.account_id = r.account_id and l.recording_id = r.recording_id
        and l.launch_call_id = ${launchCallId}
      left join broadcasts b on b.account_id = r.account_id and b.broadcast_id = r.broadcast_id
      where r.account_id = ${accountId} and coalesce(l.provider, a.provider) is not null
        and case when ${launchCallId} > 0 then l.launch_call_id is not null else r.call_id = ${callId} end
      order by a.attempt desc nulls last limit 1`.execute(trx);
    return rows[0];
  });
}

async function failRecording(
  database: Database,
  accountId: number,
  recordingId: number,
  note: string,
): Promise<void> {
  await asSystem(database, async (trx) => {
    await trx
      .updateTable('message_recordings')
      .set({ state: 'Waiting', note, updated_at: sql`now()` })
      .where('account_id', '=', accountId)
      .where('recording_id', '=', recordingId)
      .execute();
    await notify(trx, accountId, [{ type: 'settings.changed' }]);
  });
}
