import { sql } from 'kysely';
import { restoredFailure } from '../../../contract/reference/error-codes.ts';
import type { RepeatingSchedule } from '../../../contract/time/repeating-schedule.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { occurrences } from './judge-schedule.ts';
import { dropOccurrence, noteFailure, nudgeAt } from './run-repeating.ts';

/**
 * Leaves out the occurrences that are due or prepared, for a database with older data: they may have been
 * sent. Each is recorded as a failure, and the series goes on at its next time.
 */
export async function skipDueOccurrences(trx: Trx): Promise<number> {
  const due = await trx
    .selectFrom('repeating_broadcasts')
    .selectAll()
    .where('next_at', '<=', sql<Date>`now()`)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .orderBy('repeating_id')
    .forUpdate()
    .execute();
  for (const row of due) {
    const series = { accountId: row.account_id, repeatingId: row.repeating_id };
    const schedule = row.schedule as unknown as RepeatingSchedule;
    const afterMs = Math.max(nowMs(), row.next_at?.getTime() ?? 0);
    const [next] = occurrences({ schedule, startWall: row.start_wall, zone: row.zone }, afterMs, 1);
    await trx
      .updateTable('repeating_broadcasts')
      .set({ next_at: next === undefined ? null : new Date(next) })
      .where('account_id', '=', row.account_id)
      .where('repeating_id', '=', row.repeating_id)
      .execute();
    if (next !== undefined) await nudgeAt(trx, { ...series, atMs: next });
    await noteFailure(trx, series, restoredFailure);
  }
  const prepared = await trx
    .selectFrom('broadcasts')
    .select(['account_id', 'broadcast_id', 'repeating_id'])
    .where('status', '=', 'draft')
    .where('repeating_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { account_id: accountId, broadcast_id, repeating_id } of prepared) {
    await dropOccurrence(trx, accountId, broadcast_id);
    await noteFailure(trx, { accountId, repeatingId: repeating_id ?? 0 }, restoredFailure);
  }
  return due.length + prepared.length;
}
