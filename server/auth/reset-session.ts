import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { resetSession as definition } from '../../contract/passwords.ts';
import type { Config } from '../config.ts';
import { asSystem } from '../db.ts';
import type { Visitor } from '../serve.ts';
import { endSessionsWhere } from './end-sessions.ts';
import { openSession, type SignInMethod } from './open-session.ts';
import { findActor } from './queries.ts';
import { readSessionToken } from './rules.ts';
import { useToken } from './user-tokens.ts';

const signInAgain = 'This took too long. Sign in with your new password.';

/**
 * After a changed password: this browser's session, which the old password opened, becomes a new one; all
 * others end. Only the browser that changed it can do this: the token alone opens nothing.
 */
export async function resetSession(visitor: Visitor, config: Config, { body }: Input<typeof definition>) {
  const { database, address, request } = visitor;
  const cookie = readSessionToken(request.headers.cookie, config);
  const actor = cookie === undefined ? undefined : await findActor(database, cookie, address);
  if (actor === undefined) throw new Refusal('refused', signInAgain);
  const sessionId = actor.sessionId;
  const own = await asSystem(database, async (trx) => {
    const { accountId, userId } = await useToken(trx, 'reset_session', body.AuthToken, {
      used: signInAgain,
      expired: signInAgain,
    });
    if (accountId !== actor.accountId || userId !== actor.userId) throw new Refusal('refused', signInAgain);
    const session = await trx
      .selectFrom('sessions')
      .select(['is_kept', 'method', 'is_limited'])
      .where('account_id', '=', accountId)
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    await endSessionsWhere(
      trx,
      sql`account_id = ${accountId} and user_id = ${userId} and session_id <> ${sessionId}`,
    );
    return session;
  });
  if (own === undefined) throw new Refusal('refused', signInAgain);
  // Ends this browser's session. The new one gets the same level of trust: nothing else was proved since.
  await openSession(
    visitor,
    config,
    { account_id: actor.accountId, user_id: actor.userId },
    { isKept: own.is_kept, method: own.method as SignInMethod, isLimited: own.is_limited },
  );
  return { UserID: actor.userId, AccountID: actor.accountId };
}
