import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

/** Which carrier a number's texts go to, and which one sends them while that one is down. */
export async function setCarrier(
  trx: Trx,
  number: { accountId: number; textNumberId: number },
  carriers: { aggregatorId: 2 | 5 | 6; secondAggregatorId: 2 | 5 | 6 | null },
): Promise<void> {
  await trx
    .updateTable('text_numbers')
    .set({ aggregator_id: carriers.aggregatorId, second_aggregator_id: carriers.secondAggregatorId })
    .where('account_id', '=', number.accountId)
    .where('text_number_id', '=', number.textNumberId)
    .execute();
  await notify(trx, number.accountId, [{ type: 'textnumbers.changed' }]);
}
