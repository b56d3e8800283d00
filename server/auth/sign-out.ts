import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { asSystem } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { endSessionsWhere } from './end-sessions.ts';
import { endedSessionCookie, readSessionToken, tokenHash } from './rules.ts';

/** Ends this browser's session, if it has one; its sockets close with it. */
export async function signOut(visitor: Visitor, config: Config): Promise<Record<string, never>> {
  const token = readSessionToken(visitor.request.headers.cookie, config);
  if (token !== undefined) {
    await asSystem(visitor.database, async (trx) => {
      const [ended] = await endSessionsWhere(trx, sql`token_hash = ${tokenHash(token)}`);
      if (ended === undefined) return;
      const { accountId, userId, sessionId } = ended;
      const by = { accountId, userId, address: visitor.address };
      await recordEvents(trx, by, [{ kind: 'session.ended', id: sessionId }]);
    });
  }
  visitor.reply.header('set-cookie', endedSessionCookie(config));
  return {};
}
