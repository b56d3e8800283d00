import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notifySockets } from '../notify.ts';

/**
 * Lets users use a text number. Ids that aren't users of this account are ignored; owners and admins need no
 * row.
 */
export async function giveTextNumber(
  trx: Trx,
  accountId: number,
  textNumberId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    insert into user_text_numbers (account_id, user_id, text_number_id)
    select u.account_id, u.user_id, ${textNumberId}
    from users u
    where u.account_id = ${accountId} and u.user_id = any(${[...userIds]}::bigint[]) and u.role = 'user'
    on conflict do nothing`.execute(trx);
  await notifySockets(trx, [{ accessChangedOf: accountId }]);
}
