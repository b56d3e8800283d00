import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type * as calls from '../../contract/calling.ts';
import { callingRefusals, type Recording } from '../../contract/calling.ts';
import { Refusal } from '../../contract/errors.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { requireBroadcast } from '../broadcasts/results/read-broadcast.ts';
import { createCall } from '../calls/create-call.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { requireCaller, requirePhone } from './queries.ts';

interface Row {
  recording_id: number;
  broadcast_id: number | null;
  part: string;
  state: string;
  phone: string | null;
  audio_id: number | null;
  note: string;
  created_at: Date;
}

const columns = [
  ...(['recording_id', 'broadcast_id', 'part', 'state', 'phone', 'audio_id', 'note', 'created_at'] as const),
] as const;

function toRecording({ account }: Actor, row: Row): Recording {
  return {
    ID: row.recording_id,
    Uri: `/recordings/${row.recording_id}`,
    BroadcastID: row.broadcast_id,
    Part: row.part as Recording['Part'],
    State: row.state as Recording['State'],
    AudioID: row.audio_id,
    PhoneNumber: row.phone === null ? '' : wirePhone(row.phone, account.CountryID),
    Note: row.note,
    CreateTimestamp: row.created_at.toISOString(),
  };
}

/** Their own, or one of a broadcast that they may see. */
async function requireRecording(trx: Trx, actor: Actor, recordingId: number): Promise<Row> {
  const row = await trx
    .selectFrom('message_recordings')
    .select([...columns, 'user_id'])
    .where('account_id', '=', actor.accountId)
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That recording is no longer here.');
  if (row.broadcast_id !== null) await requireBroadcast(trx, actor, row.broadcast_id);
  else if (row.user_id !== actor.userId) {
    throw new Refusal('notFound', 'That recording is no longer here.');
  }
  return row;
}

export async function getRecording(trx: Trx, actor: Actor, { params }: Input<typeof calls.getRecording>) {
  return toRecording(actor, await requireRecording(trx, actor, params.RecordingID));
}

export async function listRecordings(trx: Trx, actor: Actor, { params }: Input<typeof calls.listRecordings>) {
  await requireBroadcast(trx, actor, params.BroadcastID);
  const rows = await trx
    .selectFrom('message_recordings')
    .select(columns)
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', params.BroadcastID)
    .orderBy('recording_id')
    .execute();
  return { Items: rows.map((row) => toRecording(actor, row)) };
}

/** A message without a broadcast: it goes to the library. */
export async function createRecording(trx: Trx, actor: Actor, { body }: Input<typeof calls.createRecording>) {
  const row = await trx
    .insertInto('message_recordings')
    .values({ account_id: actor.accountId, user_id: actor.userId, audio_type: body.AudioType })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return callTo(trx, actor, row, body.PhoneNumber);
}

export async function callForRecording(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.callForRecording>,
) {
  const row = await requireRecording(trx, actor, params.RecordingID);
  if (row.state === 'Kept') throw new Refusal('conflict', callingRefusals.messageGiven);
  if (await isBeingRecorded(trx, actor, row.recording_id))
    throw new Refusal('conflict', callingRefusals.beingRecorded);
  return callTo(trx, actor, row, body.PhoneNumber);
}

/** True if its call is active, or the message is being prepared. A second concurrent request waits here. */
async function isBeingRecorded(trx: Trx, { accountId }: Actor, recordingId: number): Promise<boolean> {
  await sql`select from message_recordings
    where account_id = ${accountId} and recording_id = ${recordingId} for update`.execute(trx);
  const { rows } = await sql`
    select from message_recordings r
    left join calls c on c.account_id = r.account_id and c.call_id = r.call_id and not c.is_over
    where r.account_id = ${accountId} and r.recording_id = ${recordingId}
      and (r.state = 'Keeping' or r.state = 'Calling' and c.call_id is not null)`.execute(trx);
  return rows.length > 0;
}

async function callTo(trx: Trx, actor: Actor, row: Row, given: string): Promise<Recording> {
  const phone = await requirePhone(trx, actor, given);
  const caller = await requireCaller(trx, actor, null, { mustRecord: true });
  const callId = await createCall(trx, {
    ...{ accountId: actor.accountId, userId: actor.userId },
    ...caller,
    phone,
    task: { kind: 'record', recordingId: row.recording_id },
  });
  const changed = await trx
    .updateTable('message_recordings')
    .set({ state: 'Calling', phone, call_id: callId, note: '', updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('recording_id', '=', row.recording_id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toRecording(actor, changed);
}
