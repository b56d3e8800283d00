import type { Trx } from '../db.ts';
import { orderAnyNumber } from '../numbers/order-number.ts';
import type { RequestRow } from './queries.ts';

/**
 * Orders the missing number of a registration: a toll-free one, or that of a sole proprietor, in the area
 * code of their mobile. One that is already being ordered isn't ordered again.
 */
export async function orderMissingNumber(trx: Trx, row: RequestRow): Promise<void> {
  const isTollFree = row.kind === 'TollFree';
  if (!isTollFree && row.aggregator_id !== 2) return;
  await orderAnyNumber(trx, {
    accountId: row.account_id,
    userId: row.user_id,
    kind: isTollFree ? 'tollfree' : 'local',
    aggregatorId: row.aggregator_id,
    areaCode: isTollFree ? '' : row.brand.PhoneNumber.replace(/\D/g, '').replace(/^1/, '').slice(0, 3),
  });
}
