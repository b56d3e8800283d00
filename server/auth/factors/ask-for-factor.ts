import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { Refusal } from '../../../contract/errors.ts';
import type { FactorAsked } from '../../../contract/second-factors.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db.ts';
import type { Visitor } from '../../serve.ts';
import { createToken } from '../create-token.ts';
import type { Entering } from '../open-session.ts';
import { findMethods, findPasskeyPlace, listPasskeyRows, type PasskeyPlace } from './queries.ts';

/** The refusal that asks for the second factor, with the token that the next step begins with. */
export async function askForFactor(
  { database, request }: Visitor,
  config: Config,
  person: Entering,
  isKept: boolean,
): Promise<Refusal> {
  const place = findPasskeyPlace(config, request.host);
  const known = await findMethods(database, person);
  const Passkey = known.includes('passkey') ? await passkeyOptions(database, person, place) : undefined;
  const Methods = known.filter((method) => method !== 'passkey' || Passkey !== undefined);
  const Token = await createToken(database, 'signIn', {
    accountId: person.account_id,
    userId: person.user_id,
    data: { isKept, challenge: Passkey?.challenge ?? '' },
  });
  const asked: FactorAsked = { Token, Methods, ...(Passkey && { Passkey: { ...Passkey } }) };
  return new Refusal('secondFactorNeeded', undefined, { extendedData: asked });
}

/** For navigator.credentials.get; undefined where no passkey can be used here. */
export async function passkeyOptions(
  database: Pick<Database, 'system'>,
  person: Entering,
  place: PasskeyPlace | undefined,
) {
  if (place === undefined) return undefined;
  const keys = await listPasskeyRows(database.system, person);
  if (keys.length === 0) return undefined;
  return generateAuthenticationOptions({
    rpID: place.rpID,
    userVerification: 'required',
    timeout: 300_000,
    allowCredentials: keys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
  });
}
