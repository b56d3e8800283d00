import type { Config } from '../config.ts';
import type { Visitor } from '../serve.ts';
import { endedSessionCookie, readSessionToken, tokenHash } from './rules.ts';

/** Ends this browser's session, if it has one; its sockets close with it. */
export async function signOut(visitor: Visitor, config: Config): Promise<Record<string, never>> {
  const token = readSessionToken(visitor.request.headers.cookie, config);
  if (token !== undefined) {
    await visitor.database.system.deleteFrom('sessions').where('token_hash', '=', tokenHash(token)).execute();
  }
  visitor.reply.header('set-cookie', endedSessionCookie(config));
  return {};
}
