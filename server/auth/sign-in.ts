import { sql } from 'kysely';
import type { login } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Config } from '../config.ts';
import type { Visitor } from '../serve.ts';
import { askHasher } from './ask-hasher.ts';
import { countFailure, forgetFailures, refuseWhileBlocked } from './count-attempts.ts';
import { askForFactor } from './factors/ask-for-factor.ts';
import { findMethods, requiresSecondFactor } from './factors/queries.ts';
import { hashOfNobody } from './hash-password.ts';
import { type Entering, openSession } from './open-session.ts';
import { findActor, getSecret, isSsoOnly } from './queries.ts';
import { attemptKey, networkOf, readSessionToken } from './rules.ts';

export async function hashPassword(password: string): Promise<string> {
  return String(await askHasher({ password }));
}

export async function matchesHash(hashed: string, password: string): Promise<boolean> {
  return (await askHasher({ password, hashed })) === true;
}

/** Compared with when there is no such user, so that both answers take the same time. */
const nobody = hashOfNobody();

interface Person {
  account_id: number;
  user_id: number;
  user_name: string;
  email: string;
  phone: string;
  password_hash: string;
  is_active: boolean;
  is_expired: boolean;
}

export async function signIn(visitor: Visitor, config: Config, { body }: Input<typeof login>) {
  const person = await requirePerson(visitor, body.UserName, body.Password);
  if (person.is_expired) throw new Refusal('passwordExpired');
  const { MustSetUpSecondFactor } = await startSession(visitor, config, person, body.KeepSignedIn);
  return { UserID: person.user_id, AccountID: person.account_id, MustSetUpSecondFactor };
}

/** True if this is the password of somebody who is signed in. */
export async function isPasswordOf(visitor: Pick<Visitor, 'database'>, person: Entering, password: string) {
  const row = await visitor.database.system
    .selectFrom('users')
    .select('password_hash')
    .where('account_id', '=', person.account_id)
    .where('user_id', '=', person.user_id)
    .executeTakeFirst();
  return matchesHash(row?.password_hash ?? nobody, password);
}

/**
 * The user with this name and password. The refusal is the same whether the name is unknown, the password
 * wrong or the user deactivated. Failures are counted per name and per address (networkOf).
 */
export async function requirePerson(visitor: Visitor, userName: string, password: string): Promise<Person> {
  const { database, address } = visitor;
  const secret = await getSecret(database);
  const keys = {
    name: attemptKey(secret, 'name', userName),
    address: attemptKey(secret, 'address', networkOf(address)),
  };
  await refuseWhileBlocked(database, Object.values(keys));
  const person = await database.system
    .selectFrom('users')
    .select([
      'account_id',
      'user_id',
      'user_name',
      'email',
      'phone',
      'password_hash',
      'is_active',
      sql<boolean>`coalesce(password_expires_at <= now(), false)`.as('is_expired'),
    ])
    .where(sql`lower(user_name)`, '=', userName.toLowerCase())
    .executeTakeFirst();
  const isRight = await matchesHash(person?.password_hash ?? nobody, password);
  if (person === undefined || !isRight || !person.is_active) {
    const wasNameBlocked = await countFailure(database, 'name', keys.name);
    const wasAddressBlocked = await countFailure(database, 'address', keys.address);
    if (wasNameBlocked || wasAddressBlocked) await refuseWhileBlocked(database, Object.values(keys));
    throw new Refusal('wrongSignIn');
  }
  // Of many concurrent tries, those that end after the limit was reached learn nothing, even with the right
  // password.
  await refuseWhileBlocked(database, Object.values(keys));
  await forgetFailures(database, keys.name);
  return person;
}

export const onlySso =
  'Your organization signs in with single sign-on. Choose “Single sign-on” and enter your email.';

/**
 * Signs a person in after the password was right. If they have a second factor, it is required first, with a
 * refusal that contains the token for the next step. A user who is already signed in (and changes their
 * password) has shown the second factor before.
 */
export async function startSession(
  visitor: Visitor,
  config: Config,
  person: Entering,
  isKept: boolean,
): Promise<{ MustSetUpSecondFactor: boolean }> {
  if (await isSsoOnly(visitor.database.system, config, person.account_id))
    throw new Refusal('refused', onlySso);
  const methods = await findMethods(visitor.database, person);
  const isInAlready = methods.length > 0 && (await isSignedInAs(visitor, config, person));
  if (methods.length > 0 && !isInAlready) throw await askForFactor(visitor, config, person, isKept);
  const isLimited = methods.length === 0 && (await requiresSecondFactor(visitor.database, person.account_id));
  await openSession(visitor, config, person, { isKept, method: 'password', isLimited });
  return { MustSetUpSecondFactor: isLimited };
}

/** True if this browser has a session of the same person that has passed every step. */
async function isSignedInAs(visitor: Visitor, config: Config, person: Entering): Promise<boolean> {
  const token = readSessionToken(visitor.request.headers.cookie, config);
  if (token === undefined) return false;
  const actor = await findActor(visitor.database, token, visitor.address);
  return actor?.userId === person.user_id && !actor.isLimited;
}
