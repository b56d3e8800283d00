import type { Trx } from '../db.ts';

/** Ends every session of these users; their sockets close with them. */
export async function endSessions(trx: Trx, accountId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('user_id', 'in', [...userIds])
    .execute();
}
