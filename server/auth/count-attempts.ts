import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Database } from '../db.ts';
import { type AttemptKind, attemptsKeptHours, delaySeconds } from './rules.ts';

/** Refuses users who have to wait, with the time to wait. */
export async function refuseWhileBlocked(database: Database, keys: Buffer[]): Promise<void> {
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
 * Counts a failure and sets how long the user has to wait, in one statement, so that a hundred concurrent
 * tries count as a hundred failures. Returns whether a wait was already in force: the try was in progress
 * when the limit was reached. It uses the clock and not now(), which is fixed at the time before this try
 * waited for others. Without a wait the value is the beginning of time: the present would be the future of a
 * try that began before.
 */
export async function countFailure(database: Database, kind: AttemptKind, key: Buffer): Promise<boolean> {
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

export async function forgetFailures(database: Database, key: Buffer): Promise<void> {
  await database.system.deleteFrom('sign_in_attempts').where('attempt_key', '=', key).execute();
}
