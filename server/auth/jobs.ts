import { sql } from 'kysely';
import { asSystem } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { endSessionsWhere } from './end-sessions.ts';

export function createAuthJobs({ database }: JobContext) {
  return {
    async sweep() {
      await sql`delete from sign_in_attempts where last_failed_at < now() - interval '1 day'`.execute(
        database.system,
      );
      await asSystem(database, (trx) => endSessionsWhere(trx, sql`expires_at < now()`));
      await sql`delete from one_time_tokens where expires_at < now()`.execute(database.system);
      await sql`delete from attempt_counts where ends_at < now()`.execute(database.system);
      // Kept for a month, so that the user of an old link is told whether it was used.
      await sql`delete from user_tokens where expires_at < now() - interval '30 days'`.execute(
        database.system,
      );
      await sql`delete from known_devices where last_seen_at < now() - interval '400 days'`.execute(
        database.system,
      );
    },
  } satisfies SliceJobs;
}
