import { sql } from 'kysely';
import { type AudioType, audioNameLength, audioTypeOf } from '../../contract/audio.ts';
import { Refusal } from '../../contract/errors.ts';
import type { BroadcastType } from '../../contract/money/units.ts';
import { languageCode } from '../../contract/reference/languages.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { BadAudio } from '../audio/rules.ts';
import { giveMessage } from '../broadcasts/feed/give-message.ts';
import { now } from '../clock.ts';
import { asAccount, asSystem, type Database, type Trx } from '../db.ts';
import { inLanguage } from '../in-language.ts';
import type { Tasks } from '../jobs.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { openAgain } from './close-recordings.ts';
import { dropRecording, fetchRecording, type RecordingContext } from './fetch-recording.ts';

/**
 * Fetches a message recorded by telephone from the provider, adds it to the library, gives it to the
 * broadcast that waits for it, and deletes it at the provider. A second run finds it saved.
 */
export async function keepRecording(
  { database, files, log, providers }: RecordingContext,
  payload: Tasks['keep_recording'],
): Promise<void> {
  const { accountId, url } = payload;
  const row = await findRecording(database, payload);
  const provider = row && providers.get(row.provider);
  if (row === undefined || provider === undefined || row.state !== 'Keeping') return;
  try {
    const insert = await fetchRecording(files, provider, {
      url,
      accountId,
      userId: row.user_id,
      name: nameOf(row),
      audioType: typeOf(row),
    });
    await asAccount(database, accountId, (trx) => keep(trx, row, insert));
  } catch (error) {
    const sentence = error instanceof BadAudio ? error.message : undefined;
    // The job retries temporary errors; for permanent ones the user who recorded it is notified.
    if (sentence === undefined) throw error;
    await asSystem(database, (trx) =>
      openAgain(trx, { accountId, recordingId: row.recording_id, note: sentence }),
    );
    return;
  }
  await dropRecording(log, provider, url);
}

/**
 * Adds it to the library and gives it to the broadcast that waits for it. If the broadcast can't use it
 * (because it was canceled, or the message is too long), this returns the reason; the recording stays in the
 * library.
 */
async function keep(trx: Trx, row: RecordingRow, insert: (trx: Trx) => Promise<number>): Promise<void> {
  const { account_id: accountId, recording_id: recordingId } = row;
  const audioId = await insert(trx);
  const actor = await findActiveActor(trx, accountId, row.user_id);
  await recordEvents(trx, { accountId, userId: row.user_id }, [{ kind: 'audio.created', id: audioId }]);
  const refusal =
    row.broadcast_id === null || actor === undefined
      ? undefined
      : await give(trx, actor, { broadcastId: row.broadcast_id, part: row.part, audioId });
  if (refusal !== undefined) {
    const note = `${refusal} What you recorded is in your audio library.`;
    await openAgain(trx, { accountId, recordingId, note });
  } else {
    await trx
      .updateTable('message_recordings')
      .set({ state: 'Kept', audio_id: audioId, note: '', updated_at: sql`now()` })
      .where('account_id', '=', accountId)
      .where('recording_id', '=', recordingId)
      .execute();
  }
  await notify(trx, accountId, [{ type: 'audio.changed' }, { type: 'settings.changed' }]);
}

/** The message with which the broadcast refuses it; undefined when it accepts it. */
async function give(
  trx: Trx,
  actor: Actor,
  { broadcastId, part, audioId }: { broadcastId: number; part: 'Audio' | 'AudioVM'; audioId: number },
): Promise<string | undefined> {
  await sql`savepoint given`.execute(trx);
  try {
    await giveMessage(trx, actor, broadcastId, { part, audioId });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`rollback to savepoint given`.execute(trx);
    return error.message;
  }
  return undefined;
}

/** A message for a broadcast is filed by the broadcast's own type. */
function typeOf({ broadcast_type, is_transfer, audio_type }: RecordingRow): AudioType {
  if (broadcast_type === null) return audio_type;
  return audioTypeOf({ BroadcastType: broadcast_type, IsTransfer: is_transfer === true });
}

interface RecordingRow {
  account_id: number;
  recording_id: number;
  user_id: number;
  broadcast_id: number | null;
  broadcast_name: string | null;
  broadcast_type: BroadcastType | null;
  is_transfer: boolean | null;
  audio_type: AudioType;
  language_id: number;
  part: 'Audio' | 'AudioVM';
  state: string;
  provider: number;
}

/**
 * Named after the broadcast that it is for, otherwise after the day, in the language of the user who recorded
 * it.
 */
function nameOf({ broadcast_name, language_id }: RecordingRow): string {
  const locale = `${languageCode(language_id)}-US`;
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(now());
  const recorded = inLanguage(language_id, 'files')('Recorded by phone');
  const name = broadcast_name === null || broadcast_name === '' ? `${recorded}, ${day}` : broadcast_name;
  return [...name].slice(0, audioNameLength).join('');
}

/** Found by the call that we placed, or by the inbound one. */
async function findRecording(
  database: Database,
  { accountId, callId, launchCallId = 0 }: Tasks['keep_recording'],
) {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<RecordingRow>`
      select r.account_id, r.recording_id, r.user_id, r.broadcast_id, b.name as broadcast_name, b.broadcast_type,
        b.is_transfer, r.audio_type, u.language_id, r.part, r.state, coalesce(l.provider, a.provider) as provider
      from message_recordings r
      join users u on u.account_id = r.account_id and u.user_id = r.user_id
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
