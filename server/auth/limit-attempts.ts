import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Database } from '../db.ts';
import { getSecret } from './queries.ts';
import { attemptKey } from './rules.ts';

/** The limit on how often something may be requested. */
export interface Allowance {
  most: number;
  hours: number;
}

/**
 * Counts another use of something by an email, a network or a user. If it is one too many, returns the
 * seconds until it is allowed again, else undefined. The count starts over when its period ends.
 */
export async function countAttempt(
  database: Database,
  kind: string,
  value: string,
  { most, hours }: Allowance,
): Promise<number | undefined> {
  const key = attemptKey(await getSecret(database), kind, value);
  const { rows } = await sql<{ attempts: number; seconds: number }>`
    insert into attempt_counts as a (attempt_key, attempts, ends_at)
    values (${key}, 1, now() + ${hours} * interval '1 hour')
    on conflict (attempt_key) do update
    set attempts = case when a.ends_at <= now() then 1 else a.attempts + 1 end,
      ends_at = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
    returning attempts, ceil(extract(epoch from ends_at - now()))::int as seconds`.execute(database.system);
  const [row] = rows;
  return row !== undefined && row.attempts > most ? Math.max(1, row.seconds) : undefined;
}

/**
 * The same, but refuses when the limit is exceeded. The count has to be the same whether or not the user
 * exists.
 */
export async function refuseOver(
  database: Database,
  kind: string,
  value: string,
  allowance: Allowance,
): Promise<void> {
  const seconds = await countAttempt(database, kind, value, allowance);
  if (seconds !== undefined)
    throw new Refusal('tooManyAttempts', undefined, { extendedData: { RetryAfterSeconds: seconds } });
}
