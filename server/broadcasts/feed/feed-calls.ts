import { sql } from 'kysely';
import { cannotSendMessage } from '../../../contract/states/account-status.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import { type CallHours, nextCall } from '../../../contract/time/call-hours.ts';
import { recipientHours } from '../../../contract/time/quiet-hours.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { makeCalls } from '../../calls/make-calls.ts';
import { nowMs } from '../../clock.ts';
import { asSystem, type Database, type Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import { judgeFrequency } from '../recipients/judge-frequency.ts';

/** Recipients that become calls at a time. */
const slice = 1_000;

interface Due {
  account_id: number;
  broadcast_id: number;
  status: 'scheduled' | 'broadcasting';
  call_provider: number;
  caller_id: string;
  call_credits_each: number;
  call_cursor: number;
  calling_days: string[];
  calling_start: string;
  calling_stop: string;
  continue_on_next_day: boolean;
  call_zone: string;
  call_until: Date | null;
  time_zone: string;
  quiet_hours_on: boolean;
  hours_set_aside_at: Date | null;
  quiet_start: string;
  quiet_stop: string;
  status_id: number;
  subscription_end_at: Date | null;
}

/**
 * Turns recipients of a broadcast that is due into calls, a slice at a time. Each call gets the first moment
 * that its quiet hours and the sender's window allow. Returns whether there may be more. The broadcast's row
 * is locked, as by pausing and canceling.
 */
export async function feedCalls(database: Database): Promise<boolean> {
  return asSystem(database, async (trx) => {
    const due = await lockDue(trx);
    if (due === undefined) return false;
    const blocked = cannotSendMessage(
      {
        AccountStatusID: due.status_id,
        SubscriptionEndDate: due.subscription_end_at?.toISOString() ?? null,
      },
      nowMs(),
    );
    if (blocked === undefined) await feed(trx, due);
    else await holdBroadcast(trx, due.account_id, due.broadcast_id, blocked);
    return true;
  });
}

async function lockDue(trx: Trx): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    select b.account_id, b.broadcast_id, b.status, b.call_provider, b.caller_id, b.call_credits_each, b.call_cursor, b.calling_days,
      b.calling_start, b.calling_stop, b.continue_on_next_day, b.call_zone, b.call_until, a.time_zone, a.quiet_hours_on,
      b.hours_set_aside_at, a.quiet_start, a.quiet_stop, a.status_id, a.subscription_end_at
    from broadcasts b join accounts a on a.account_id = b.account_id
    where b.status in ('scheduled', 'broadcasting') and b.next_call_at <= now() and b.deleted_at is null
    order by b.is_emergency desc, b.next_call_at limit 1
    for no key update of b skip locked`.execute(trx);
  return rows[0];
}

/** Hours in which a broadcast may call, as it was frozen by Send. */
function hoursOf(due: Due): CallHours {
  return {
    window: {
      CallingWindowDays: due.calling_days,
      StartTimeOfDay: timeOfDay(due.calling_start),
      StopTimeOfDay: timeOfDay(due.calling_stop),
      ContinueOnNextDay: due.continue_on_next_day,
    },
    senderZone: due.call_zone,
    hours:
      due.quiet_hours_on && due.hours_set_aside_at === null
        ? {
            ...recipientHours,
            StartTimeOfDay: timeOfDay(due.quiet_start),
            StopTimeOfDay: timeOfDay(due.quiet_stop),
          }
        : undefined,
    accountZone: due.time_zone,
  };
}

async function feed(trx: Trx, due: Due): Promise<void> {
  const { account_id: accountId, broadcast_id: broadcastId } = due;
  // They may have had another broadcast since the last check.
  const tooOften = await judgeFrequency(trx, { accountId, broadcastId, phone: sql`r.phone` });
  const { rows } = await sql<{ recipient_id: number; phone: string; zone: string; is_too_often: boolean }>`
    select recipient_id, phone, zone, ${tooOften} as is_too_often from broadcast_recipients r
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and call_state = 'called'
      and recipient_id > ${due.call_cursor}
    order by recipient_id limit ${slice}`.execute(trx);
  const atMs = nowMs();
  const isOver = due.call_until !== null && due.call_until.getTime() <= atMs;
  const hours = hoursOf(due);
  const opens = new Map<string, Date | null>();
  for (const { zone } of rows) {
    if (opens.has(zone)) continue;
    const next = isOver ? 'expired' : nextCall(zone, atMs, hours);
    opens.set(zone, next === 'expired' ? null : new Date(next.atMs));
  }
  await makeCalls(
    trx,
    {
      accountId,
      broadcastId,
      provider: due.call_provider,
      callerId: due.caller_id,
      creditsEach: due.call_credits_each,
    },
    rows.map((row) => ({
      recipientId: row.recipient_id,
      phone: row.phone,
      zone: row.zone,
      dueAt: row.is_too_often ? null : (opens.get(row.zone) ?? null),
      ...(row.is_too_often ? { why: recipientProblemMessages.too_often } : {}),
    })),
  );
  const isLast = rows.length < slice;
  const moved = await sql<{ left: number }>`
    update broadcasts
    set status = 'broadcasting', started_at = coalesce(started_at, now()), call_fed = call_fed + ${rows.length},
      call_cursor = ${rows.at(-1)?.recipient_id ?? due.call_cursor}, last_fed_at = clock_timestamp(),
      call_credits_unfed = ${
        isLast
          ? sql`0`
          : sql`greatest(0, call_credits_unfed - ${rows.length * due.call_credits_each}::bigint)`
      },
      next_call_at = ${isLast ? null : sql`now()`}
    where account_id = ${accountId} and broadcast_id = ${broadcastId}
    -- People who were removed after Send.
    returning greatest(0, old.call_credits_unfed - ${rows.length * due.call_credits_each}::bigint) as left`.execute(
    trx,
  );
  await moveCredits(trx, [
    {
      accountId,
      kind: 'release',
      credits: isLast ? (moved.rows[0]?.left ?? 0) : 0,
      note: 'Calls that were not made',
      reference: ofBroadcast(broadcastId),
    },
  ]);
  if (due.status === 'scheduled')
    await recordEvents(trx, { accountId }, [{ kind: 'broadcast.started', id: broadcastId }]);
  await tell(trx, accountId, broadcastId);
}

/** Nothing of it is sent until somebody resumes it; the page says why. */
export async function holdBroadcast(
  trx: Trx,
  accountId: number,
  broadcastId: number,
  reason: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('broadcasts')
    .set({ status: 'paused', held_reason: reason })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', 'in', ['scheduled', 'broadcasting'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n) {
    const paused = { kind: 'broadcast.paused', id: broadcastId, changes: { Reason: reason } } as const;
    await recordEvents(trx, { accountId }, [paused]);
  }
  await tell(trx, accountId, broadcastId);
}

function tell(trx: Trx, accountId: number, broadcastId: number): Promise<void> {
  return notify(trx, accountId, [
    { type: 'broadcast.changed', BroadcastID: broadcastId },
    { type: 'broadcasts.changed' },
  ]);
}
