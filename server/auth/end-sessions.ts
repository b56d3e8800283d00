import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { notifySockets } from '../notify.ts';

interface EndedSession {
  accountId: number;
  userId: number;
  sessionId: number;
}

/** A notice holds 8,000 bytes, and an id has up to 19 digits. */
const idsOfNotice = 300;

/**
 * Ends the sessions that match this condition. Nothing else deletes sessions (server/spread.test.ts): every
 * process closes their sockets when this transaction commits, so that nobody receives more than they may see.
 */
export async function endSessionsWhere(trx: Trx, condition: RawBuilder<unknown>): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    delete from sessions where ${condition}
    returning account_id as "accountId", user_id as "userId", session_id as "sessionId"`.execute(trx);
  const ids = rows.map(({ sessionId }) => sessionId);
  const parts = Array.from({ length: Math.ceil(ids.length / idsOfNotice) }, (_, part) =>
    ids.slice(part * idsOfNotice, (part + 1) * idsOfNotice),
  );
  await notifySockets(
    trx,
    parts.map((endedSessionIds) => ({ endedSessionIds })),
  );
  return rows;
}

/** Ends every session of these users; their sockets close with them. */
export async function endSessions(trx: Trx, accountId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await endSessionsWhere(trx, sql`account_id = ${accountId} and user_id = any(${[...userIds]}::bigint[])`);
}

/** The same for users who were switched off, with the sockets of sessions that another transaction is opening. */
export async function endSessionsOfSwitchedOff(
  trx: Trx,
  accountId: number,
  userIds: readonly number[],
): Promise<void> {
  await endSessions(trx, accountId, userIds);
  await notifySockets(
    trx,
    userIds.map((endedUserId) => ({ endedUserId })),
  );
}
