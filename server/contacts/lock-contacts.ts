import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Changes of one organization's contacts and groups run one after the other. They all update the kept counts anyway.
 * Taking this lock first avoids deadlocks, and the answer to "is there such a phone already?" is still right when the
 * row is written.
 */
export async function lockContacts(trx: Trx, accountId: number): Promise<void> {
  await lockSlice(trx, accountId);
  await sql`select pg_advisory_xact_lock(${lanes(accountId)})`.execute(trx);
}

/**
 * The same for a slice of long work, whose rows are changed by lanes: transactions in addition to the one
 * that holds the lock. If that one was interrupted, other changes of contacts still wait for the lanes.
 */
export async function lockSlice(trx: Trx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('contacts', ${accountId}))`.execute(trx);
}

export async function lockLane(trx: Trx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lanes(accountId)})`.execute(trx);
}

function lanes(accountId: number) {
  return sql`hashtextextended('lanes of contacts', ${accountId})`;
}

/** The same for several organizations, in the order of their ids. */
export async function lockContactsOf(trx: Trx, accountIds: Iterable<number>): Promise<void> {
  for (const accountId of [...new Set(accountIds)].sort((a, b) => a - b)) await lockContacts(trx, accountId);
}
