import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../db.ts';
import { writeConversations } from '../write-conversations.ts';

/** Deletes an account's conversations that match a condition on `c`; returns how many. Only an erasure does. */
export async function deleteConversations(
  trx: Trx,
  accountId: number,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const [deleted] = await writeConversations(trx, {
    write: sql`delete from conversations c where c.account_id = ${accountId} and ${condition}`,
  });
  return deleted?.changed ?? 0;
}
