import type { revokeSession as definition } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';

/** Signs the user out in another place: the session ends and its sockets close. */
export async function revokeSession(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const ended = await trx
    .deleteFrom('sessions')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('session_id', '=', params.SessionID)
    .returning('session_id')
    .executeTakeFirst();
  if (ended === undefined) throw new Refusal('notFound');
  return {};
}

/** Signs the user out everywhere but here. */
export async function revokeOtherSessions(trx: Trx, actor: Actor) {
  const ended = await trx
    .deleteFrom('sessions')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('session_id', '!=', actor.sessionId)
    .returning('session_id')
    .execute();
  await recordEvents(
    trx,
    actor,
    ended.length === 0 ? [] : [{ kind: 'session.ended', ids: ended.map(({ session_id }) => session_id) }],
  );
  return { Ended: ended.length };
}
