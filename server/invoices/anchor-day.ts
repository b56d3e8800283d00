import { dayOfMonth } from '../billing/add-months.ts';
import type { Trx } from '../db.ts';

/** The number of single months in three years. */
const mostSteps = 36;

/**
 * The day of the month on which months that are paid by invoice begin. If they follow others that were cut
 * short by a short month, the anchor day of those counts: a period that began on the 31st continues on the
 * 31st.
 */
export async function anchorDayOf(trx: Trx, accountId: number, start: Date, zone: string): Promise<number> {
  let day = dayOfMonth(start, zone);
  let from = start;
  for (let step = 0; step < mostSteps && isLastOfMonth(from, zone); step += 1) {
    const before = await trx
      .selectFrom('invoices')
      .select('subscription_start_at')
      .where('account_id', '=', accountId)
      .where('is_payg', '=', false)
      .where('delivered_at', 'is not', null)
      .where('subscription_end_at', '=', from)
      .executeTakeFirst();
    if (before?.subscription_start_at == null) break;
    from = before.subscription_start_at;
    day = Math.max(day, dayOfMonth(from, zone));
  }
  return day;
}

const dayMs = 86_400_000;

function isLastOfMonth(at: Date, zone: string): boolean {
  return dayOfMonth(new Date(at.getTime() + dayMs), zone) === 1;
}
