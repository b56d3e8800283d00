import { sql } from 'kysely';
import { type ReportKind, reports } from '../../contract/permissions.ts';
import { findActiveActor } from '../access/load-actor.ts';
import { may } from '../access/refuse-unless.ts';
import { now } from '../clock.ts';
import { asAccount, type Database, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { composeMail } from '../mails/compose-mail.ts';
import { queueMails } from '../mails/queue-mails.ts';
import { recordEvents } from '../record-events.ts';
import { describeReport } from './describe-report.ts';
import { mailedRange, nextMailAt } from './rules.ts';

interface MailContext {
  database: Database;
  log: Log;
  publicUrl: string;
}

const atOnce = 50;
/** A report that can't be written now is retried after this long. */
const againMs = 3_600_000;

interface Due {
  account_id: number;
  report_view_id: number;
}

/**
 * Mails the reports that are due. The mail and the day of the next one commit together, so that a report is
 * mailed once, whenever a worker ends. After a time without a worker only the last week or month is mailed.
 * Returns whether more may be due.
 */
export async function mailReports(context: MailContext): Promise<boolean> {
  const { rows } = await sql<Due>`
    select account_id, report_view_id from report_views
    where next_mail_at <= ${now()} order by next_mail_at limit ${atOnce}`.execute(context.database.system);
  for (const due of rows) {
    try {
      await asAccount(context.database, due.account_id, (trx) => mailReport(trx, due, context.publicUrl));
    } catch (error) {
      context.log.error({ err: error, view: due.report_view_id }, 'a report could not be mailed');
      await sql`update report_views set next_mail_at = ${new Date(now().getTime() + againMs)}
        where account_id = ${due.account_id} and report_view_id = ${due.report_view_id}
          and next_mail_at is not null`.execute(context.database.system);
    }
  }
  return rows.length === atOnce;
}

const often = { weekly: 'every Monday', monthly: 'on the first of every month' } as const;

async function mailReport(trx: Trx, due: Due, publicUrl: string): Promise<void> {
  const at = now();
  const view = await trx
    .selectFrom('report_views')
    .selectAll()
    .where('account_id', '=', due.account_id)
    .where('report_view_id', '=', due.report_view_id)
    .where('next_mail_at', '<=', at)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (view === undefined || view.schedule === 'never') return;
  const schedule = view.schedule as 'weekly' | 'monthly';
  const report = view.report as ReportKind;
  const search = view.search as Record<string, string>;
  const actor = await findActiveActor(trx, view.account_id, view.user_id);
  const zone = actor?.timeZone ?? 'UTC';
  const isSent = actor !== undefined && may(actor, reports[report]);
  if (isSent) {
    const range = mailedRange(schedule, zone, at);
    const described = await describeReport(trx, actor, { report, search }, range);
    const user = await trx
      .selectFrom('users')
      .select(['email', 'needs_email_verification'])
      .where('account_id', '=', view.account_id)
      .where('user_id', '=', view.user_id)
      .executeTakeFirstOrThrow();
    if (described !== undefined && user.email !== '' && !user.needs_email_verification) {
      const { days: _, from: _from, to: _to, page: _page, ...filters } = search;
      const query = new URLSearchParams({ ...filters, from: range.since, to: range.until });
      const words = `${dayWords(range.since)} to ${dayWords(range.until)}`;
      const mail = composeMail({
        subject: `${view.name}: ${words}`,
        title: `${described.title}, ${words}`,
        paragraphs: described.paragraphs,
        action: { label: 'Open the report', url: `${publicUrl}/reports/${report}?${query}` },
        foot: `You get “${view.name}” ${often[schedule]}, because you asked for it. To stop it, open the report, choose Saved views, and switch the mail off.`,
      });
      await queueMails(trx, [
        { ...mail, accountId: view.account_id, userId: view.user_id, kind: 'report', to: user.email },
      ]);
      await recordEvents(trx, { accountId: view.account_id, userId: view.user_id }, [
        { kind: 'reportView.mailed', id: view.report_view_id },
      ]);
    }
  }
  await trx
    .updateTable('report_views')
    .set({ next_mail_at: nextMailAt(schedule, zone, at), ...(isSent ? { last_mail_at: at } : {}) })
    .where('account_id', '=', view.account_id)
    .where('report_view_id', '=', view.report_view_id)
    .execute();
}

const dayWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
