import { sql } from 'kysely';
import { giveTextNumber } from '../accounts/give-text-number.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { keepLivePhone } from './keep-live-phone.ts';

export interface NewTextNumber {
  accountId: number;
  /** The user who requested it; null if there is none. */
  userId: number | null;
  phone: string;
  aggregatorId: 2 | 5;
  providerKey: string;
  name: string;
  userIds: readonly number[];
}

/**
 * Makes a number that is ours at the provider a text number: the default one if the account has none, and
 * pending if the account is registered, because the registration includes it next. An existing one stays
 * unchanged.
 */
export async function addTextNumber(trx: Trx, number: NewTextNumber): Promise<number> {
  const { accountId, phone, aggregatorId, providerKey, name } = number;
  await sql`select from accounts where account_id = ${accountId} for no key update`.execute(trx);
  const known = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', accountId)
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (known !== undefined) return known.text_number_id;
  const { text_number_id: textNumberId } = await trx
    .insertInto('text_numbers')
    .values({
      account_id: accountId,
      phone,
      aggregator_id: aggregatorId,
      provider_key: providerKey,
      name,
      is_default: sql<boolean>`not exists (
        select from text_numbers t where t.account_id = ${accountId} and t.is_default and t.released_at is null)`,
    })
    .returning('text_number_id')
    .executeTakeFirstOrThrow();
  await keepLivePhone(trx, accountId, textNumberId);
  await giveTextNumber(trx, accountId, textNumberId, number.userIds);
  await recordEvents(trx, { accountId, ...(number.userId !== null && { userId: number.userId }) }, [
    { kind: 'textNumber.added', id: textNumberId },
  ]);
  await notify(trx, accountId, [{ type: 'textnumbers.changed' }, { type: 'registration.changed' }]);
  return textNumberId;
}
