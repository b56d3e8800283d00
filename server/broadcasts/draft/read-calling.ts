import { sql } from 'kysely';
import type { z } from 'zod';
import type { broadcastAudio } from '../../../contract/audio.ts';
import { domesticDigits, wirePhone } from '../../../contract/phone/normalize-phone.ts';
import { isInternational } from '../../../contract/reference/countries.ts';
import type { VoiceOption } from '../../../contract/states/broadcast-wizard.ts';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { audioAddress, playAddress } from '../../audio/rules.ts';
import type { Trx } from '../../db.ts';

/** The columns of a broadcast that determine its calls. */
export interface CallingRow {
  account_id: number;
  user_id: number;
  status: string;
  caller_id: string | null;
  call_throttle: number | null;
  retries: number | null;
  check_calling_window: boolean;
  calling_days: string[] | null;
  calling_start: string | null;
  calling_stop: string | null;
  continue_on_next_day: boolean | null;
  max_message_length: number | null;
  country_id: number | null;
  audio_id: number | null;
  audio_vm_id: number | null;
  record_later: boolean;
  record_later_vm: boolean;
  voice_option: string;
  voice_type: string;
  is_transfer: boolean;
  transfer_number_id: number | null;
  transfer_lines: number | null;
}

/** The calling settings of a broadcast in the API's format; missing ones are those of its sender. */
export async function readCalling(trx: Trx, row: CallingRow) {
  const user = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select([
      'users.caller_id',
      'users.call_throttle',
      'users.retries',
      'users.calling_days',
      'users.calling_start',
      'users.calling_stop',
      'users.continue_on_next_day',
      'users.max_message_length',
      'users.time_zone',
      'accounts.country_id',
    ])
    .where('users.account_id', '=', row.account_id)
    .where('users.user_id', '=', row.user_id)
    .executeTakeFirstOrThrow();
  const days = row.calling_days ?? user.calling_days;
  const countryId = row.country_id ?? user.country_id;
  return {
    CallerID:
      row.caller_id === null
        ? wirePhone(user.caller_id, countryId)
        : callerIdOnWire({ callerId: row.caller_id, status: row.status }, countryId),
    CallThrottle: row.call_throttle ?? user.call_throttle,
    Retries: row.retries ?? user.retries,
    CheckCallingWindow: row.check_calling_window,
    CallingWindowDays: dayNames.filter((day) => days.includes(day)),
    StartTimeOfDay: timeOfDay(row.calling_start ?? user.calling_start),
    StopTimeOfDay: timeOfDay(row.calling_stop ?? user.calling_stop),
    ContinueOnNextDay: row.continue_on_next_day ?? user.continue_on_next_day,
    MaxMessageLength: row.max_message_length ?? user.max_message_length,
    CountryID: countryId,
    ...(await readMessages(trx, row)),
    RecordLater: row.record_later,
    RecordLaterVM: row.record_later_vm,
    voiceOption: row.voice_option as VoiceOption,
    voiceType: row.voice_type as VoiceOption,
    IsTransfer: row.is_transfer,
    TransferNumber: await findTransferNumber(trx, row),
    TransferLines: row.transfer_lines,
    /** The time zone of the calling window. */
    zone: user.time_zone,
  };
}
export type Calling = Awaited<ReturnType<typeof readCalling>>;

/**
 * The caller ID of a broadcast in the API's format. In drafts, and in what repeats, it is as somebody typed it: abroad it
 * stays so, and a plus is never lost, because without it another number would be read. Send makes it a stored phone.
 */
export function callerIdOnWire(
  { callerId, status }: { callerId: string; status: string },
  countryId: number,
): string {
  if (status !== 'draft' && status !== 'model') return wirePhone(callerId, countryId);
  return callerId.startsWith('+') || isInternational(countryId) ? callerId : domesticDigits(callerId);
}

type Message = z.output<typeof broadcastAudio>;

/** Recordings that were deleted since are still available to broadcasts that use them. */
async function readMessages(trx: Trx, { account_id, audio_id, audio_vm_id }: CallingRow) {
  const ids = [audio_id, audio_vm_id].filter((id) => id !== null);
  if (ids.length === 0) return { Audio: null, AudioVM: null };
  const rows = await trx
    .selectFrom('audio')
    .select(['audio_id', 'name', 'length_ms', 'public_key', 'peaks', 'spoken_text'])
    .where('account_id', '=', account_id)
    .where('audio_id', 'in', ids)
    .execute();
  const messages = new Map<number | null, Message>(
    rows.map((row) => [
      row.audio_id,
      {
        AudioID: row.audio_id,
        Name: row.name,
        Length: Math.round(row.length_ms / 100) / 10,
        Uri: audioAddress(row.audio_id),
        PlayUri: playAddress(account_id, row.public_key),
        Peaks: [...row.peaks],
        Text: row.spoken_text,
      },
    ]),
  );
  return { Audio: messages.get(audio_id) ?? null, AudioVM: messages.get(audio_vm_id) ?? null };
}

async function findTransferNumber(trx: Trx, { account_id, transfer_number_id }: CallingRow) {
  if (transfer_number_id === null) return null;
  const { rows } = await sql<{ ID: number; PhoneNumber: string; Status: 'Pending' | 'Approved' }>`
    select transfer_number_id as "ID", phone as "PhoneNumber", status as "Status" from transfer_numbers
    where account_id = ${account_id} and transfer_number_id = ${transfer_number_id} and deleted_at is null`.execute(
    trx,
  );
  return rows[0] ?? null;
}
