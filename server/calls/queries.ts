import { type RawBuilder, sql } from 'kysely';
import { languages } from '../../contract/reference/languages.ts';
import { readSpokenKeys } from '../../contract/text/spoken-keys.ts';
import type { Trx } from '../db.ts';
import { linkTo } from '../media-links.ts';
import type { CallFlow } from '../outside/calls.ts';
import type { CallTask } from './create-call.ts';
import { type CallKey, callWords } from './rules.ts';

export interface FlowRow {
  account_id: number;
  call_id: number;
  broadcast_id: number | null;
  recipient_id: number | null;
  user_id: number | null;
  purpose: string;
  phone: string;
  caller_id: string;
  task: CallTask | null;
  broadcast_type: string | null;
  broadcast_name: string | null;
  transfer_phone: string | null;
  transfer_lines: number | null;
  live_key: string | null;
  live_ms: number | null;
  live_voice: string | null;
  /** The question of a survey, if it was typed. */
  live_text: string | null;
  voicemail_key: string | null;
  voicemail_ms: number | null;
  repeats: number;
  sid: string | null;
  ended_at: Date | null;
  placed_at: Date;
  provider: number;
  answered_at: Date | null;
  heard_at: Date | null;
  voicemail_at: Date | null;
  answered_by: string | null;
  is_callback: boolean;
  /** The language of the sender. */
  language_id: number | null;
}

export interface CallInFlow {
  row: FlowRow;
  flow: CallFlow;
}

/** Everything that the flow of a call needs, for the rows of call_attempts that `attempts` names. */
export const flowSelect = (attempts: RawBuilder<unknown>) => sql`
    select c.account_id, c.call_id, c.broadcast_id, c.recipient_id, c.user_id, c.purpose, c.phone, c.caller_id, c.task,
      b.broadcast_type, b.name as broadcast_name, b.transfer_phone, b.transfer_lines, live.public_key as live_key,
      live.length_ms as live_ms, live.voice_id as live_voice,
      case when b.broadcast_type like '%Survey' then live.spoken_text end as live_text, vm.public_key as voicemail_key, vm.length_ms as voicemail_ms, a.attempt, a.repeats, a.sid,
      a.ended_at, a.placed_at, a.provider, a.answered_at, a.heard_at, a.voicemail_at, a.answered_by, coalesce(a.placed_at > c.callback_at, false) as is_callback,
      (select u.language_id from users u
        where u.account_id = c.account_id and u.user_id = coalesce(b.user_id, c.user_id)) as language_id
    from ${attempts} a
    join calls c on c.account_id = a.account_id and c.call_id = a.call_id
    left join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
    left join audio live on live.account_id = c.account_id
      and live.audio_id = coalesce(b.audio_id, (c.task ->> 'audioId')::bigint)
    left join audio vm on vm.account_id = c.account_id and vm.audio_id = coalesce(b.audio_vm_id, b.audio_id)`;

/** A call with everything that its flow needs; undefined when no attempt has this key. */
export async function findFlow(
  trx: Trx,
  { accountId, callId, attempt, nonce }: CallKey,
  publicUrl: string,
): Promise<CallInFlow | undefined> {
  const { rows } = await sql<FlowRow>`
    ${flowSelect(sql`call_attempts`)}
    where a.account_id = ${accountId} and a.call_id = ${callId} and a.attempt = ${attempt} and a.nonce = ${nonce}`.execute(
    trx,
  );
  const [row] = rows;
  return row === undefined ? undefined : { row, flow: flowOf(row, publicUrl) };
}

/** An ended attempt that belongs to this call at the provider. */
export async function findEndedAttempt(
  trx: Trx,
  { accountId, callId, attempt, nonce }: CallKey,
  sid: string,
): Promise<{ broadcastId: number | null } | undefined> {
  const { rows } = await sql<{ broadcastId: number | null }>`
    select c.broadcast_id as "broadcastId"
    from call_attempts a join calls c on c.account_id = a.account_id and c.call_id = a.call_id
    where a.account_id = ${accountId} and a.call_id = ${callId} and a.attempt = ${attempt} and a.nonce = ${nonce}
      and a.sid = ${sid} and a.ended_at is not null`.execute(trx);
  return rows[0];
}

export function flowOf(row: FlowRow, publicUrl: string): CallFlow {
  const address = (key: string | null) =>
    key === null ? null : `${publicUrl}${linkTo(`/media/audio/${row.account_id}/${key}.wav`, 'carrier')}`;
  return {
    kind: kindOf(row),
    liveUrl: address(row.live_key),
    voicemailUrl: address(row.voicemail_key),
    mayOptOut: row.purpose === 'broadcast',
    answerKeys: answerKeysOf(row),
    transfer: row.transfer_phone === null ? null : { to: row.transfer_phone, callerId: row.caller_id },
    isCallback: row.is_callback,
    words: row.task?.kind === 'verify' ? callWords.code(row.task.code) : '',
    languageId: languageOf(row),
  };
}

/**
 * A call's own prompts are in the language of the voice that reads the message. The language of a recording
 * is unknown: then it is that of the sender.
 */
export function languageOf({ live_voice, language_id }: Pick<FlowRow, 'live_voice' | 'language_id'>): number {
  const spoken = live_voice === null ? undefined : voiceLanguageId(live_voice);
  return spoken ?? language_id ?? 1;
}

/**
 * Taken from its name (es-US-Neural2-A, flite:slt-es). Voices of other services don't show their language.
 */
function voiceLanguageId(voice: string): number | undefined {
  const builtIn = voice.endsWith('-es') ? 'es' : 'en';
  if (voice.startsWith('flite:')) return languages.find(({ code }) => code === builtIn)?.id;
  const [, code] = /^(?:\w+:)?([a-z]{2})-[A-Z]{2}-/.exec(voice) ?? [];
  return languages.find((language) => language.code === code)?.id;
}

/**
 * A typed message without a key that we can read takes all, as a recording does: no answer may be lost to our reading. So
 * does one that says "any other key".
 */
export function answerKeysOf({ live_text }: Pick<FlowRow, 'live_text'>): readonly string[] | null {
  if (live_text === null) return null;
  const { named, takesAny } = readSpokenKeys(live_text);
  return takesAny || named.length === 0 ? null : named;
}

function kindOf({ purpose, broadcast_type }: FlowRow): CallFlow['kind'] {
  if (purpose === 'test' || purpose === 'record' || purpose === 'verify' || purpose === 'launch')
    return purpose;
  return broadcast_type?.endsWith('Survey') === true ? 'survey' : 'announcement';
}
