import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { nowMs } from '../../clock.ts';
import type { Database } from '../../db.ts';
import { openSecret } from '../../seal-secret.ts';
import { countFailure, forgetFailures, refuseWhileBlocked } from '../count-attempts.ts';
import type { Entering } from '../open-session.ts';
import { getSecret } from '../queries.ts';
import { attemptKey } from '../rules.ts';
import { findTotpRow, listPasskeyRows, type PasskeyPlace } from './queries.ts';
import { findTotpStep, recoveryHash } from './rules.ts';

/** The purpose that an app's secret is sealed for. */
export function totpPlace({ account_id, user_id }: Entering): string {
  return `totp:${account_id}:${user_id}`;
}

/**
 * Runs a check of a second factor. Failures are counted by user: after five the user has to wait, longer each
 * time. Of many concurrent tries, those that end after the limit was reached learn nothing.
 */
export async function countedCheck<T>(
  database: Database,
  person: Entering,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const key = attemptKey(await getSecret(database), 'code', `${person.account_id}:${person.user_id}`);
  await refuseWhileBlocked(database, [key]);
  const found = await check();
  if (found === undefined) {
    if (await countFailure(database, 'code', key)) await refuseWhileBlocked(database, [key]);
    throw new Refusal('wrongCode');
  }
  await refuseWhileBlocked(database, [key]);
  await forgetFailures(database, key);
  return found;
}

/** Checks a code of the app: a code that was already used, or an older one, is wrong. */
export async function takeTotpCode(
  database: Pick<Database, 'system'> & Database,
  person: Entering,
  code: string,
): Promise<'totp' | undefined> {
  const row = await findTotpRow(database.system, person);
  if (row === undefined) return undefined;
  const secret = openSecret(await getSecret(database), totpPlace(person), row.sealed);
  const step = findTotpStep(secret, code, nowMs());
  if (step === undefined) return undefined;
  const { rows } = await sql`
    update totp_secrets set last_step = ${step}, last_used_at = now()
    where account_id = ${person.account_id} and user_id = ${person.user_id} and last_step < ${step}
    returning user_id`.execute(database.system);
  return rows.length === 1 ? 'totp' : undefined;
}

export async function takeRecoveryCode(
  database: Database,
  person: Entering,
  code: string,
): Promise<'recovery' | undefined> {
  const { rows } = await sql`
    update recovery_codes set used_at = now()
    where account_id = ${person.account_id} and user_id = ${person.user_id} and used_at is null
      and code_hash = ${recoveryHash(await getSecret(database), code)}
    returning user_id`.execute(database.system);
  return rows.length === 1 ? 'recovery' : undefined;
}

/** Checks a passkey's answer to a challenge; of another origin, an old challenge or a stranger's key it is wrong. */
export async function takePasskey(
  database: Database,
  person: Entering,
  given: { response: unknown; challenge: string; place: PasskeyPlace | undefined },
): Promise<'passkey' | undefined> {
  const { place, challenge } = given;
  if (place === undefined || challenge === '') return undefined;
  const response = given.response as AuthenticationResponseJSON;
  const keys = await listPasskeyRows(database.system, person);
  const key = keys.find(({ credential_id }) => credential_id.toString('base64url') === response.id);
  if (key === undefined) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpID,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(key.public_key),
        counter: key.counter,
        transports: key.transports,
      },
    });
    if (!verified) return undefined;
    await sql`
      update passkeys set counter = ${authenticationInfo.newCounter}, last_used_at = now()
      where account_id = ${person.account_id} and passkey_id = ${key.passkey_id}`.execute(database.system);
    return 'passkey';
  } catch {
    // The library throws a detailed error; the user is told only that the answer is wrong.
    return undefined;
  }
}
