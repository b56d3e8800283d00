import { type BroadcastType, voiceUnits } from '../../../contract/money/units.ts';
import { normalizePhone } from '../../../contract/phone/normalize-phone.ts';
import type { CallingWindow } from '../../../contract/time/calling-window.ts';
import { chooseProvider } from '../../calls/choose-provider.ts';
import { startSlack } from '../../calls/rules.ts';
import type { Trx } from '../../db.ts';
import { type Calling, readCalling } from '../draft/read-calling.ts';
import type { Sending } from '../draft/read-sending.ts';
import { type CallSummary, summarizeCalls } from '../recipients/judge-calls.ts';
import { type CallPlan, connectedSeconds, planCalls, ringingSeconds } from './plan-calls.ts';

/** The cost and the settings of a broadcast's calls. */
export interface CallReckoning {
  summary: CallSummary;
  calling: Calling;
  window: CallingWindow;
  /**
   * The caller ID in digits, its owner, and the provider that calls from it; undefined where it may not be
   * used.
   */
  callerPhone: string | undefined;
  provider: CallingProvider | undefined;
  /** Seconds of the two messages; null where one is recorded later or missing. */
  liveSeconds: number | null;
  voicemailSeconds: number | null;
  creditsEach: number;
  credits: number;
  /** Lines in use at a time. */
  lines: number;
}

interface CallingProvider {
  aggregatorId: number;
  lines: number;
  startsPerSecond: number;
}

interface CallTrial {
  type: BroadcastType;
  audioId?: number | undefined;
  audioVmId?: number | undefined;
  callThrottle?: number | undefined;
  isTransfer?: boolean | undefined;
}

export async function reckonCalls(trx: Trx, sending: Sending, trial: CallTrial): Promise<CallReckoning> {
  const summary = await summarizeCalls(trx, sending.accountId, sending.broadcast_id, trial.type);
  const calling = await readCalling(trx, {
    ...sending,
    audio_id: trial.audioId ?? sending.audio_id,
    audio_vm_id: trial.audioVmId ?? sending.audio_vm_id,
    is_transfer: trial.isTransfer ?? sending.is_transfer,
  });
  const callerPhone = normalizePhone(calling.CallerID, calling.CountryID);
  const provider = callerPhone === undefined ? undefined : await findProvider(trx, sending, callerPhone);
  const liveSeconds = calling.Audio?.Length ?? null;
  const voicemailSeconds = calling.AudioVM?.Length ?? null;
  // The more expensive of the two: nobody knows in advance who answers. One that is recorded later may be as
  // long as allowed.
  const seconds = (length: number | null, isLater: boolean) =>
    length ?? (isLater ? calling.MaxMessageLength : undefined);
  const creditsEach = sending.takesCredits
    ? Math.max(
        voiceUnits(seconds(liveSeconds, calling.RecordLater)),
        voiceUnits(seconds(voicemailSeconds, calling.RecordLaterVM)),
      )
    : 0;
  const throttle = trial.callThrottle ?? calling.CallThrottle;
  const most = provider?.lines ?? 1;
  return {
    summary,
    calling,
    window: calling,
    callerPhone,
    provider,
    liveSeconds,
    voicemailSeconds,
    creditsEach,
    credits: creditsEach * summary.called,
    lines: Math.max(1, throttle === 0 ? most : Math.min(throttle, most)),
  };
}

/**
 * The provider that calls from a number: its carrier for the account's own number, otherwise the one that
 * verified it.
 */
export async function findProvider(
  trx: Trx,
  { accountId }: Pick<Sending, 'accountId'>,
  phone: string,
): Promise<CallingProvider | undefined> {
  const own = await trx
    .selectFrom('text_numbers')
    .select('aggregator_id')
    .where('account_id', '=', accountId)
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  const verified = own
    ? undefined
    : await trx
        .selectFrom('caller_ids')
        .select('phone')
        .where('account_id', '=', accountId)
        .where('phone', '=', phone)
        .where('status', '=', 'Verified')
        .executeTakeFirst();
  if (own === undefined && verified === undefined) return undefined;
  const provider = await chooseProvider(trx, own?.aggregator_id ?? 2);
  const pace = { lines: provider?.lines ?? 0, startsPerSecond: provider?.starts_per_second ?? 1 };
  return { aggregatorId: provider?.provider ?? own?.aggregator_id ?? 2, ...pace };
}

/** Calling times of each zone, and the end of the last call with these lines. */
export function planTheCalls(sending: Sending, calls: CallReckoning, startMs: number): CallPlan {
  const { calling, summary, lines, provider, liveSeconds, voicemailSeconds } = calls;
  const longest = Math.max(liveSeconds ?? 0, voicemailSeconds ?? 0);
  return planCalls({
    startMs,
    zones: summary.zones,
    lines,
    // The provider's limit is the most, and starts keep below it.
    startsPerSecond: (provider?.startsPerSecond ?? 1) / (1 + startSlack),
    secondsEach:
      ringingSeconds +
      (longest === 0 ? calling.MaxMessageLength : longest) +
      (calling.IsTransfer ? connectedSeconds : 0),
    retries: calling.Retries,
    hours: {
      window: calling,
      senderZone: calling.zone,
      hours: sending.hours,
      accountZone: sending.accountZone,
    },
  });
}
