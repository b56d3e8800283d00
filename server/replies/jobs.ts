import { sql } from 'kysely';
import type { JobContext, SliceJobs } from '../jobs.ts';

export function createReplyJobs({ database }: JobContext) {
  return {
    async sweep() {
      // The longest pause between two automatic replies is twelve hours.
      await sql`delete from reply_stamps where replied_at < now() - interval '2 days'`.execute(
        database.system,
      );
    },
  } satisfies SliceJobs;
}
