import type { Config } from '../config.ts';
import type { Realtime } from '../realtime.ts';
import type { Visitor } from '../serve.ts';
import { endedSessionCookie, readSessionToken, tokenHash } from './rules.ts';

/** Ends this browser's session, if it has one, and closes its sockets. */
export async function signOut(
  visitor: Visitor,
  config: Config,
  realtime: Realtime,
): Promise<Record<string, never>> {
  const token = readSessionToken(visitor.request.headers.cookie, config);
  if (token !== undefined) {
    const ended = await visitor.database.system
      .deleteFrom('sessions')
      .where('token_hash', '=', tokenHash(token))
      .returning(['account_id', 'session_id'])
      .executeTakeFirst();
    if (ended) realtime.disconnectSession(ended.session_id);
  }
  visitor.reply.header('set-cookie', endedSessionCookie(config));
  return {};
}
