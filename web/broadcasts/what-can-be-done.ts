import type { Broadcast } from '../../contract/broadcasts.ts';
import { broadcastMachine } from '../../contract/states/broadcast-status.ts';
import { allows } from '../../contract/states/machine.ts';
import { labelOf } from '../pieces/broadcasts/broadcast-words.ts';

type Asked = Pick<
  Broadcast,
  'BroadcastStatus' | 'BroadcastStatusCategory' | 'StartDate' | 'WaitingTotal' | 'PhoneNumberCount'
>;

/** Its start is ahead and nothing of it has gone out, whether or not it is paused until then. */
export function hasNotBegun(broadcast: Asked, now: number): boolean {
  const { StartDate, WaitingTotal, PhoneNumberCount } = broadcast;
  if (WaitingTotal !== PhoneNumberCount) return false;
  const label = labelOf(broadcast, now);
  return label === 'Scheduled' || (label === 'Paused' && StartDate !== null && Date.parse(StartDate) > now);
}

/** What a broadcast allows at the moment, for those who may change it. */
export function whatCanBeDone(broadcast: Asked, now: number) {
  const { BroadcastStatus, WaitingTotal } = broadcast;
  const cancel = allows(broadcastMachine, BroadcastStatus, 'cancel');
  return {
    pause: allows(broadcastMachine, BroadcastStatus, 'pause'),
    resume: allows(broadcastMachine, BroadcastStatus, 'resume'),
    cancel,
    /** Text and time: until the first one has gone out. */
    edit: hasNotBegun(broadcast, now),
    takeOut: cancel && WaitingTotal > 0,
  };
}
