import { sql, type UpdateObject } from 'kysely';
import type { updateBroadcast as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { callingRefusals } from '../../../contract/calling.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import type { Event } from '../../../contract/events.ts';
import { callingEndsMs } from '../../../contract/time/calling-window.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import { timeOfDay } from '../../accounts/rules.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { withdrawCalls } from '../../calls/withdraw-calls.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { DB } from '../../schema.types.ts';
import type { Actor } from '../../serve.ts';
import { withdrawTexts } from '../../texts/withdraw-texts.ts';
import { type LockedBroadcast, lockBroadcast } from '../lock-broadcast.ts';
import { getWholeBroadcast } from '../results/read-broadcast.ts';
import { statusAfter, type WantedStatus } from '../rules.ts';
import { editBroadcast } from './edit-broadcast.ts';
import { releasePeople, sparedByCancel } from './release-people.ts';

/**
 * Pauses, resumes and cancels a broadcast, and changes it before it starts. Everything locks the same row as
 * feeding, so it takes effect between two slices: texts that a worker holds at that moment are sent.
 */
export async function updateBroadcast(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const row = await lockBroadcast(trx, actor, params.BroadcastID);
  const { BroadcastStatus, BroadcastName, Labels, IsArchived, CallThrottle, TransferLines, ...edit } = body;
  if (Object.values(edit).some((value) => value !== undefined)) await editBroadcast(trx, actor, row, edit);
  if (BroadcastName !== undefined || IsArchived !== undefined) {
    await setColumns(trx, row, {
      name: BroadcastName ?? row.name,
      is_archived: IsArchived ?? row.is_archived,
    });
  }
  if (CallThrottle !== undefined || TransferLines !== undefined) {
    await changeLines(trx, row, { CallThrottle, TransferLines });
  }
  if (Labels !== undefined)
    await setLabels(
      trx,
      row,
      Labels.map((label) => label.LabelID),
    );
  if (BroadcastStatus !== undefined) await setStatus(trx, actor, row, BroadcastStatus);
  await notify(trx, actor.accountId, [
    { type: 'broadcast.changed', BroadcastID: row.broadcast_id },
    { type: 'broadcasts.changed' },
  ]);
  return getWholeBroadcast(trx, actor, row.broadcast_id);
}

/** Takes effect with the next claim: more calls start at once; with fewer, the current ones may finish. */
async function changeLines(
  trx: Trx,
  row: LockedBroadcast,
  { CallThrottle, TransferLines }: Pick<Input<typeof definition>['body'], 'CallThrottle' | 'TransferLines'>,
): Promise<void> {
  const isOver = row.status === 'canceled' || row.status === 'completed';
  if (row.call_count === 0 || isOver) throw new Refusal('conflict', callingRefusals.nothingToCall);
  await setColumns(trx, row, {
    ...(CallThrottle === undefined ? {} : { call_throttle: CallThrottle }),
    ...(TransferLines === undefined || row.transfer_phone === null ? {} : { transfer_lines: TransferLines }),
  });
  await enqueue(trx, 'place_calls', {});
}

async function setStatus(trx: Trx, actor: Actor, row: LockedBroadcast, wanted: WantedStatus): Promise<void> {
  const after = statusAfter(row.status, wanted);
  if (after === row.status) return;
  const kind =
    after === 'canceled'
      ? 'broadcast.canceled'
      : after === 'paused'
        ? 'broadcast.paused'
        : 'broadcast.resumed';
  await recordEvents(trx, actor, [{ kind, id: row.broadcast_id }]);
  if (after === 'canceled') await cancelBroadcast(trx, actor, row);
  else if (after === 'paused') await setColumns(trx, row, { status: 'paused', held_reason: '' });
  else {
    refuseUnless(actor, row.call_count > 0 ? 'createVoiceBroadcast' : 'createTextBroadcast');
    await resumeBroadcast(trx, row);
  }
}

/**
 * If its start is still ahead, it waits for it again, as `scheduled` (docs/decisions/0405). The pace starts over: texts
 * missed while it was paused don't go out in a burst.
 */
async function resumeBroadcast(trx: Trx, row: LockedBroadcast): Promise<void> {
  await setColumns(trx, row, {
    status: sql`case when start_at > now() then 'scheduled' else 'broadcasting' end`,
    held_reason: '',
    pace_from: null,
    pace_fed: 0,
    next_feed_at: sql`case when fed_count < going_count then greatest(start_at, now()) end`,
    ...(row.call_count > 0
      ? {
          call_until: callUntil(row),
          next_call_at: sql`case when next_call_at is not null then greatest(next_call_at, start_at, now()) end`,
        }
      : {}),
  });
  await enqueue(trx, 'send_messages', {});
  if (row.call_count > 0) await enqueue(trx, 'place_calls', {});
}

/** Resuming means that the rest is called: in the window that is open now, or in the next one. */
function callUntil(row: LockedBroadcast): Date | null {
  if (row.call_zone === null) return null;
  const endsMs = callingEndsMs(
    {
      CallingWindowDays: row.calling_days ?? [],
      StartTimeOfDay: timeOfDay(row.calling_start ?? '00:00'),
      StopTimeOfDay: timeOfDay(row.calling_stop ?? '00:00'),
      ContinueOnNextDay: row.continue_on_next_day === true,
    },
    nowMs(),
    row.call_zone,
  );
  return endsMs === undefined ? null : new Date(endsMs);
}

/**
 * Ends a broadcast whose row the caller has locked. The credits of people who get nothing return in one entry, and a
 * monthly account no longer counts them.
 */
export async function cancelBroadcast(trx: Trx, actor: Actor, row: LockedBroadcast): Promise<void> {
  const { account_id: accountId, broadcast_id: broadcastId } = row;
  await setColumns(trx, row, {
    status: 'canceled',
    ended_at: sql`now()`,
    next_feed_at: null,
    held_reason: '',
    credits_unfed: 0,
    next_call_at: null,
    call_credits_unfed: 0,
    // Pictures that were sent may have to be charged for, once none of its texts is waiting
    // (complete-broadcasts.ts).
    look_at: row.media_ids.length > 0 && row.fed_count > 0 ? sql`now()` : null,
  });
  const credits =
    row.credits_unfed +
    row.call_credits_unfed +
    (await withdrawTexts(trx, accountId, broadcastId)) +
    (row.call_count === 0 ? 0 : await withdrawCalls(trx, accountId, broadcastId));
  await moveCredits(trx, [
    {
      accountId,
      kind: 'release',
      credits,
      note: 'Broadcast canceled',
      userId: actor.userId,
      reference: ofBroadcast(broadcastId),
    },
  ]);
  await releasePeople(trx, row, sparedByCancel(row));
  const events: Event[] = credits > 0 ? [{ type: 'credits.changed' }] : [];
  await notify(trx, accountId, events);
}

async function setLabels(
  trx: Trx,
  { account_id, broadcast_id }: LockedBroadcast,
  labelIds: number[],
): Promise<void> {
  const known = await trx
    .selectFrom('labels')
    .select('label_id')
    .where('account_id', '=', account_id)
    .where('label_id', 'in', labelIds.concat(-1))
    .forKeyShare()
    .execute();
  if (known.length < new Set(labelIds).size) {
    throw refuseField('Labels', 'That label is no longer here.');
  }
  await trx
    .deleteFrom('broadcast_labels')
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
  if (known.length === 0) return;
  await trx
    .insertInto('broadcast_labels')
    .values(known.map(({ label_id }) => ({ account_id, broadcast_id, label_id })))
    .execute();
}

async function setColumns(
  trx: Trx,
  { account_id, broadcast_id }: LockedBroadcast,
  columns: UpdateObject<DB, 'broadcasts'>,
): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({ ...columns, updated_at: sql`now()` })
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
}
