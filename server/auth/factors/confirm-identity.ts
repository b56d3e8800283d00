import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { confirmIdentity as definition } from '../../../contract/second-factors.ts';
import type { Database } from '../../db.ts';
import type { Actor, App } from '../../serve.ts';
import { createToken, takeToken } from '../create-token.ts';
import { isPasswordOf } from '../sign-in.ts';
import { passkeyOptions } from './ask-for-factor.ts';
import { countedCheck, takePasskey, takeTotpCode } from './check-factor.ts';
import { findMethods, findPasskeyPlace } from './queries.ts';
import { personOf } from './set-up-totp.ts';

/**
 * The ways in which this user can confirm their identity. Users of an organization's directory may have no
 * password.
 */
export async function askConfirmation({ database, config }: App, actor: Actor, host: string) {
  const person = personOf(actor);
  const known = await findMethods(database, person);
  const place = findPasskeyPlace(config, host);
  const Passkey = known.includes('passkey') ? await passkeyOptions(database, person, place) : undefined;
  const hasPassword = (await methodOf(database, actor)) !== 'sso';
  const Token = await createToken(database, 'confirm', {
    accountId: actor.accountId,
    userId: actor.userId,
    data: { challenge: Passkey?.challenge ?? '' },
  });
  return {
    Methods: [
      ...(hasPassword ? (['password'] as const) : []),
      ...(known.includes('totp') ? (['totp'] as const) : []),
      ...(Passkey === undefined ? [] : (['passkey'] as const)),
    ],
    Token,
    ...(Passkey && { Passkey: { ...Passkey } }),
  };
}

async function methodOf(database: Database, actor: Actor): Promise<string | undefined> {
  const session = await database.system
    .selectFrom('sessions')
    .select('method')
    .where('account_id', '=', actor.accountId)
    .where('session_id', '=', actor.sessionId)
    .executeTakeFirst();
  return session?.method;
}

export async function confirmIdentity(
  { database, config }: App,
  actor: Actor,
  { body }: Input<typeof definition>,
  host: string,
): Promise<Record<string, never>> {
  const person = personOf(actor);
  await countedCheck(database, person, async () => {
    if (body.Passkey !== undefined) {
      const begun = await takeToken(database, 'confirm', body.Token ?? '');
      if (begun?.userId !== actor.userId) return undefined;
      const challenge = String(begun.data.challenge);
      const place = findPasskeyPlace(config, host);
      return takePasskey(database, person, { response: body.Passkey, challenge, place });
    }
    if (body.Code !== undefined) return takeTotpCode(database, person, body.Code);
    if (body.Password === undefined) return undefined;
    return (await isPasswordOf({ database }, person, body.Password)) ? 'password' : undefined;
  }).catch((error) => {
    if (error instanceof Refusal && error.kind === 'wrongCode' && body.Password !== undefined)
      throw new Refusal('wrongCode', 'That isn’t your password. Check it and try again.');
    throw error;
  });
  await sql`
    update sessions set confirmed_at = now()
    where account_id = ${actor.accountId} and session_id = ${actor.sessionId}`.execute(database.system);
  return {};
}
