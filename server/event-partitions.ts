import { sql } from 'kysely';
import type { Database } from './db.ts';

/**
 * Creates the months' partitions in advance, and raises the epoch after a backup was restored into a new
 * cluster, whose transaction ids are lower than those of the events. Runs at every start, before serving
 * requests.
 */
export async function prepareEvents({ system }: Database): Promise<void> {
  await sql`select make_event_partitions(), raise_event_epoch()`.execute(system);
}

/** Every night: creates the next months' partitions, and drops those past their retention. */
export async function sweepEvents({ system }: Database, keptMonths: number): Promise<void> {
  await sql`select make_event_partitions(), drop_event_partitions(${keptMonths})`.execute(system);
}
