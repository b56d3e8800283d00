import { sql } from 'kysely';
import type { CallResultCode } from '../../contract/delivery/call-result.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { enqueue, type Tasks } from '../jobs.ts';
import { notify } from '../notify.ts';

const atOnce = 100;
/** Fetching a recording is retried for this long; then it must be recorded again. */
const keepMinutes = 60;

const isClosing = sql`(r.state = 'Calling' and c.is_over
  or r.state = 'Keeping' and r.updated_at < now() - make_interval(mins => ${sql.lit(keepMinutes)}))`;

/** True if there are such recordings. */
export const hasClosing = sql`exists (
  select from message_recordings r left join calls c on c.account_id = r.account_id and c.call_id = r.call_id
  where r.state in ('Calling', 'Keeping') and ${isClosing})`;

interface RecordingId {
  accountId: number;
  recordingId: number;
}

interface OverRecording {
  account_id: number;
  recording_id: number;
  call_id: number;
  state: 'Calling' | 'Keeping';
  result: CallResultCode;
  url: string | null;
}

/**
 * Finishes recordings whose call is over. If the caller hung up after hearing their message, it is kept.
 * Without a message it can be recorded again, and the note says why.
 */
export async function closeRecordings(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    const { rows } = await sql<OverRecording>`
      select r.account_id, r.recording_id, coalesce(c.call_id, 0) as call_id, r.state, coalesce(c.result, 'call_failed') as result, c.task ->> 'recordedUrl' as url
      from message_recordings r left join calls c on c.account_id = r.account_id and c.call_id = r.call_id
      where ${isClosing}
      order by r.account_id, r.recording_id limit ${atOnce} for no key update of r skip locked`.execute(trx);
    for (const row of rows) await close(trx, row);
  });
}

async function close(trx: Trx, row: OverRecording): Promise<void> {
  if (row.state === 'Calling' && row.url !== null) {
    const { account_id: accountId, recording_id: recordingId, call_id: callId, url } = row;
    await beginKeeping(trx, { accountId, recordingId, payload: { accountId, callId, url } });
    return;
  }
  const note =
    row.state === 'Keeping'
      ? 'Your recording couldn’t be fetched. Please record it again.'
      : noteOf(row.result);
  await openAgain(trx, { accountId: row.account_id, recordingId: row.recording_id, note });
}

function noteOf(result: CallResultCode): string {
  switch (result) {
    case 'live_answer':
      return 'Nothing was recorded. Try again, and speak after the beep.';
    case 'busy':
      return 'Your phone was busy. Try again.';
    case 'no_answer':
    case 'voicemail':
      return 'Nobody answered your phone. Try again.';
    default:
      return 'Your phone couldn’t be reached. Check the number and try again.';
  }
}

/**
 * Fetching and preparing it takes seconds, and a caller must not wait for that. It runs once: a second
 * request finds it started. The call with the message counts, no matter which one started last.
 */
export async function beginKeeping(
  trx: Trx,
  { accountId, recordingId, payload }: RecordingId & { payload: Tasks['keep_recording'] },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('message_recordings')
    .set({
      ...{ state: 'Keeping', note: '', updated_at: sql`now()` },
      ...(payload.launchCallId === undefined ? { call_id: payload.callId } : {}),
    })
    .where('account_id', '=', accountId)
    .where('recording_id', '=', recordingId)
    .where('state', 'in', ['Waiting', 'Calling'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await enqueue(trx, 'keep_recording', payload);
}

/**
 * It wasn't recorded, for the reason in the note. A message that a broadcast needs waits for the next try.
 */
export async function openAgain(
  trx: Trx,
  { accountId, recordingId, note }: RecordingId & { note: string },
): Promise<void> {
  await sql`
    update message_recordings
    set state = case when broadcast_id is null then 'Failed' else 'Waiting' end, note = ${note}, updated_at = now()
    where account_id = ${accountId} and recording_id = ${recordingId} and state <> 'Kept'`.execute(trx);
  await notify(trx, accountId, [{ type: 'settings.changed' }]);
}
