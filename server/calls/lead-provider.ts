import { sql } from 'kysely';
import type { Database } from '../db.ts';

/** The leader renews more often than this; after it another process takes over. */
const leadSeconds = 6;

/** True if this process is the one that talks to a provider that allows one at a time. */
export async function leadProvider(database: Database, provider: number, leader: string): Promise<boolean> {
  const { rows } = await sql`
    update call_pace set leader = ${leader}::uuid, led_until = now() + make_interval(secs => ${leadSeconds})
    where provider = ${provider} and (leader = ${leader}::uuid or led_until < now())
    returning provider`.execute(database.system);
  return rows.length > 0;
}

/** Another process may take over at once. */
export async function leaveProvider(database: Database, provider: number, leader: string): Promise<void> {
  await sql`
    update call_pace set led_until = '-infinity'
    where provider = ${provider} and leader = ${leader}::uuid`.execute(database.system);
}
