import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { recount } from '../reports/recount-figures.ts';
import { nextMailAt } from '../reports/rules.ts';
import { fillResults } from '../texts/count-results.ts';

/** Report data for the texts and calls that the demo inserted directly, and two saved views. */
export async function createReports(
  trx: Trx,
  { accountId, ownerId, timeZone }: { accountId: number; ownerId: number; timeZone: string },
): Promise<void> {
  // Matches the sandbox's answers to look-ups: carriers by the last digit.
  await sql`
    insert into phone_lookups (account_id, phone, is_valid, line_type, carrier_name)
    select distinct account_id, phone, true, 'mobile',
      (array['Meridian Wireless', 'Blue Ridge Mobile', 'Northline', 'Parkway Cellular'])[1 + right(phone, 1)::int % 4]
    from messages where account_id = ${accountId} and not is_inbound
    on conflict do nothing`.execute(trx);
  await fillResults(trx, accountId);
  await recount(trx, accountId, true);
  await trx
    .insertInto('report_views')
    .values([
      {
        ...{ account_id: accountId, user_id: ownerId, report: 'usage-summary', name: 'Last 7 days' },
        search: JSON.stringify({ days: '7' }),
      },
      {
        ...{ account_id: accountId, user_id: ownerId, report: 'delivery', name: 'Delivery every month' },
        schedule: 'monthly',
        next_mail_at: nextMailAt('monthly', timeZone, new Date()),
      },
    ])
    .execute();
}
