import { messagingLimitsOf } from '../../../contract/reference/messaging-limits.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

/** Texts per day before and after registration; the limit that applies is the account’s own if it has one. */
export async function getMessagingLimits(trx: Trx, { accountId }: Actor) {
  const { messages_per_day: messagesPerDay } = await trx
    .selectFrom('accounts')
    .select('messages_per_day')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return messagingLimitsOf({ messagesPerDay, isRegistered: await hasRegisteredNumber(trx, accountId) });
}

export async function hasRegisteredNumber(trx: Trx, accountId: number): Promise<boolean> {
  const registered = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', accountId)
    .where('registration_status', '=', 'Registered')
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return registered !== undefined;
}
