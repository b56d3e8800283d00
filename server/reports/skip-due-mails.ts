import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { nextMailAt } from './rules.ts';

interface Due {
  account_id: number;
  report_view_id: number;
  schedule: 'weekly' | 'monthly';
  zone: string;
}

/** Leaves out every report that is due to be mailed, for a database with older data. The next one comes in its time. */
export async function skipDueReports(trx: Trx): Promise<number> {
  const { rows } = await sql<Due>`
    select v.account_id, v.report_view_id, v.schedule, u.time_zone as zone
    from report_views v join users u on u.account_id = v.account_id and u.user_id = v.user_id
    where v.next_mail_at <= now() and v.schedule <> 'never'
    order by v.account_id, v.report_view_id
    for update of v`.execute(trx);
  await sql`
    update report_views v set next_mail_at = d.at
    from unnest(${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.report_view_id)}::bigint[],
      ${rows.map(({ schedule, zone }) => nextMailAt(schedule, zone, now()))}::timestamptz[]) as d(account_id, id, at)
    where v.account_id = d.account_id and v.report_view_id = d.id`.execute(trx);
  return rows.length;
}
