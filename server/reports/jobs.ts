import { sql } from 'kysely';
import { mendUsageSums } from '../billing/count-usage.ts';
import { mendConsentCountsBeside } from '../consents/count-moved.ts';
import { asSystem } from '../db.ts';
import type { JobContext, SliceJobs } from '../jobs.ts';
import { runOnce } from '../run-once.ts';
import { mailReports } from './mail-reports.ts';

declare module '../jobs.ts' {
  interface Tasks {
    /** Saved reports may be due to be mailed. */
    mail_reports: Record<string, never>;
    /** Sums of usage may be incomplete, because an earlier version stored only the days. */
    mend_usage_sums: Record<string, never>;
    /** Opt-outs and opt-ins recorded by an earlier version may not be counted yet. */
    mend_consent_counts: Record<string, never>;
  }
}

export function createReportJobs({ config, database, log }: JobContext) {
  const mailing = runOnce(() => mailReports({ database, log, publicUrl: config.PUBLIC_URL }));
  return {
    tasks: {
      mail_reports: mailing.run,
      mend_usage_sums: () => asSystem(database, mendUsageSums),
      mend_consent_counts: () => asSystem(database, mendConsentCountsBeside),
    },
    cron: ['*/5 * * * * mail_reports', '17 * * * * mend_usage_sums', '43 * * * * mend_consent_counts'],
    waiting: [
      { where: sql`exists (select from report_views where next_mail_at <= now())`, run: mailing.run },
    ],
    stop: mailing.stop,
  } satisfies SliceJobs;
}
