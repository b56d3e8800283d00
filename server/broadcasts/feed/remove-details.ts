import { type RawBuilder, sql } from 'kysely';
import type { deleteBroadcastDetails as definition } from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Event } from '../../../contract/events.ts';
import { type BroadcastType, placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { isReached } from '../is-reached.ts';
import { type LockedBroadcast, lockBroadcast } from '../lock-broadcast.ts';
import { detailsSelected } from '../queries.ts';
import { releasePeople } from './release-people.ts';
import { removeCalls } from './remove-calls.ts';

/**
 * Removes recipients whom the broadcast has not reached yet. Takes the same lock on the broadcast's row as feeding, so
 * removed recipients are in no slice, and those in a slice stay. Their credits return.
 */
export async function deleteBroadcastDetails(
  trx: Trx,
  actor: Actor,
  { params, query, body }: Input<typeof definition>,
) {
  const broadcast = await lockBroadcast(trx, actor, params.BroadcastID);
  if (['sent', 'completed', 'canceled'].includes(broadcast.status)) {
    throw new Refusal('conflict', 'This broadcast has ended: nobody can be taken out of it any more.');
  }
  const { account_id: accountId, broadcast_id: broadcastId } = broadcast;
  const chosen = await detailsSelected(trx, actor, broadcastId, { filter: query, selection: body.Selection });
  const type = broadcast.broadcast_type as BroadcastType;
  const isCalling = broadcast.call_count > 0;
  const who = isCalling ? await fixChosen(trx, broadcast, chosen) : chosen;
  const uncalled = isCalling ? await removeCalls(trx, broadcast, who) : undefined;
  const leaves = sql`(${who}) and ${sendsTexts(type)} and r.problem is null and r.message_id is null`;
  if (!isCalling) await releasePeople(trx, broadcast, leaves);
  const costs = broadcast.is_personalized
    ? sql`case when ${broadcast.credits_each} = 0 then 0 else coalesce(r.segments, ${broadcast.segments}) end`
    : sql`${broadcast.credits_each}::int`;
  const { rows } = await sql<{ ids: number[]; credits: number }>`
    with gone as (
      update broadcast_recipients r set problem = 'excluded'
      where ${leaves}
      returning r.recipient_id, r.zone, ${costs} as credits
    ),
    zoned as (
      update broadcast_zones z set total = z.total - g.many
      from (select zone, count(*)::int as many from gone group by zone) g
      where z.account_id = ${accountId} and z.broadcast_id = ${broadcastId} and z.zone = g.zone
    ),
    sums as (
      select count(*)::int as removed, array_agg(recipient_id) as ids, coalesce(sum(credits), 0)::bigint as credits
      from gone)
    update broadcasts b
    set going_count = b.going_count - s.removed,
      left_out_count = b.left_out_count + case when ${isCalling} then 0 else s.removed end,
      credits_unfed = b.credits_unfed - least(s.credits, b.credits_unfed),
      recipients_version = b.recipients_version + 1, updated_at = now()
    from sums s
    where b.account_id = ${accountId} and b.broadcast_id = ${broadcastId} and s.removed > 0
    returning s.ids, least(s.credits, old.credits_unfed) as credits`.execute(trx);
  const texts = rows[0] ?? { ids: [], credits: 0 };
  const removed = [...new Set([...texts.ids, ...(uncalled?.recipientIds ?? [])])];
  if (isCalling) await countOut(trx, broadcast, sql`${who} and not ${isReached(type)}`);
  // Also where nobody is called so far: an edit may decide otherwise.
  if (placesCalls(type)) await excludeDuplicates(trx, broadcast, removed);
  const credits = texts.credits + (uncalled?.credits ?? 0);
  if (removed.length === 0) return { RemovedCount: 0 };
  await moveCredits(trx, [
    {
      accountId,
      kind: 'release',
      credits,
      note: 'Taken out of a broadcast',
      userId: actor.userId,
      reference: ofBroadcast(broadcastId),
    },
  ]);
  const events: Event[] = [{ type: 'broadcast.changed', BroadcastID: broadcastId }];
  if (credits > 0) events.push({ type: 'credits.changed' });
  await notify(trx, accountId, events);
  return { RemovedCount: await countRemoved(trx, broadcast, removed) };
}

/** A person who loses a text and a call is one, and so is one with several phones in the broadcast. */
async function countRemoved(
  trx: Trx,
  { account_id: accountId, broadcast_id: broadcastId }: LockedBroadcast,
  recipientIds: number[],
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct coalesce('person ' || r.person_id, 'recipient ' || r.recipient_id))::int as people
    from broadcast_recipients r
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
      and r.recipient_id = any(${recipientIds}::bigint[])`.execute(trx);
  return rows[0]?.people ?? 0;
}

/**
 * Others with the phone of somebody who gets neither a text nor a call any more. An edit decides again who is called,
 * and one of them would move up: the phone would be called all the same.
 */
async function excludeDuplicates(
  trx: Trx,
  { account_id: accountId, broadcast_id: broadcastId }: LockedBroadcast,
  recipientIds: number[],
): Promise<void> {
  await sql`
    update broadcast_recipients d set problem = 'excluded', duplicate_of = null,
      call_state = case when d.call_state is null then null else 'excluded' end
    from broadcast_recipients r
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
      and r.recipient_id = any(${recipientIds}::bigint[]) and r.problem = 'excluded'
      and d.account_id = r.account_id and d.broadcast_id = r.broadcast_id and d.phone = r.phone
      and d.recipient_id <> r.recipient_id and 'duplicate' in (d.call_state, d.problem)`.execute(trx);
}

/** The chosen recipients as they are now: removing their calls changes which tab they are in. */
async function fixChosen(
  trx: Trx,
  { account_id: accountId, broadcast_id: broadcastId, broadcast_type }: LockedBroadcast,
  chosen: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: number }>`
    select r.recipient_id as id from broadcast_recipients r
    where (${chosen}) and ${isReached(broadcast_type as BroadcastType)}`.execute(trx);
  return sql`r.account_id = ${accountId} and r.broadcast_id = ${broadcastId}
    and r.recipient_id = any(${rows.map(({ id }) => id)}::bigint[])`;
}

/** Of a broadcast that calls: those who get neither a text nor a call any more. */
async function countOut(trx: Trx, broadcast: LockedBroadcast, isOut: RawBuilder<unknown>): Promise<void> {
  await releasePeople(trx, broadcast, isOut);
  await sql`
    update broadcasts b
    set reach_count = greatest(0, b.reach_count - o.many), left_out_count = b.left_out_count + o.many
    from (select count(*)::int as many from broadcast_recipients r where ${isOut}) o
    where b.account_id = ${broadcast.account_id} and b.broadcast_id = ${broadcast.broadcast_id}`.execute(trx);
}
