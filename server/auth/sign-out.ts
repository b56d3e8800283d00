import type { Config } from '../config.ts';
import { asSystem } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { endedSessionCookie, readSessionToken, tokenHash } from './rules.ts';

/** Ends this browser's session, if it has one; its sockets close with it. */
export async function signOut(visitor: Visitor, config: Config): Promise<Record<string, never>> {
  const token = readSessionToken(visitor.request.headers.cookie, config);
  if (token !== undefined) {
    await asSystem(visitor.database, async (trx) => {
      const ended = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', tokenHash(token))
        .returning(['account_id', 'user_id', 'session_id'])
        .executeTakeFirst();
      if (ended === undefined) return;
      const by = { accountId: ended.account_id, userId: ended.user_id, address: visitor.address };
      await recordEvents(trx, by, [{ kind: 'session.ended', id: ended.session_id }]);
    });
  }
  visitor.reply.header('set-cookie', endedSessionCookie(config));
  return {};
}
