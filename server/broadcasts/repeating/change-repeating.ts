import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import { broadcastText } from '../../../contract/forms/broadcast.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import type {
  deleteRepeating as deleteDefinition,
  dismissRepeatingFailures as dismissDefinition,
  canSafelyDeleteRepeating as safelyDefinition,
  updateRepeating as updateDefinition,
} from '../../../contract/repeating-broadcasts.ts';
import { unknownFieldMessage, unknownMergeFields } from '../../../contract/text/merge-fields.ts';
import { organizationPrefix } from '../../../contract/text/organization-prefix.ts';
import type { RepeatingSchedule } from '../../../contract/time/repeating-schedule.ts';
import { startLeadMs } from '../../../contract/time/start-date.ts';
import { isSeenBroadcast } from '../../access/queries.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessSeesMedia } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { readCalling } from '../draft/read-calling.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { findFieldNames } from '../preflight/find-missing.ts';
import { judgeSchedule, occurrences, toWireSchedule } from './judge-schedule.ts';
import { requireRepeating } from './list-repeating.ts';
import { nudgeAt } from './run-repeating.ts';

/** Locks a repeating broadcast that this actor may change: no occurrence of it is created in the meantime. */
async function lockRepeating(trx: Trx, actor: Actor, repeatingId: number) {
  await requireRepeating(trx, actor, repeatingId);
  return trx
    .selectFrom('repeating_broadcasts')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('repeating_id', '=', repeatingId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Refusal('notFound', 'That repeating broadcast is no longer here.'));
}
type Locked = Awaited<ReturnType<typeof lockRepeating>>;

export async function updateRepeating(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const row = await lockRepeating(trx, actor, params.RepeatingBroadcastID);
  const { BroadcastName, TextMessage, KeepCharacters, Media, PerMinute } = body;
  if ([BroadcastName, TextMessage, KeepCharacters, Media, PerMinute].some((given) => given !== undefined)) {
    await changeModel(trx, actor, row, body);
  }
  if (body.StartDateTime !== undefined || body.RepeatingBroadcastSchedule !== undefined) {
    await reschedule(trx, actor, row, body);
  }
  await notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
  return requireRepeating(trx, actor, row.repeating_id);
}

/** Changes the text and speed of future occurrences. Those already sent stay as they are. */
async function changeModel(
  trx: Trx,
  actor: Actor,
  { account_id, broadcast_id }: Locked,
  change: Input<typeof updateDefinition>['body'],
): Promise<void> {
  const model = await readSending(trx, account_id, broadcast_id, { isHeld: true });
  const mediaIds = change.Media?.map(({ MediaID }) => MediaID) ?? model.media_ids;
  const body = change.TextMessage ?? model.written;
  if (change.Media !== undefined) await refuseUnlessSeesMedia(trx, actor, mediaIds);
  if (change.TextMessage !== undefined || change.Media !== undefined) {
    await refuseBadText(trx, model, { body, hasMedia: mediaIds.length > 0 });
  }
  await trx
    .updateTable('broadcasts')
    .set({
      name: change.BroadcastName ?? model.name,
      body,
      keep_characters: change.KeepCharacters ?? (change.TextMessage === undefined && model.keep_characters),
      media_ids: mediaIds,
      per_minute: change.PerMinute === undefined ? model.per_minute : change.PerMinute,
      updated_at: sql`now()`,
    })
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
}

/** A text without words needs a picture; a broadcast that only calls has neither. */
async function refuseBadText(
  trx: Trx,
  model: Sending,
  { body, hasMedia }: { body: string; hasMedia: boolean },
): Promise<void> {
  if (!sendsTexts(model.broadcast_type)) {
    if (body === model.written && hasMedia === model.hasMedia) return;
    if (body === '' && !hasMedia) return;
    throw refuseField('TextMessage', 'This broadcast makes calls and sends no texts.');
  }
  const { accountId, broadcast_id, maxLength, suffix: signature, written, organization } = model;
  const toSend = (text: string) => organizationPrefix(organization, text) + text;
  const rules = broadcastText({ maxLength, signature, hasMedia, saved: toSend(written) });
  const error = firstFailure(toSend(body), rules);
  if (error !== undefined) throw refuseField('TextMessage', error);
  const unknown = unknownMergeFields(body, await findFieldNames(trx, accountId, broadcast_id));
  const bare = unknown.filter(({ fallback }) => fallback === undefined).map(({ name }) => name);
  if (bare.length > 0) throw refuseField('TextMessage', unknownFieldMessage(bare));
}

/** Without a new start the days are counted from the old one, with its time of day. */
async function reschedule(
  trx: Trx,
  actor: Actor,
  row: Locked,
  { StartDateTime, RepeatingBroadcastSchedule }: Input<typeof updateDefinition>['body'],
): Promise<void> {
  const atMs = nowMs();
  const model = await readSending(trx, row.account_id, row.broadcast_id);
  const calling = placesCalls(model.broadcast_type) ? await readCalling(trx, model) : undefined;
  const judged = judgeSchedule(
    RepeatingBroadcastSchedule ?? toWireSchedule(row.schedule as unknown as RepeatingSchedule),
    StartDateTime ?? row.start_wall,
    // A given start is in the time zone of the user who sets it.
    {
      zone: StartDateTime === undefined ? row.zone : actor.timeZone,
      nowMs: atMs,
      isNewStart: StartDateTime !== undefined,
      first: { field: 'StartDateTime', calling },
    },
  );
  const [next] = occurrences(judged, atMs, 1);
  await trx
    .updateTable('repeating_broadcasts')
    .set({
      schedule: JSON.stringify(judged.schedule),
      description: judged.description,
      zone: judged.zone,
      start_wall: judged.startWall,
      next_at: next === undefined ? null : new Date(next),
    })
    .where('account_id', '=', row.account_id)
    .where('repeating_id', '=', row.repeating_id)
    .execute();
  if (next !== undefined) {
    await nudgeAt(trx, { accountId: row.account_id, repeatingId: row.repeating_id, atMs: next });
  }
}

/**
 * Ends the series: no more occurrences are created, and one being prepared is dropped. Those already sent stay and
 * continue.
 */
export async function deleteRepeating(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const row = await lockRepeating(trx, actor, params.RepeatingBroadcastID);
  await trx
    .updateTable('repeating_broadcasts')
    .set({ deleted_at: sql`now()`, next_at: null })
    .where('account_id', '=', actor.accountId)
    .where('repeating_id', '=', row.repeating_id)
    .execute();
  await trx
    .updateTable('broadcasts')
    .set({ deleted_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('repeating_id', '=', row.repeating_id)
    .where('status', '=', 'draft')
    .where('deleted_at', 'is', null)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
  return {};
}

export async function canSafelyDeleteRepeating(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof safelyDefinition>,
) {
  const { NextStartDate } = await requireRepeating(trx, actor, params.RepeatingBroadcastID);
  const { rows } = await sql<{ prepared: boolean; underWay: boolean }>`
    select coalesce(bool_or(status = 'draft'), false) as prepared,
      coalesce(bool_or(status in ('scheduled', 'broadcasting', 'paused')), false) as "underWay"
    from broadcasts
    where account_id = ${actor.accountId} and repeating_id = ${params.RepeatingBroadcastID} and deleted_at is null
      and status in ('draft', 'scheduled', 'broadcasting', 'paused')`.execute(trx);
  const isSoon = NextStartDate !== null && NextStartDate.getTime() < nowMs() + startLeadMs;
  const Message =
    rows[0]?.prepared || isSoon
      ? 'The next broadcast of this series is about to start. If you delete the series now, it will not go out.'
      : rows[0]?.underWay
        ? 'A broadcast of this series is under way. It goes on when you delete the series; cancel it if it should stop.'
        : '';
  return { CanSafelyDelete: Message === '', Message };
}

/** The named ones, or all that the actor's list shows. */
export async function dismissRepeatingFailures(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof dismissDefinition>,
) {
  const { Items: named } = body;
  await sql`
    update repeating_failures f set dismissed_at = now()
    from repeating_broadcasts p
    where f.account_id = ${actor.accountId} and f.dismissed_at is null
      and p.account_id = f.account_id and p.repeating_id = f.repeating_id
      and ${isSeenBroadcast(actor, sql`p`)}
      and ${named === undefined ? sql`true` : sql`f.failure_id = any(${named}::bigint[])`}`.execute(trx);
  await notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
  return {};
}
