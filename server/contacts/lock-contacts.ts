import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/**
 * Changes of one organisation's contacts and groups go one after the other. They meet at the kept
 * counts anyhow; taken first, the lock keeps two of them from waiting for each other crosswise, and
 * makes "is there such a phone already?" an answer that still holds when the row is written.
 */
export async function lockContacts(trx: Trx, accountId: number): Promise<void> {
  await lockSlice(trx, accountId);
  await sql`select pg_advisory_xact_lock(${lanes(accountId)})`.execute(trx);
}

/**
 * The same for a slice of long work, whose rows are changed by lanes, transactions beside the one that holds it. Whoever
 * changes contacts waits for them too, should that one have been cut off.
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

/** The same for several organisations, in the order of their ids. */
export async function lockContactsOf(trx: Trx, accountIds: Iterable<number>): Promise<void> {
  for (const accountId of [...new Set(accountIds)].sort((a, b) => a - b)) await lockContacts(trx, accountId);
}
