import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

const twilio = 2;

/**
 * Sets the carrier that a number's texts go to, and the one that sends them while it is down. RCS goes through
 * Twilio: a number that leaves it has none any more. Returns the agent that it loses.
 */
export async function setCarrier(
  trx: Trx,
  number: { accountId: number; textNumberId: number },
  carriers: { aggregatorId: 2 | 5 | 6; secondAggregatorId: 2 | 5 | 6 | null },
): Promise<string | null> {
  const { aggregatorId, secondAggregatorId } = carriers;
  const keepsRcs = aggregatorId === twilio || secondAggregatorId === twilio;
  const { rcs_agent: agent } = await trx
    .selectFrom('text_numbers')
    .select('rcs_agent')
    .where('account_id', '=', number.accountId)
    .where('text_number_id', '=', number.textNumberId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('text_numbers')
    .set({
      ...{ aggregator_id: aggregatorId, second_aggregator_id: secondAggregatorId },
      ...(keepsRcs ? {} : { rcs_agent: null }),
    })
    .where('account_id', '=', number.accountId)
    .where('text_number_id', '=', number.textNumberId)
    .execute();
  await notify(trx, number.accountId, [{ type: 'textnumbers.changed' }]);
  return keepsRcs ? null : agent;
}
