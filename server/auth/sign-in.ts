import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { sql } from 'kysely';
import type { login } from '../../contract/auth.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Config } from '../config.ts';
import type { Database, Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Visitor } from '../serve.ts';
import { getSecret } from './queries.ts';
import {
  attemptKey,
  attemptsKeptHours,
  delaySeconds,
  networkOf,
  readSessionToken,
  sessionCookie,
  sessionHours,
  tokenHash,
} from './rules.ts';

/** argon2id with the OWASP figures: about 25 ms and 19 MB a try. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, hashing);
}

/** Verified against when there is no such user, so that both answers take the same time. */
const nobody = hashPassword(randomBytes(16).toString('hex'));

interface Person {
  account_id: number;
  user_id: number;
  password_hash: string;
  is_active: boolean;
  is_expired: boolean;
}

export async function signIn(visitor: Visitor, config: Config, { body }: Input<typeof login>) {
  const person = await requirePerson(visitor, body.UserName, body.Password);
  if (person.is_expired) throw new Refusal('passwordExpired');
  await startSession(visitor, config, person, body.KeepSignedIn);
  return { UserID: person.user_id, AccountID: person.account_id };
}

/**
 * The person behind a name and password, or the same refusal whether the name is unknown, the
 * password wrong or the user switched off. Failures are counted per name and per address (networkOf).
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
      'password_hash',
      'is_active',
      sql<boolean>`coalesce(password_expires_at <= now(), false)`.as('is_expired'),
    ])
    .where(sql`lower(user_name)`, '=', userName.toLowerCase())
    .executeTakeFirst();
  const isRight = await verify(person?.password_hash ?? (await nobody), password);
  if (person === undefined || !isRight || !person.is_active) {
    const wasNameBlocked = await countFailure(database, 'name', keys.name);
    const wasAddressBlocked = await countFailure(database, 'address', keys.address);
    if (wasNameBlocked || wasAddressBlocked) await refuseWhileBlocked(database, Object.values(keys));
    throw new Refusal('wrongSignIn');
  }
  // Of many tries at once, those that end after the limit was reached learn nothing, the right one neither.
  await refuseWhileBlocked(database, Object.values(keys));
  await database.system.deleteFrom('sign_in_attempts').where('attempt_key', '=', keys.name).execute();
  return person;
}

async function refuseWhileBlocked(database: Database, keys: Buffer[]): Promise<void> {
  const blocked = await database.system
    .selectFrom('sign_in_attempts')
    .select(sql<number>`ceil(extract(epoch from max(blocked_until) - now()))::int`.as('seconds'))
    .where('attempt_key', 'in', keys)
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (blocked?.seconds) {
    throw new Refusal('tooManyAttempts', undefined, { extendedData: { RetryAfterSeconds: blocked.seconds } });
  }
}

/** Longer than the count at which the delay stops growing. */
const delaysKept = 40;

/**
 * Counts a failure and sets how long one has to wait, in one statement, so that a hundred tries at
 * once are a hundred failures. Returns whether one had to wait already: the try was under way when
 * the limit was reached. By the clock and not now(), which stood still while this try waited for others.
 * Without a wait it is the beginning of time: the present would be the future of a try that began before.
 */
async function countFailure(database: Database, kind: 'name' | 'address', key: Buffer): Promise<boolean> {
  const delays = Array.from({ length: delaysKept }, (_, index) => delaySeconds(kind, index + 1));
  const failures = sql`case when a.last_failed_at < now() - ${attemptsKeptHours} * interval '1 hour'
    then 1 else a.failures + 1 end`;
  const delay = sql`(${delays}::integer[])[least(${failures}, ${delaysKept})]`;
  const { rows } = await sql<{ wasBlocked: boolean }>`
    insert into sign_in_attempts as a (attempt_key, failures, last_failed_at, blocked_until)
    values (${key}, 1, now(), '-infinity')
    on conflict (attempt_key) do update
    set failures = ${failures}, last_failed_at = now(),
      blocked_until = case ${delay} when 0 then '-infinity' else clock_timestamp() + ${delay} * interval '1 second' end
    returning coalesce(old.blocked_until > clock_timestamp(), false) as "wasBlocked"`.execute(
    database.system,
  );
  return rows[0]?.wasBlocked ?? false;
}

/** A new token at every sign-in; the one this browser had ends. */
export async function startSession(
  visitor: Visitor,
  config: Config,
  person: { account_id: number; user_id: number },
  isKept: boolean,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const by = { accountId: person.account_id, userId: person.user_id, address: visitor.address };
  const old = readSessionToken(visitor.request.headers.cookie, config);
  await visitor.database.system.transaction().execute(async (trx: Trx) => {
    if (old !== undefined) {
      await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash(old)).execute();
    }
    await trx
      .insertInto('sessions')
      .values({
        account_id: person.account_id,
        user_id: person.user_id,
        token_hash: tokenHash(token),
        device: visitor.device,
        address: visitor.address,
        is_kept: isKept,
        expires_at: sql`now() + ${sessionHours(isKept)} * interval '1 hour'`,
      })
      .execute();
    await recordEvents(trx, by, [{ kind: 'session.started', changes: { Device: visitor.device } }]);
  });
  visitor.reply.header('set-cookie', sessionCookie(token, isKept, config));
}
