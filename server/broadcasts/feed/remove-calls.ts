import { type RawBuilder, sql } from 'kysely';
import { type BroadcastType, sendsTexts } from '../../../contract/money/units.ts';
import { withdrawRecipients } from '../../calls/withdraw-calls.ts';
import type { Trx } from '../../db.ts';
import type { LockedBroadcast } from '../lock-broadcast.ts';

/**
 * Removes the chosen recipients who have not been called yet from the calls of a broadcast: those without a
 * call yet, and those waiting for their first attempt. Returns who they are, and the returned credits. The row
 * is locked.
 */
export async function removeCalls(
  trx: Trx,
  { account_id: accountId, broadcast_id: broadcastId, broadcast_type, call_credits_each }: LockedBroadcast,
  chosen: RawBuilder<unknown>,
): Promise<{ recipientIds: number[]; credits: number }> {
  const ids = await sql<{ id: number }>`
    select r.recipient_id as id from broadcast_recipients r
    where (${chosen}) and r.call_state = 'called'`.execute(trx);
  const recipientIds = ids.rows.map(({ id }) => id);
  const waiting = await withdrawRecipients(trx, accountId, broadcastId, recipientIds);
  const { rows } = await sql<{ id: number }>`
      -- Whoever gets no text is out for good: an edit decides about all others again.
      update broadcast_recipients r set call_state = 'excluded',
        problem = case when r.problem is null and ${sendsTexts(broadcast_type as BroadcastType)} then null else 'excluded' end
      where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = any(${recipientIds}::bigint[])
        and (r.recipient_id = any(${waiting.recipientIds}::bigint[]) or not exists (
          select from calls c where c.account_id = r.account_id and c.broadcast_id = r.broadcast_id
            and c.recipient_id = r.recipient_id and c.purpose = 'broadcast'))
      returning r.recipient_id as id`.execute(trx);
  const unfed = Math.max(0, rows.length - waiting.recipientIds.length);
  const removed = unfed + waiting.recipientIds.length;
  const credits = unfed * call_credits_each;
  if (removed > 0) {
    await sql`
      update broadcasts
      set call_count = call_count - ${removed}, call_fed = call_fed - ${waiting.recipientIds.length},
        call_credits_unfed = greatest(0, call_credits_unfed - ${credits}::bigint), updated_at = now()
      where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
  }
  return { recipientIds: rows.map(({ id }) => id), credits: credits + waiting.credits };
}
