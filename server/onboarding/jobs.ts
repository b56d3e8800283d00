import { sql } from 'kysely';
import type { JobContext, SliceJobs } from '../jobs.ts';

export function createOnboardingJobs({ database }: JobContext) {
  return {
    async sweep() {
      await sql`delete from phone_codes where expires_at < now() - interval '1 day'`.execute(database.system);
    },
  } satisfies SliceJobs;
}
