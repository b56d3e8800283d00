import { sql } from 'kysely';
import { archiveOldTexts } from '../conversations/texts/archive-old-texts.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { closeUnanswered } from '../texts/close-unanswered.ts';
import { workWaits } from '../work.ts';
import { createMergeWork } from './draft/merge-draft.ts';
import { sweepDeletedDrafts } from './draft/sweep-deleted-drafts.ts';
import { createCourseWork, dueCourses } from './drips/run-courses.ts';
import { createSequenceWork, dueSequences, preparedSteps } from './drips/run-sequences.ts';
import { completeBroadcasts } from './feed/complete-broadcasts.ts';
import { reopenZones } from './feed/reopen-zones.ts';
import { sampleBroadcasts } from './feed/sample-broadcasts.ts';
import { opensWait, tellOpenedLinks } from './links/tell-opened.ts';
import { createRecipientWork } from './recipients/change-in-slices.ts';
import { createRepeatWork } from './repeating/run-repeating.ts';
import { openArchives } from './results/open-archive.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** A repeating broadcast is due. */
    repeat_broadcasts: Record<string, never>;
    /** A step of a drip campaign is due. */
    run_sequences: Record<string, never>;
    /** Somebody's next step of a campaign that people join is due, or somebody has joined. */
    run_courses: Record<string, never>;
    /** Personalized drafts have to be merged with their recipients. */
    merge_drafts: Record<string, never>;
    /** An account's quiet hours have changed. */
    reopen_zones: { accountId: number };
  }
}

export function createBroadcastJobs(context: JobContext) {
  const { database } = context;
  const repeats = createRepeatWork(context);
  const sequences = createSequenceWork(context);
  const courses = createCourseWork(context);
  const recipients = createRecipientWork(context);
  const merges = createMergeWork(context);
  return {
    tasks: {
      do_work: recipients.run,
      repeat_broadcasts: repeats.run,
      run_sequences: sequences.run,
      run_courses: courses.run,
      merge_drafts: merges.run,
      reopen_zones: ({ accountId }) => reopenZones(database, accountId),
    },
    waiting: [
      { where: workWaits, run: recipients.run },
      {
        where: sql`exists (select from broadcasts where status = 'broadcasting')
          or exists (select from broadcasts where status = 'sent' and look_at <= now())
          or exists (select from broadcasts where status = 'canceled' and look_at <= now())
          or exists (select from broadcasts where ended_at > now() - interval '1 hour')`,
        async run() {
          await closeUnanswered(database);
          await Promise.all([completeBroadcasts(database), sampleBroadcasts(database)]);
        },
      },
      {
        where: sql`exists (select from repeating_broadcasts where next_at <= now() and deleted_at is null)
          or exists (select from broadcasts where status = 'draft' and repeating_id is not null and deleted_at is null)`,
        run: repeats.run,
      },
      { where: sql`exists (${dueSequences}) or exists (${preparedSteps})`, run: sequences.run },
      { where: sql`exists (${dueCourses})`, run: courses.run },
      { where: opensWait, run: () => tellOpenedLinks(database) },
      { where: sql`exists (select from broadcasts where merge_state = 'running')`, run: merges.run },
    ],
    async sweep() {
      await sweepDeletedDrafts(database);
      const { ARCHIVE_AFTER_MONTHS: months } = context.config;
      if (months !== undefined) await openArchives(database, months);
      await archiveOldTexts(context);
    },
    async stop() {
      await Promise.all([repeats.stop(), sequences.stop(), courses.stop(), recipients.stop(), merges.stop()]);
    },
  } satisfies SliceJobs;
}
