import { callingRefusals } from '../../../contract/calling.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { required } from '../../../contract/fields/basic-rules.ts';
import { callerId } from '../../../contract/fields/phone-rules.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { tooSoon } from '../../../contract/forms/broadcast.ts';
import { transferLinesField } from '../../../contract/forms/transfer.ts';
import { isFarEnoughAhead, startDateMessage, validateStartDate } from '../../../contract/time/start-date.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import { nowMs } from '../../clock.ts';
import type { Actor } from '../../serve.ts';
import type { Sending } from '../draft/read-sending.ts';
import type { CallReckoning } from './reckon-calls.ts';

/** Throws the first reason why the calls of a draft may not be placed. The messages were checked before. */
export function refuseUnlessCallable(
  actor: Actor,
  sending: Sending,
  { calls, isOccurrence }: { calls: CallReckoning; isOccurrence: boolean },
): void {
  refuseUnless(actor, 'createVoiceBroadcast');
  refuseBadCallerId(calls);
  refuseLongMessage(calls);
  refuseBadTransfer(sending, calls);
  // An emergency is accepted at any hour: outside of the window its calls wait, unless the sender ignores the
  // hours.
  if (!isOccurrence && !sending.is_emergency) refuseOutsideWindow(sending, calls, actor.timeZone);
  if (calls.provider !== undefined && calls.provider.lines === 0) {
    throw new Refusal('refused', callingRefusals.noProvider);
  }
}

function refuseBadCallerId({ calling, provider }: CallReckoning): void {
  const rules = [required('Caller ID'), callerId(calling.CountryID)];
  const error = firstFailure(calling.CallerID, rules);
  if (error !== undefined) throw refuseField('CallerID', error);
  if (provider === undefined) throw refuseField('CallerID', callingRefusals.notYours);
}

/** The setting may be stricter than the general limit of two minutes. */
function refuseLongMessage({ calling }: CallReckoning): void {
  const parts = [
    ['Audio', calling.Audio],
    ['AudioVM', calling.AudioVM],
  ] as const;
  for (const [field, audio] of parts) {
    if (audio === null || audio.Length <= calling.MaxMessageLength) continue;
    throw refuseField(
      field,
      `Your message cannot exceed ${calling.MaxMessageLength} seconds. The message you selected is ${Math.ceil(audio.Length)} seconds long.`,
    );
  }
}

function refuseBadTransfer(sending: Sending, { calling }: CallReckoning): void {
  if (!sending.is_transfer) return;
  if (calling.TransferNumber === null)
    throw refuseField('TransferNumber', callingRefusals.transferNotEnabled);
  if (calling.TransferNumber.Status !== 'Approved') {
    throw refuseField('TransferNumber', callingRefusals.notApproved);
  }
  const lines = transferLinesField.safeParse(sending.transfer_lines ?? '');
  if (!lines.success) throw refuseField('TransferLines', lines.error.issues[0]?.message ?? '');
}

/** "The first calling time is at least 5 minutes from now and must fall inside the calling window." */
function refuseOutsideWindow(sending: Sending, { window, calling }: CallReckoning, zone: string): void {
  const atMs = nowMs();
  const isNow = sending.start_option === 'START_IMMEDIATELY';
  const startDate = isNow ? new Date(atMs).toISOString() : (sending.start_wall ?? '');
  const validation = validateStartDate({ startDate, zone: isNow ? calling.zone : zone, nowMs: atMs, window });
  const error = startDateMessage(validation);
  if (error !== undefined) throw refuseField('StartDate', error);
  if (!isNow && validation !== undefined && !isFarEnoughAhead(Date.parse(validation.StartDate), atMs)) {
    throw refuseField('StartDate', tooSoon);
  }
}
