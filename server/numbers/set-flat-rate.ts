import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

/** Unlimited conversations of one number: its state, and until when they are paid. */
export async function setFlatRate(
  trx: Trx,
  accountId: number,
  textNumberId: number,
  set: {
    flat_rate_status: 'Active' | 'CancelPending' | 'BillingProblem' | null;
    flat_rate_end_at?: Date | null;
    flat_rate_anchor_day?: number | null;
    /** Cost of the current month. */
    flat_rate_fee_cents?: number | null;
    /** Cost of the next month, if its owner was told that it costs more. */
    flat_rate_next_fee_cents?: number | null;
    flat_rate_looked_at_until?: Date | null;
  },
): Promise<void> {
  await trx
    .updateTable('text_numbers')
    .set(set)
    .where('account_id', '=', accountId)
    .where('text_number_id', '=', textNumberId)
    .execute();
  await notify(trx, accountId, [{ type: 'textnumbers.changed' }]);
}

/**
 * A monthly plan includes conversations: nothing is charged for them any more, and what wasn't paid for them doesn't stop a
 * number from texting.
 */
export async function endFlatRates(trx: Trx, accountId: number): Promise<void> {
  await trx
    .updateTable('text_numbers')
    .set({ flat_rate_status: null, flat_rate_end_at: null })
    .where('account_id', '=', accountId)
    .where('flat_rate_status', '=', 'BillingProblem')
    .execute();
  await cancelFlatRates(trx, accountId);
}

/** Stops the billing of numbers' unlimited conversations; paid periods run to their end. */
export async function cancelFlatRates(trx: Trx, accountId: number): Promise<void> {
  await trx
    .updateTable('text_numbers')
    .set({ flat_rate_status: 'CancelPending' })
    .where('account_id', '=', accountId)
    .where('flat_rate_status', '=', 'Active')
    .execute();
  await notify(trx, accountId, [{ type: 'textnumbers.changed' }]);
}
