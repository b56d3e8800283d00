import { sql } from 'kysely';
import { type Actor, actorColumns, toActor } from '../access/load-actor.ts';
import type { Config } from '../config.ts';
import type { Database, Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import { sessionHours, tokenHash } from './rules.ts';

/** Sessions that last, of users who aren't switched off. */
function liveSessions(database: Database) {
  return database.system
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'sessions.account_id')
        .onRef('users.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.account_id as accountId',
      'sessions.user_id as userId',
      'sessions.session_id as sessionId',
    ])
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.is_active', '=', true);
}

/** Minutes during which a sensitive change can be made after the password or a second factor was given. */
const confirmedMinutes = 10;

export interface SignedInActor extends Actor {
  /** Has to set up a second factor before anything else. */
  isLimited: boolean;
  /** Has proved their identity in the last few minutes. */
  isConfirmed: boolean;
}

/**
 * The user of a session's token, if it is still valid. Activity extends the session, at most once a minute,
 * so that reading pages doesn't write a row each time.
 */
export async function findActor(
  database: Database,
  token: string,
  address: string,
): Promise<SignedInActor | undefined> {
  const found = await liveSessions(database)
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(actorColumns)
    .select([
      'sessions.is_kept as isKept',
      'sessions.is_limited as isLimited',
      sql<boolean>`sessions.confirmed_at > now() - ${sql.lit(confirmedMinutes)} * interval '1 minute'`.as(
        'isConfirmed',
      ),
      sql<boolean>`sessions.last_seen_at < now() - interval '1 minute'`.as('isStale'),
    ])
    .where('sessions.token_hash', '=', tokenHash(token))
    .modifyFront(prepared)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { isStale, isKept, isLimited, isConfirmed, sessionId, ...row } = found;
  if (isStale) {
    await database.system
      .updateTable('sessions')
      .set({
        last_seen_at: sql`now()`,
        // Network address of its last use; programs without an address leave it.
        ...(address === 'unknown' ? {} : { address }),
        expires_at: sql`now() + ${sessionHours(isKept)} * interval '1 hour'`,
      })
      .where('account_id', '=', row.accountId)
      .where('session_id', '=', sessionId)
      .execute();
    // The session's row goes when they sign out; when they were last seen stays.
    await database.system
      .updateTable('users')
      .set({ last_seen_at: sql`now()` })
      .where('account_id', '=', row.accountId)
      .where('user_id', '=', row.userId)
      .execute();
  }
  return { ...toActor(row, { sessionId, address }), isLimited, isConfirmed };
}

/** The session behind a socket key, while it is good. */
export async function findSession(database: Database, accountId: number, sessionId: number) {
  return liveSessions(database)
    .where('sessions.account_id', '=', accountId)
    .where('sessions.session_id', '=', sessionId)
    .executeTakeFirst();
}

/**
 * True if the account's group code has IsSsoLoginOnly, by the setting or in the table of codes: nobody signs in with
 * a password. Until the account has an active directory, passwords work, or nobody could set it up.
 */
export async function isSsoOnly(
  db: Trx | Database['system'],
  config: Pick<Config, 'SSO_ONLY_GROUP_CODES'>,
  accountId: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from accounts a join sso_providers p on p.account_id = a.account_id and p.is_enabled
    where a.account_id = ${accountId} and (
      lower(a.group_code) = any(${config.SSO_ONLY_GROUP_CODES}::text[])
      or exists (select from group_codes g where lower(g.name) = lower(a.group_code) and g.is_sso_login_only)
    )`.execute(db);
  return rows.length > 0;
}

/** The installation's secret: it never changes, so it is read once per process. */
const secrets = new WeakMap<object, Promise<Buffer>>();
export function getSecret(database: Database): Promise<Buffer> {
  let secret = secrets.get(database);
  if (secret === undefined) {
    secret = database.system
      .selectFrom('installation')
      .select('secret')
      .executeTakeFirstOrThrow()
      .then((row) => row.secret as Buffer);
    secret.catch(() => secrets.delete(database));
    secrets.set(database, secret);
  }
  return secret;
}

export async function listSessionRows(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('sessions')
    .select([
      'session_id as SessionID',
      'device as Device',
      'address as Address',
      'method as Method',
      'created_at as CreateTimestamp',
      'last_seen_at as LastSeenTimestamp',
    ])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute();
}
