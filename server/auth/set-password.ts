import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { endSessionsWhere } from './end-sessions.ts';
import { voidTokens } from './user-tokens.ts';

/**
 * Writes a new password and ends the sessions that the old one opened, but one if that is asked for. Links in mails
 * that would set another one stop working.
 */
export async function setPassword(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  passwordHash: string,
  keepSessionId = 0,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      password_changed_at: sql`now()`,
      password_expires_at: null,
      version: sql`version + 1`,
    })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  await endSessionsWhere(
    trx,
    sql`account_id = ${accountId} and user_id = ${userId} and session_id <> ${keepSessionId}`,
  );
  await voidTokens(trx, { accountId, userId }, ['reset_password']);
}
