import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { endRow } from './send-scheduled.ts';

/**
 * Ends every scheduled text that is due without sending it, for a database with older data: it may have been
 * sent.
 */
export async function failDue(trx: Trx, momentIn: (zone: string) => string): Promise<number> {
  const { rows } = await sql<{ account_id: number; scheduled_id: number; zone: string }>`
    select s.account_id, s.scheduled_id, a.time_zone as zone
    from scheduled_conversations s join accounts a on a.account_id = s.account_id
    where s.state = 'scheduled' and greatest(s.start_at, s.retry_at) <= now()
    order by s.account_id, s.scheduled_id
    for update of s`.execute(trx);
  for (const { account_id, scheduled_id, zone } of rows) {
    const moment = momentIn(zone);
    const problem = `Your data was restored to how it was on ${moment}. This may have gone out since, so it was not sent again.`;
    await endRow(trx, account_id, scheduled_id, { state: 'failed', problem });
  }
  return rows.length;
}
