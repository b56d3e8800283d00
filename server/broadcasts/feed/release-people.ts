import { type RawBuilder, sql } from 'kysely';
import type { BroadcastType } from '../../../contract/money/units.ts';
import { countPeople } from '../../billing/count-people.ts';
import { lockCredits } from '../../billing/lock-credits.ts';
import type { Trx } from '../../db.ts';
import { readSending } from '../draft/read-sending.ts';
import { isReached } from '../is-reached.ts';
import type { LockedBroadcast } from '../lock-broadcast.ts';
import { countNewPeople, isSpared, periodStart } from '../preflight/reckon-sending.ts';

/** For a broadcast that was just canceled: the people who would have got something and got nothing. */
export function sparedByCancel({ broadcast_type }: LockedBroadcast): RawBuilder<unknown> {
  return sql`${isReached(broadcast_type as BroadcastType)} and exists (
  select from broadcasts b where b.account_id = r.account_id and b.broadcast_id = r.broadcast_id
    and ${isSpared(sql`b`, sql`r`)})`;
}

/**
 * People whom a monthly account won't reach after all are no longer counted in its billing period, unless another
 * broadcast counts them. `which` is a condition on the recipients `r`. The caller has locked the broadcast's row. The
 * account's row is locked here, as Send does, so that if two broadcasts to the same person are canceled, the last one
 * frees the person.
 */
export async function releasePeople(
  trx: Trx,
  { account_id: accountId, broadcast_id: broadcastId }: LockedBroadcast,
  which: RawBuilder<unknown>,
): Promise<void> {
  const { takesCredits, group } = await readSending(trx, accountId, broadcastId);
  if (takesCredits || group.MonthlyLevel === null) return;
  await lockCredits(trx, [accountId]);
  const sending = await readSending(trx, accountId, broadcastId);
  // People counted in an earlier period are not part of this one's count.
  const people = await countNewPeople(
    trx,
    sending,
    sql`${which} and ${sending.confirmed_at}::timestamptz >= ${periodStart(sending.group)}`,
  );
  await countPeople(trx, accountId, -Math.min(people, sending.group.UniqueCallCount));
}
