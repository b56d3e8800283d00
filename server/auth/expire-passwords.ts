import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import { endSessions } from './end-sessions.ts';

/**
 * Makes users choose a new password when they next sign in, and signs them out: all active users of the
 * account, or one of them. Returns how many. Done by the operator, for example after passwords have leaked.
 */
export async function expirePasswords(trx: Trx, accountId: number, userId?: number): Promise<number> {
  const { rows } = await sql<{ user_id: number }>`
    update users set password_expires_at = now(), version = version + 1
    where account_id = ${accountId} and is_active and ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
    returning user_id`.execute(trx);
  const ids = rows.map(({ user_id }) => user_id);
  await endSessions(trx, accountId, ids);
  if (ids.length > 0)
    await recordEvents(trx, { accountId, isOperator: true }, [{ kind: 'password.expired', ids }]);
  return ids.length;
}
