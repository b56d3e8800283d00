import { sql } from 'kysely';
import type { revokeSession as definition } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { endSessionsWhere } from './end-sessions.ts';

/** Signs the user out in another place: the session ends and its sockets close. */
export async function revokeSession(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const ended = await endSessionsWhere(
    trx,
    sql`account_id = ${actor.accountId} and user_id = ${actor.userId} and session_id = ${params.SessionID}`,
  );
  if (ended.length === 0) throw new Refusal('notFound');
  return {};
}

/** Signs the user out everywhere but here. */
export async function revokeOtherSessions(trx: Trx, actor: Actor) {
  const ended = await endSessionsWhere(
    trx,
    sql`account_id = ${actor.accountId} and user_id = ${actor.userId} and session_id <> ${actor.sessionId}`,
  );
  await recordEvents(
    trx,
    actor,
    ended.length === 0 ? [] : [{ kind: 'session.ended', ids: ended.map(({ sessionId }) => sessionId) }],
  );
  return { Ended: ended.length };
}
