import type { Broadcast } from '../../contract/broadcasts.ts';
import { broadcastMachine } from '../../contract/states/broadcast-status.ts';
import { allows } from '../../contract/states/machine.ts';
import { labelOf } from '../ui/broadcast-words.ts';

type Asked = Pick<
  Broadcast,
  'BroadcastStatus' | 'BroadcastStatusCategory' | 'StartDate' | 'WaitingTotal' | 'PhoneNumberCount'
>;

/** What a broadcast allows at the moment, for those who may change it. */
export function whatCanBeDone(broadcast: Asked, now: number) {
  const { BroadcastStatus, WaitingTotal, PhoneNumberCount } = broadcast;
  const cancel = allows(broadcastMachine, BroadcastStatus, 'cancel');
  return {
    pause: allows(broadcastMachine, BroadcastStatus, 'pause'),
    resume: allows(broadcastMachine, BroadcastStatus, 'resume'),
    cancel,
    /** Text and time: until the first one has gone out. */
    edit: labelOf(broadcast, now) === 'Scheduled' && WaitingTotal === PhoneNumberCount,
    takeOut: cancel && WaitingTotal > 0,
  };
}
