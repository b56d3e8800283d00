import type { Input } from '../../../contract/call.ts';
import type { DraftBroadcast, getDraft } from '../../../contract/drafts.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { checkGroup, countAllocated, planBoth, reckonSending } from '../preflight/reckon-sending.ts';
import { isMergeFresh, readSending } from './read-sending.ts';

/** The part of a draft that is estimated. */
export type Estimate = Pick<
  DraftBroadcast,
  | 'MinCallUnitsRequired'
  | 'TextNumberCredits'
  | 'PotentialUniqueCount'
  | 'VoiceNumberCount'
  | 'TotalVoiceNumberCount'
  | 'StartDateAllocatedTextCredits'
  | 'RosterChangedSinceLastMerge'
  | 'UniqueCountThresholdExceeded'
  | 'Starts'
  | 'Ends'
>;

/**
 * The cost and duration of a draft, for the text and the start in the request or its own. Computed from
 * stored counts: a million recipients take no longer than ten.
 */
export async function estimateDraft(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  question: Partial<Input<typeof getDraft>['query']> = {},
): Promise<Estimate> {
  const sending = await readSending(trx, actor.accountId, broadcastId);
  const reckoning = await reckonSending(trx, actor, sending, {
    characters: question.textmessagelength,
    hasMedia: question.isEnhanced,
    startDate: question.startdate,
    textNumberId: question.textNumberID,
    broadcastType: question.broadcasttype,
    audioId: question.audio,
    audioVmId: question.audiovm,
    callThrottle: question.callthrottle,
    isTransfer: question.istransfer,
  });
  const { credits, allCredits, calls, reached, startMs } = reckoning;
  const plan = reached === 0 ? undefined : await planBoth(trx, sending, reckoning);
  const broadcast_type = question.broadcasttype ?? sending.broadcast_type;
  const group = await checkGroup(trx, { ...sending, broadcast_type }, reached);
  return {
    MinCallUnitsRequired: allCredits,
    TextNumberCredits: credits,
    VoiceNumberCount: calls?.summary.called ?? 0,
    TotalVoiceNumberCount: calls?.summary.callable ?? 0,
    PotentialUniqueCount: reached,
    StartDateAllocatedTextCredits: await countAllocated(trx, sending, startMs),
    RosterChangedSinceLastMerge: sending.merge_state !== 'running' && !isMergeFresh(sending),
    UniqueCountThresholdExceeded: group?.isWithin === false,
    Starts: plan === undefined ? null : new Date(plan.startsMs).toISOString(),
    Ends: plan === undefined ? null : new Date(plan.endsMs).toISOString(),
  };
}
