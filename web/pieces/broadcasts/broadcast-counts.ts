import type { Broadcast } from '../../../contract/broadcasts.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { say } from '../../ui/say.ts';

/** The counts that a meter or a breakdown needs: of a whole broadcast, or of one as home shows it. */
export type Counted = Pick<
  Broadcast,
  | 'DeliveredTexts'
  | 'ReadCount'
  | 'SentTotal'
  | 'WaitingTotal'
  | 'FailedTextTotal'
  | 'InvalidTextCount'
  | 'TextOptedOut'
  | 'StoppedTotal'
  | 'CanceledTotal'
  | 'BroadcastType'
  | 'CallTotal'
  | 'CallsUp'
  | 'LivePersonTotal'
  | 'AnsweringMachineTotal'
  | 'BusyNoAnswerTotal'
  | 'InvalidNumberTotal'
  | 'WaitingCallTotal'
  | 'RetryingCallTotal'
>;

type TextShare = 'delivered' | 'read' | 'sent' | 'waiting' | 'failed' | 'invalid' | 'optedOut' | 'canceled';
type CallShare = 'live' | 'voicemail' | 'busy' | 'noNumber' | 'inCall' | 'retry' | 'toCall' | 'notReached';

export interface Share {
  key: TextShare | CallShare;
  label: string;
  count: number;
  color: string;
  /** Shown even when it counts nobody. */
  isUsual: boolean;
}

/** The status of every text and call, each counted once, in the order of the meter. */
export function sharesOf(broadcast: Counted): Share[] {
  const { BroadcastType: type } = broadcast;
  return [
    ...(placesCalls(type) ? callSharesOf(broadcast) : []),
    ...(sendsTexts(type) ? textSharesOf(broadcast) : []),
  ];
}

/** The status of everybody's call. A call counts as busy or not answered only after its last retry. */
export function callSharesOf(broadcast: Counted): Share[] {
  const { LivePersonTotal, AnsweringMachineTotal, BusyNoAnswerTotal, InvalidNumberTotal } = broadcast;
  const { CallTotal, CallsUp, WaitingCallTotal, RetryingCallTotal } = broadcast;
  const known = LivePersonTotal + AnsweringMachineTotal + BusyNoAnswerTotal + InvalidNumberTotal;
  // A call that is up is not over yet: it is among those that wait.
  const toCall = Math.max(0, WaitingCallTotal - CallsUp - RetryingCallTotal);
  const rest = Math.max(0, CallTotal - known - CallsUp - RetryingCallTotal - toCall);
  return [
    share('live', 'Live Answer', { count: LivePersonTotal, color: 'chart.one', isUsual: true }),
    share('voicemail', say('Voicemail'), { count: AnsweringMachineTotal, color: 'chart.two', isUsual: true }),
    share('busy', 'Busy / No Answer', { count: BusyNoAnswerTotal, color: 'chart.warn', isUsual: true }),
    share('noNumber', say('Invalid'), { count: InvalidNumberTotal, color: 'chart.fail', isUsual: true }),
    share('notReached', 'Not completed', { count: rest, color: 'chart.three', isUsual: false }),
    share('inCall', 'In a call', { count: CallsUp, color: 'surface.track', isUsual: false }),
    share('retry', 'Waiting to retry', {
      count: RetryingCallTotal,
      color: 'surface.track',
      isUsual: false,
    }),
    share('toCall', 'Not Yet Called', { count: toCall, color: 'surface.track', isUsual: true }),
  ];
}

/** The status of everybody's text. */
export function textSharesOf(broadcast: Counted): Share[] {
  return [
    share('read', say('Read'), { count: broadcast.ReadCount, color: 'chart.one', isUsual: false }),
    share('delivered', say('Delivered'), {
      count: broadcast.DeliveredTexts,
      color: 'chart.one',
      isUsual: true,
    }),
    share('sent', 'Sent To Carrier', { count: broadcast.SentTotal, color: 'chart.two', isUsual: true }),
    share('waiting', say('Waiting'), {
      count: broadcast.WaitingTotal,
      color: 'surface.track',
      isUsual: true,
    }),
    share('failed', say('Failed'), { count: broadcast.FailedTextTotal, color: 'chart.fail', isUsual: true }),
    share('invalid', say('Invalid'), {
      count: broadcast.InvalidTextCount,
      color: 'chart.invalid',
      isUsual: false,
    }),
    // People who answered with STOP got the text, so they are counted as that.
    share('optedOut', 'Opted Out', {
      count: broadcast.TextOptedOut - broadcast.StoppedTotal,
      color: 'chart.warn',
      isUsual: true,
    }),
    share('canceled', say('Canceled'), {
      count: broadcast.CanceledTotal,
      color: 'chart.three',
      isUsual: false,
    }),
  ];
}

function share(
  key: Share['key'],
  label: string,
  { count, color, isUsual }: { count: number; color: string; isUsual: boolean },
): Share {
  return { key, label, count, color, isUsual };
}

/** Shares that are still to come: the meter leaves them to its track. */
const openShares: readonly Share['key'][] = ['waiting', 'inCall', 'retry', 'toCall'];

export function isOpenShare({ key }: Pick<Share, 'key'>): boolean {
  return openShares.includes(key);
}

/** Texts and calls together: whoever gets both counts twice. */
export function totalOf(broadcast: Counted): number {
  return sharesOf(broadcast).reduce((sum, { count }) => sum + count, 0);
}

/** People who are texted. If the broadcast also calls, that isn't everybody. */
export function textTotal(broadcast: Counted): number {
  return countWhere(textSharesOf(broadcast), () => true);
}

/** Texts whose status won't change any more. */
export function finishedTexts(broadcast: Counted): number {
  return countWhere(textSharesOf(broadcast), ({ key }) => key !== 'sent' && key !== 'waiting');
}

/** Calls that are over, whatever their result. */
export function finishedCalls(broadcast: Counted): number {
  return countWhere(callSharesOf(broadcast), (each) => !isOpenShare(each));
}

function countWhere(shares: readonly Share[], isCounted: (share: Share) => boolean): number {
  return shares.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
}

/** Whole percent, and 100 only when nobody is missing. */
export function percentOf(count: number, total: number): number {
  if (total === 0) return 0;
  return count >= total ? 100 : Math.min(99, Math.floor((100 * count) / total));
}

/** "62.9%", for a share beside its count. */
export function shareWords(count: number, total: number): string {
  if (total === 0) return '0.0%';
  const percent = (100 * count) / total;
  // Somebody is not nobody, and one missing is not all.
  const shown = count === 0 ? 0 : count >= total ? 100 : Math.min(99.9, Math.max(0.1, percent));
  return `${shown.toFixed(1)}%`;
}
