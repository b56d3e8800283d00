import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createReportView,
  deleteReportView,
  listReportViews,
  updateReportView,
} from '../../contract/reports.ts';
import { countUsage } from '../billing/count-usage.ts';
import { nowMs, shiftClock } from '../clock.ts';
import { asSystem } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { asOwner } from '../testing/test-db.ts';
import { mailedRange, nextMailAt } from './rules.ts';

let app: TestApp;
let account: BuiltAccount;
let shifted = 0;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});
afterEach(() => {
  shiftClock(-shifted);
  shifted = 0;
});

function moveTo(date: string): void {
  const byMs = Date.parse(date) - nowMs();
  shiftClock(byMs);
  shifted += byMs;
}

async function run(): Promise<void> {
  await asSystem(app.database, (trx) => enqueue(trx, 'mail_reports', {}));
  await app.drain();
}

async function mails(): Promise<{ subject: string; body_text: string }[]> {
  const { rows } = await sql<{ subject: string; body_text: string }>`
    select subject, body_text from mails where account_id = ${account.accountId} and kind = 'report' order by mail_id`.execute(
    app.database.system,
  );
  return rows;
}

const save = (body: object, as: { cookie: string } = account.owner) =>
  app.call(
    createReportView,
    { body: { Report: 'usage-summary', Name: 'Weekly usage', ...body } as never },
    as,
  );

describe('saved views', () => {
  it('belong to their user, are renamed and deleted, for reports that the user may see', async () => {
    const made = await save({ Search: { days: '7', users: 'enabled' } });
    expect(made.body).toMatchObject({ Schedule: 'never', NextMailDate: null, Search: { days: '7' } });
    const params = { ReportViewID: made.body.ReportViewID };
    const admin = await buildUser(app, account.accountId, 'admin');
    expect((await app.call(listReportViews, {}, admin)).body.Items).toEqual([]);
    expect((await app.call(updateReportView, { params, body: { Name: 'x' } }, admin)).status).toBe(404);
    expect((await app.call(deleteReportView, { params }, admin)).status).toBe(404);
    const renamed = await app.call(updateReportView, { params, body: { Name: 'The week' } }, account.owner);
    expect(renamed.body.Name).toBe('The week');
    expect((await save({ Name: '' })).status).toBe(400);
    const user = await buildUser(app, account.accountId, 'user');
    expect((await save({ Report: 'billing-history' }, user)).status).toBe(403);
    expect(refusalOf(await save({ Report: 'phone-number-history', Schedule: 'weekly' })).Message).toBe(
      'This report can’t be mailed.',
    );
    expect((await app.call(deleteReportView, { params }, account.owner)).status).toBe(200);
    expect((await app.call(listReportViews, {}, account.owner)).body.Items).toEqual([]);
  });
});

describe('mailed reports', () => {
  it('arrive on Mondays and firsts at seven, in the user’s zone, also when clocks change', () => {
    const next = (at: string, schedule: 'weekly' | 'monthly' = 'weekly') =>
      nextMailAt(schedule, 'America/New_York', new Date(at)).toISOString();
    expect(next('2026-03-04T12:00:00Z')).toBe('2026-03-09T11:00:00.000Z'); // summer time began on the 8th
    expect(next('2026-03-09T10:59:00Z')).toBe('2026-03-09T11:00:00.000Z');
    expect(next('2026-03-09T11:00:00Z')).toBe('2026-03-16T11:00:00.000Z');
    expect(next('2026-01-31T12:00:00Z', 'monthly')).toBe('2026-02-01T12:00:00.000Z');
    expect(next('2026-12-01T12:00:00Z', 'monthly')).toBe('2027-01-01T12:00:00.000Z');
    expect(mailedRange('weekly', 'America/New_York', new Date('2026-03-11T11:00:00Z'))).toEqual({
      since: '2026-03-02',
      until: '2026-03-08',
    });
    expect(mailedRange('monthly', 'America/New_York', new Date('2026-03-01T12:00:00Z'))).toEqual({
      since: '2026-02-01',
      until: '2026-02-28',
    });
  });

  it('are sent once a period, summarize it, and stop when they are turned off', async () => {
    moveTo('2027-03-03T12:00:00Z');
    await sql`update users set time_zone = 'America/New_York' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    await asSystem(app.database, (trx) =>
      countUsage(trx, [
        {
          ...{ accountId: account.accountId, day: '2027-03-02', userId: account.owner.userId },
          ...{ kind: 'broadcast', messages: 40, credits: 1234 },
        },
      ]),
    );
    const { body: view } = await save({
      Schedule: 'weekly',
      Search: { days: '30', users: 'enabled', page: '3' },
    });
    expect(view.NextMailDate).toBe('2027-03-08T12:00:00.000Z');
    await run();
    expect(await mails()).toEqual([]);
    moveTo('2027-03-08T12:00:30Z');
    // Two workers at the same time, and again afterwards.
    await Promise.all([run(), run()]);
    await run();
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toBe('Weekly usage: March 1 to March 7');
    expect(sent[0]?.body_text).toContain('1,234 credits used for 40 messages');
    expect(sent[0]?.body_text).toContain(
      '/reports/usage-summary?users=enabled&from=2027-03-01&to=2027-03-07',
    );
    expect(sent[0]?.body_text).toContain('To stop it, open the report, choose Saved views');
    // Three weeks without a worker: only the last week is mailed.
    moveTo('2027-03-30T12:00:00Z');
    await run();
    await run();
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      'Weekly usage: March 1 to March 7',
      'Weekly usage: March 22 to March 28',
    ]);
    const params = { ReportViewID: view.ReportViewID };
    const off = await app.call(updateReportView, { params, body: { Schedule: 'never' } }, account.owner);
    expect(off.body).toMatchObject({
      Schedule: 'never',
      NextMailDate: null,
      LastMailDate: expect.stringMatching(/^2027-03-30T12:00:00/),
    });
    moveTo('2027-05-01T12:00:00Z');
    await run();
    expect(await mails()).toHaveLength(2);
  });

  it('write nothing if the process ends before the next date is saved', async () => {
    moveTo('2027-03-03T12:00:00Z');
    const before = (await mails()).length;
    await save({ Name: 'Cut off', Report: 'opt-out-report', Schedule: 'weekly' });
    moveTo('2027-03-08T13:00:00Z');
    // The state after kill -9 between the mail and the next date: nothing of the transaction exists.
    await asOwner(app.databaseUrl, (client) =>
      client.query(
        `alter table report_views add constraint cut_off check (last_mail_at is null or name <> 'Cut off')`,
      ),
    );
    await run();
    expect((await mails()).length).toBe(before);
    await asOwner(app.databaseUrl, (client) =>
      client.query('alter table report_views drop constraint cut_off'),
    );
    moveTo('2027-03-08T14:30:00Z');
    await run();
    expect((await mails()).slice(before).map(({ subject }) => subject)).toEqual([
      'Cut off: March 1 to March 7',
    ]);
  });

  it('aren’t sent to users who may not see the report any more', async () => {
    moveTo('2027-03-03T12:00:00Z');
    const admin = await buildUser(app, account.accountId, 'admin');
    await save({ Name: 'Money', Report: 'billing-history', Schedule: 'monthly' }, admin);
    await sql`update users set role = 'user' where user_id = ${admin.userId}`.execute(app.database.system);
    moveTo('2027-04-02T12:00:00Z');
    await run();
    expect((await mails()).filter(({ subject }) => subject.startsWith('Money'))).toEqual([]);
  });
});
