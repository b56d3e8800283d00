import type { Broadcast } from '../../../contract/broadcasts.ts';

/** The counts that a meter or a breakdown needs: of a whole broadcast, or of one as home shows it. */
export type Counted = Pick<
  Broadcast,
  | 'PhoneNumberCount'
  | 'DeliveredTexts'
  | 'ReadCount'
  | 'SentTotal'
  | 'WaitingTotal'
  | 'FailedTextTotal'
  | 'InvalidTextCount'
  | 'TextOptedOut'
  | 'StoppedTotal'
  | 'CanceledTotal'
>;

export interface Share {
  key: 'delivered' | 'read' | 'sent' | 'waiting' | 'failed' | 'invalid' | 'optedOut' | 'canceled';
  label: string;
  count: number;
  color: string;
  /** Shown even when nobody stands there. */
  isUsual: boolean;
}

/** Where everybody stands, each once, in the order of the meter. */
export function sharesOf(broadcast: Counted): Share[] {
  return [
    share('read', 'Read', { count: broadcast.ReadCount, color: 'chart.one', isUsual: false }),
    share('delivered', 'Delivered', { count: broadcast.DeliveredTexts, color: 'chart.one', isUsual: true }),
    share('sent', 'Sent To Carrier', { count: broadcast.SentTotal, color: 'chart.two', isUsual: true }),
    share('waiting', 'Waiting', { count: broadcast.WaitingTotal, color: 'surface.track', isUsual: true }),
    share('failed', 'Failed', { count: broadcast.FailedTextTotal, color: 'chart.fail', isUsual: true }),
    share('invalid', 'Invalid', {
      count: broadcast.InvalidTextCount,
      color: 'chart.invalid',
      isUsual: false,
    }),
    // Who answered with STOP got the text: they are counted as that.
    share('optedOut', 'Opted Out', {
      count: broadcast.TextOptedOut - broadcast.StoppedTotal,
      color: 'chart.warn',
      isUsual: true,
    }),
    share('canceled', 'Canceled', { count: broadcast.CanceledTotal, color: 'chart.three', isUsual: false }),
  ];
}

function share(
  key: Share['key'],
  label: string,
  { count, color, isUsual }: { count: number; color: string; isUsual: boolean },
): Share {
  return { key, label, count, color, isUsual };
}

/** Those of whom nothing more is expected. */
export function finishedOf(broadcast: Counted): number {
  return broadcast.PhoneNumberCount - broadcast.SentTotal - broadcast.WaitingTotal;
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
