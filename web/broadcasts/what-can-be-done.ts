import type { Broadcast } from '../../contract/broadcasts.ts';
import { placesCalls, sendsTexts } from '../../contract/money/units.ts';
import { broadcastMachine } from '../../contract/states/broadcast-status.ts';
import { allows } from '../../contract/states/machine.ts';
import { type Counted, textTotal } from '../pieces/broadcasts/broadcast-counts.ts';
import { labelOf } from '../pieces/broadcasts/broadcast-words.ts';

type Asked = Counted & Pick<Broadcast, 'BroadcastStatus' | 'BroadcastStatusCategory' | 'StartDate'>;

/** Its start is in the future and nothing has gone out yet, whether or not it is paused until then. */
export function hasNotBegun(broadcast: Asked, now: number): boolean {
  const { StartDate } = broadcast;
  if (hasGoneOut(broadcast)) return false;
  const label = labelOf(broadcast, now);
  return label === 'Scheduled' || (label === 'Paused' && StartDate !== null && Date.parse(StartDate) > now);
}

/** True if somebody was texted or called already. */
export function hasGoneOut(broadcast: Asked): boolean {
  const { BroadcastType: type, WaitingTotal, CallTotal, CallsUp, WaitingCallTotal } = broadcast;
  const hasCalled = placesCalls(type) && (CallsUp > 0 || WaitingCallTotal < CallTotal);
  return hasCalled || (sendsTexts(type) && WaitingTotal !== textTotal(broadcast));
}

/**
 * Number of people who don't have it yet. A broadcast that does either reaches each in one way; of one that does both, the
 * same people wait for their text and for their call.
 */
export function waitingPeople({
  BroadcastType: type,
  WaitingTotal,
  WaitingCallTotal,
  CallsUp,
}: Asked): number {
  if (!placesCalls(type)) return WaitingTotal;
  const toCall = WaitingCallTotal - CallsUp;
  return type.startsWith('SMSOr') ? WaitingTotal + toCall : Math.max(WaitingTotal, toCall);
}

/** The actions that a broadcast allows at the moment, for those who may change it. */
export function whatCanBeDone(broadcast: Asked, now: number) {
  const { BroadcastStatus, WaitingTotal, WaitingCallTotal, CallsUp } = broadcast;
  const cancel = allows(broadcastMachine, BroadcastStatus, 'cancel');
  return {
    pause: allows(broadcastMachine, BroadcastStatus, 'pause'),
    resume: allows(broadcastMachine, BroadcastStatus, 'resume'),
    cancel,
    /** Text and time: until the first one has gone out. Calls are not edited: they are canceled and made again. */
    edit: hasNotBegun(broadcast, now) && !placesCalls(broadcast.BroadcastType),
    takeOut: cancel && WaitingTotal + WaitingCallTotal - CallsUp > 0,
  };
}
