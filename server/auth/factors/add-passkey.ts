import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { addPasskey as definition } from '../../../contract/second-factors.ts';
import { asAccount, isUniqueViolation } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor, App } from '../../serve.ts';
import { createToken, takeToken } from '../create-token.ts';
import { getSecret } from '../queries.ts';
import { admitFully, ensureRecoveryCodes } from './keep-recovery-codes.ts';
import { findPasskeyPlace, listPasskeyRows, type PasskeyPlace } from './queries.ts';
import { personOf } from './set-up-totp.ts';

const noName = 'Passkeys need a domain name, and this Muster is at an IP address. Use an authenticator app.';
const notTaken = 'This passkey couldn’t be checked. Start again, in the same browser window.';
const mostPasskeys = 20;

function requirePlace(app: App, host: string): PasskeyPlace {
  const place = findPasskeyPlace(app.config, host);
  if (place === undefined) throw new Refusal('refused', noName);
  return place;
}

export async function beginPasskey(app: App, actor: Actor, host: string) {
  const { database } = app;
  const place = requirePlace(app, host);
  const person = personOf(actor);
  const [user, keys] = await Promise.all([
    database.system
      .selectFrom('users')
      .select('user_name')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow(),
    listPasskeyRows(database.system, person),
  ]);
  if (keys.length >= mostPasskeys)
    throw new Refusal('refused', `You have ${mostPasskeys} passkeys. Remove one before you add another.`);
  const Options = await generateRegistrationOptions({
    rpName: 'Muster',
    rpID: place.rpID,
    userName: user.user_name,
    userDisplayName: actor.name,
    // Contains no data about the person: it is kept on the device.
    userID: new Uint8Array(Buffer.from(`muster-user-${actor.userId}`)),
    attestationType: 'none',
    timeout: 300_000,
    excludeCredentials: keys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const Token = await createToken(database, 'passkeySetup', {
    accountId: actor.accountId,
    userId: actor.userId,
    data: { challenge: Options.challenge },
  });
  return { Token, Options: { ...Options } };
}

export async function addPasskey(
  app: App,
  actor: Actor,
  { body }: Input<typeof definition>,
  host: string,
): Promise<{ PasskeyID: number; RecoveryCodes: string[] | null }> {
  const { database } = app;
  const place = requirePlace(app, host);
  const begun = await takeToken(database, 'passkeySetup', body.Token);
  if (begun?.userId !== actor.userId) throw new Refusal('refused', notTaken);
  const credential = await readCredential(body.Response, String(begun.data.challenge), place);
  const secret = await getSecret(database);
  try {
    return await asAccount(database, actor.accountId, async (trx) => {
      const { passkey_id } = await trx
        .insertInto('passkeys')
        .values({
          account_id: actor.accountId,
          user_id: actor.userId,
          credential_id: Buffer.from(credential.id, 'base64url'),
          public_key: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports ?? [],
          name: body.Name,
        })
        .returning('passkey_id')
        .executeTakeFirstOrThrow();
      await recordEvents(trx, actor, [
        { kind: 'secondFactor.added', id: actor.userId, changes: { Method: 'passkey', Name: body.Name } },
      ]);
      await admitFully(trx, actor);
      return { PasskeyID: passkey_id, RecoveryCodes: await ensureRecoveryCodes(trx, actor, secret) };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('conflict', 'This passkey is here already.');
    throw error;
  }
}

async function readCredential(response: unknown, expectedChallenge: string, place: PasskeyPlace) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpID,
      requireUserVerification: true,
    });
    if (verified) return registrationInfo.credential;
  } catch {
    // From another origin, for another challenge, or with a wrong signature: the same error for all of them.
  }
  throw new Refusal('refused', notTaken);
}
