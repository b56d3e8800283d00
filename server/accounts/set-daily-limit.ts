import type { Trx } from '../db.ts';

/** Texts per day that the registry grants the account. */
export async function setDailyLimit(trx: Trx, accountId: number, messagesPerDay: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ messages_per_day: messagesPerDay })
    .where('account_id', '=', accountId)
    .execute();
}
