import type { Selectable } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ReportSchedule } from '../../contract/forms/report-view.ts';
import { type ReportKind, reports } from '../../contract/permissions.ts';
import {
  type createReportView,
  type deleteReportView,
  mostReportViews,
  type ReportView,
  type updateReportView,
} from '../../contract/reports.ts';
import { refuseUnless } from '../access/refuse-unless.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { DB } from '../schema.types.ts';
import type { Actor } from '../serve.ts';
import { nextMailAt } from './rules.ts';

type Row = Selectable<DB['report_views']>;

function toView(row: Row): ReportView {
  return {
    ReportViewID: row.report_view_id,
    Report: row.report as ReportKind,
    Name: row.name,
    Search: row.search as Record<string, string>,
    Schedule: row.schedule as ReportSchedule,
    NextMailDate: row.next_mail_at?.toISOString() ?? null,
    LastMailDate: row.last_mail_at?.toISOString() ?? null,
  };
}

export async function listViews(trx: Trx, actor: Actor) {
  const rows = await trx
    .selectFrom('report_views')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .orderBy('report')
    .orderBy('name')
    .orderBy('report_view_id')
    .execute();
  return { Items: rows.map(toView) };
}

/** Schedule of the mails, with the time of the first. The history of one phone has no weekly or monthly form. */
function plan(report: string, schedule: ReportSchedule, zone: string) {
  if (schedule === 'never') return { schedule, next_mail_at: null };
  if (report === 'phone-number-history') throw new Refusal('refused', 'This report can’t be mailed.');
  return { schedule, next_mail_at: nextMailAt(schedule, zone, now()) };
}

export async function createView(trx: Trx, actor: Actor, { body }: Input<typeof createReportView>) {
  refuseUnless(actor, reports[body.Report]);
  const { Items } = await listViews(trx, actor);
  if (Items.length >= mostReportViews)
    throw new Refusal('refused', `You have ${mostReportViews} saved views. Delete one first.`);
  const row = await trx
    .insertInto('report_views')
    .values({
      account_id: actor.accountId,
      user_id: actor.userId,
      report: body.Report,
      name: body.Name,
      search: JSON.stringify(body.Search),
      ...plan(body.Report, body.Schedule, actor.timeZone),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toView(row);
}

/** Views belong to their user: another's is not found. */
function ofActor(actor: Actor, reportViewId: number) {
  return { account_id: actor.accountId, user_id: actor.userId, report_view_id: reportViewId };
}

export async function updateView(trx: Trx, actor: Actor, { params, body }: Input<typeof updateReportView>) {
  const find = trx.selectFrom('report_views').selectAll().forUpdate();
  const { account_id, user_id, report_view_id } = ofActor(actor, params.ReportViewID);
  const before = await find
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('report_view_id', '=', report_view_id)
    .executeTakeFirst();
  if (before === undefined) throw new Refusal('notFound', 'That saved view is no longer here.');
  const { Name: name = before.name, Schedule: schedule } = body;
  const row = await trx
    .updateTable('report_views')
    .set({
      name,
      // The same schedule again keeps its next mail.
      ...(schedule === undefined || schedule === before.schedule
        ? {}
        : plan(before.report, schedule, actor.timeZone)),
    })
    .where('account_id', '=', account_id)
    .where('report_view_id', '=', report_view_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toView(row);
}

export async function deleteView(trx: Trx, actor: Actor, { params }: Input<typeof deleteReportView>) {
  const { account_id, user_id, report_view_id } = ofActor(actor, params.ReportViewID);
  const { numDeletedRows } = await trx
    .deleteFrom('report_views')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('report_view_id', '=', report_view_id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Refusal('notFound', 'That saved view is no longer here.');
  return {};
}
