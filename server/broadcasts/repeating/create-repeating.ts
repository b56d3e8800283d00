import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { requiredMessage } from '../../../contract/fields/basic-rules.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import type { createRepeating as definition } from '../../../contract/repeating-broadcasts.ts';
import { repeatingSchedule } from '../../../contract/repeating-broadcasts.ts';
import { lockCredits } from '../../billing/lock-credits.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { readCalling } from '../draft/read-calling.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { refuseUnlessExpected } from '../feed/send-broadcast.ts';
import { refuseUnlessSendable } from '../preflight/judge-draft.ts';
import { reckonSending } from '../preflight/reckon-sending.ts';
import { type JudgedSchedule, judgeSchedule, occurrences } from './judge-schedule.ts';
import { nudgeAt } from './run-repeating.ts';

/**
 * Turns a draft into the model of a repeating broadcast. It is checked as if the first one were sent now;
 * each occurrence uses its own credits when it is sent. Calling it twice creates it once.
 */
export async function createRepeating(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const draft = await readSending(trx, actor.accountId, body.DraftBroadcastID, { isHeld: true });
  if (draft.repeating_id !== null || (!actor.canSeeAllBroadcasts && draft.user_id !== actor.userId))
    throw notHere();
  const repeatingId =
    draft.status === 'draft'
      ? await makeModel(trx, actor, draft, body)
      : await getRepeatingId(trx, actor.accountId, draft.broadcast_id);
  return {
    BroadcastID: draft.broadcast_id,
    RepeatingBroadcastID: repeatingId,
    MessageRecordingInstruction: null,
    UriSummary: '/repeatingbroadcasts',
  };
}

function notHere(): Refusal {
  return new Refusal('notFound', 'That draft is no longer here.');
}

/** The result of an earlier click. A draft that was sent in another way is not found. */
async function getRepeatingId(trx: Trx, accountId: number, broadcastId: number): Promise<number> {
  const row = await trx
    .selectFrom('repeating_broadcasts')
    .select('repeating_id')
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notHere();
  return row.repeating_id;
}

async function makeModel(
  trx: Trx,
  actor: Actor,
  draft: Sending,
  expected: Input<typeof definition>['body'],
): Promise<number> {
  const judged = await judgeDraftSchedule(trx, draft, actor.timeZone);
  const [first = 0] = occurrences(judged, nowMs(), 1);
  const startsAt = new Date(first);
  const available = (await lockCredits(trx, [actor.accountId])).get(actor.accountId) ?? 0;
  const reckoning = await reckonSending(trx, actor, draft, { startDate: startsAt.toISOString() });
  await refuseUnlessSendable(trx, actor, draft, { reckoning, available, startsAt });
  refuseUnlessExpected(reckoning, {
    expectedCount: expected.ExpectedCount,
    expectedCredits: expected.ExpectedCredits,
  });
  const { summary } = reckoning;
  await trx
    .updateTable('broadcasts')
    .set({
      status: 'model',
      sent_by_user_id: actor.userId,
      confirmed_at: sql`now()`,
      updated_at: sql`now()`,
      going_count: summary.good,
      reach_count: reckoning.reached,
      left_out_count: summary.total - reckoning.reached,
    })
    .where('account_id', '=', draft.accountId)
    .where('broadcast_id', '=', draft.broadcast_id)
    .execute();
  return insertSeries(trx, actor, draft.broadcast_id, { judged, startsAt });
}

async function judgeDraftSchedule(trx: Trx, draft: Sending, zone: string): Promise<JudgedSchedule> {
  const given = repeatingSchedule.safeParse(draft.repeat_schedule);
  if (draft.start_option !== 'REPEATING' || !given.success) {
    throw new Refusal('refused', 'Choose how often this broadcast repeats.');
  }
  if (draft.start_wall === null) throw refuseField('StartDate', requiredMessage('Start Date'));
  const first = placesCalls(draft.broadcast_type)
    ? { field: 'StartDate' as const, calling: await readCalling(trx, draft) }
    : undefined;
  return judgeSchedule(given.data, draft.start_wall, { zone, nowMs: nowMs(), first });
}

async function insertSeries(
  trx: Trx,
  actor: Actor,
  modelId: number,
  {
    judged: { schedule, description, zone, startWall },
    startsAt,
  }: { judged: JudgedSchedule; startsAt: Date },
): Promise<number> {
  const { accountId } = actor;
  const { repeating_id: repeatingId } = await trx
    .insertInto('repeating_broadcasts')
    .values({
      account_id: accountId,
      broadcast_id: modelId,
      user_id: actor.userId,
      schedule: JSON.stringify(schedule),
      description,
      zone,
      start_wall: startWall,
      next_at: startsAt,
    })
    .returning('repeating_id')
    .executeTakeFirstOrThrow();
  await nudgeAt(trx, { accountId, repeatingId, atMs: startsAt.getTime() });
  await notify(trx, accountId, [
    { type: 'broadcasts.changed' },
    { type: 'draft.changed', DraftBroadcastID: modelId },
  ]);
  return repeatingId;
}
