import { sql } from 'kysely';
import { dayNames } from '../../../contract/time/wall-clock.ts';
import { reopenCalls } from '../../calls/reopen-calls.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';

/** The calling window of an emergency that is sent whatever the hour. */
const allDay = { days: [...dayNames], start: '00:00', stop: '23:59' } as const;

/**
 * Somebody starts the same emergency again, "now, whatever the hour": those that still keep to quiet hours and the
 * calling window don't any more. Locks their rows, as feeding does, and what waits is due at once. Paused ones stay
 * paused.
 */
export async function setHoursAside(
  trx: Trx,
  actor: Actor,
  emergencies: readonly { BroadcastID: number }[],
): Promise<void> {
  const { accountId } = actor;
  const { rows } = await sql<{ id: number }>`
    update broadcasts b
    set hours_set_aside_by = ${actor.userId}, hours_set_aside_at = now(), updated_at = now(),
      held_reason = case when b.status = 'paused' then b.held_reason else '' end,
      next_feed_at = case when b.fed_count < b.going_count then now() end,
      next_call_at = case when b.next_call_at is not null then now() end
    where b.account_id = ${accountId} and b.hours_set_aside_at is null
      and b.broadcast_id = any(${emergencies.map(({ BroadcastID }) => BroadcastID)}::bigint[])
    returning b.broadcast_id as id`.execute(trx);
  for (const { id } of rows) await release(trx, accountId, id);
  if (rows.length === 0) return;
  await recordEvents(
    trx,
    actor,
    rows.map(({ id }) => ({ kind: 'broadcast.hoursSetAside' as const, id })),
  );
  await notify(trx, accountId, [
    ...rows.map(({ id }) => ({ type: 'broadcast.changed' as const, BroadcastID: id })),
    { type: 'broadcasts.changed' },
  ]);
  await enqueue(trx, 'send_messages', {});
  await enqueue(trx, 'place_calls', {});
}

async function release(trx: Trx, accountId: number, broadcastId: number): Promise<void> {
  await sql`
    update broadcasts set calling_days = ${allDay.days}::text[], calling_start = ${allDay.start},
      calling_stop = ${allDay.stop}
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and call_count > 0`.execute(trx);
  await sql`
    update broadcast_zones set opens_at = now()
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and fed < total`.execute(trx);
  await reopenCalls(trx, accountId, broadcastId);
}
