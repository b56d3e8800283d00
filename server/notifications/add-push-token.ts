import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { pushProviders } from '../../contract/notifications.ts';
import type { Trx } from '../db.ts';
import { readSubscription } from '../outside/push-web.ts';
import type { Actor } from '../serve.ts';

/** More browsers than anybody uses: the oldest are deleted. */
const mostTokens = 20;

/** The same browser again, even for another user, is the same row. It lasts as long as the session. */
export async function addPushToken(
  trx: Trx,
  actor: Actor,
  { Token, Provider }: { Token: string; Provider: (typeof pushProviders)[number] },
  isFirebaseOn: boolean,
): Promise<{ PushTokenID: number }> {
  const address = Provider === 'WebPush' ? readSubscription(Token)?.endpoint : Token;
  if (address === undefined) throw new Refusal('refused', 'Notices can’t be brought to this browser.');
  if (Provider === 'Firebase' && !isFirebaseOn)
    throw new Refusal('refused', 'Firebase is not set up here: subscribe by WebPush.');
  const tokenHash = createHash('sha256').update(`${Provider} ${address}`).digest();
  const row = await trx
    .insertInto('push_tokens')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      session_id: actor.sessionId,
      provider: Provider,
      token: Token,
      token_hash: tokenHash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'token_hash'])
        .doUpdateSet({ user_id: actor.userId, session_id: actor.sessionId, token: Token }),
    )
    .returning('push_token_id')
    .executeTakeFirstOrThrow();
  await sql`
    delete from push_tokens
    where account_id = ${actor.accountId} and push_token_id in (
      select push_token_id from push_tokens
      where account_id = ${actor.accountId} and user_id = ${actor.userId} and push_token_id <> ${row.push_token_id}
      order by push_token_id desc offset ${mostTokens - 1})`.execute(trx);
  return { PushTokenID: row.push_token_id };
}
