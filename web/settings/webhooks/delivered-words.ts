import { mostDeliveriesCounted } from '../../../contract/forms/webhook.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { countOf, formatCount } from '../../ui/format.ts';

/**
 * Number of an endpoint's deliveries that arrived: of the last 7 days, or of the latest ones where they are too many.
 */
export function deliveredWords({
  Delivered,
  Failed,
  Waiting,
}: Pick<Webhook, 'Delivered' | 'Failed' | 'Waiting'>): string {
  const ended = Delivered + Failed;
  const isCut = ended + Waiting >= mostDeliveriesCounted;
  if (ended === 0) {
    return isCut
      ? `the latest ${formatCount(Waiting)} deliveries are waiting`
      : 'nothing delivered in 7 days';
  }
  const share = `${((Delivered / ended) * 100).toFixed(1).replace('.0', '')}%`;
  const all = countOf(ended, 'delivery', 'deliveries');
  return isCut
    ? `${share} of the latest ${formatCount(ended)} deliveries arrived`
    : `${share} of ${all} arrived in 7 days`;
}
