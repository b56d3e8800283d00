import { sql } from 'kysely';
import type { createBroadcast as definition } from '../../../contract/broadcasts.ts';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { withSuffix } from '../../../contract/text/segments.ts';
import { nextAllowedMs } from '../../../contract/time/quiet-hours.ts';
import { refuseUnless } from '../../access/refuse-unless.ts';
import { countPeople } from '../../billing/count-people.ts';
import { lockCredits } from '../../billing/lock-credits.ts';
import { moveCredits, ofBroadcast } from '../../billing/move-credits.ts';
import { nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { dropOldMerge } from '../draft/merge-draft.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { keepLinks } from '../links/keep-links.ts';
import { type KeptText, refuseUnlessSendable } from '../preflight/judge-draft.ts';
import { zonesOf } from '../preflight/plan-zones.ts';
import { commonSegments, type Reckoning, reckonSending } from '../preflight/reckon-sending.ts';
import { freezeSecondText } from '../second-text/freeze-second-text.ts';
import { findRecording, freezeCalls, judgeAgain } from './freeze-calls.ts';

export async function createBroadcast(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  await sendBroadcast(trx, actor, body.DraftBroadcastID, {
    expectedCount: body.ExpectedCount,
    expectedCredits: body.ExpectedCredits,
  });
  const recording = await findRecording(trx, actor.accountId, body.DraftBroadcastID);
  return {
    BroadcastID: body.DraftBroadcastID,
    MessageRecordingInstruction:
      recording === undefined
        ? null
        : { ID: recording.recording_id, Uri: `/recordings/${recording.recording_id}` },
    UriSummary: `/broadcasts/${body.DraftBroadcastID}`,
  };
}

export interface SendOptions {
  /** The number that the page showed: more than that is refused. */
  expectedCount?: number | undefined;
  expectedCredits?: number | undefined;
  /** For an occurrence of a repeating broadcast, which has no start of its own. */
  startsAt?: Date | undefined;
  /** For an edit of a broadcast that was sent before: the credits that it still holds. Only the difference moves. */
  reserved?: number | undefined;
  /** For an edit and for what repeats: the texts that stay as they were saved. */
  kept?: readonly KeptText[] | undefined;
}

/**
 * Presses Send on a draft: refused with the first reason why not, or its text, counts, credits and zones are frozen
 * and the send loop takes over. No recipient's row is touched, so it takes as long for a million as for ten.
 *
 * The draft's row is locked first, as in adding recipients and feeding: if fifty people press Send, one sends it, and
 * the others find it sent and answer the same. Then the account's row is locked: if two broadcasts want the last
 * credits or the day's last texts, one is refused.
 */
export async function sendBroadcast(
  trx: Trx,
  actor: Actor,
  broadcastId: number,
  options: SendOptions = {},
): Promise<void> {
  const draft = await lockSending(trx, actor, broadcastId);
  if (draft.status !== 'draft') return;
  if (draft.start_option === 'REPEATING' && options.startsAt === undefined) {
    throw new Refusal('refused', 'This broadcast repeats. It has to be sent as a repeating one.');
  }
  const sending = await withoutOldMerge(trx, draft);
  // People who have since asked not to be called aren't counted.
  if (placesCalls(sending.broadcast_type)) await judgeAgain(trx, sending);
  const { reserved = 0 } = options;
  const available = ((await lockCredits(trx, [actor.accountId])).get(actor.accountId) ?? 0) + reserved;
  const reckoning = await reckonSending(trx, actor, sending, { startDate: options.startsAt?.toISOString() });
  const { newPeople } = await refuseUnlessSendable(trx, actor, sending, {
    reckoning,
    available,
    startsAt: options.startsAt,
    kept: options.kept,
  });
  refuseUnlessExpected(reckoning, options);
  const more = reckoning.allCredits - reserved;
  await moveCredits(trx, [
    {
      accountId: actor.accountId,
      kind: more < 0 ? 'release' : 'reserve',
      credits: Math.abs(more),
      note: `Broadcast: ${sending.name}`,
      userId: actor.userId,
      reference: ofBroadcast(sending.broadcast_id),
    },
  ]);
  await countPeople(trx, actor.accountId, newPeople);
  await fixZones(trx, sending, reckoning);
  await freezeBroadcast(trx, actor, sending, reckoning);
  await freezeSecondText(trx, sending);
  await keepLinks(trx, sending);
  if (reckoning.calls !== undefined)
    await freezeCalls(trx, sending, { ...reckoning, calls: reckoning.calls });
}

async function lockSending(trx: Trx, actor: Actor, broadcastId: number): Promise<Sending> {
  const sending = await readSending(trx, actor.accountId, broadcastId, { isHeld: true });
  if (sending.status === 'model' || (!actor.canSeeAllBroadcasts && sending.user_id !== actor.userId)) {
    throw new Refusal('notFound', 'That draft is no longer here.');
  }
  refuseUnless(actor, 'createBroadcast');
  return sending;
}

/** If the text no longer has fields, it also goes to the people whom its merge had left out. */
async function withoutOldMerge(trx: Trx, draft: Sending): Promise<Sending> {
  if (draft.isPersonalized || draft.merge_state === 'none') return draft;
  await dropOldMerge(trx, draft);
  return readSending(trx, draft.accountId, draft.broadcast_id);
}

export function refuseUnlessExpected(
  { reached, allCredits: credits }: Pick<Reckoning, 'reached' | 'allCredits'>,
  options: SendOptions,
): void {
  const { expectedCount = reached, expectedCredits = credits } = options;
  if (reached <= expectedCount && credits <= expectedCredits) return;
  throw new Refusal(
    'conflict',
    'More people would get this, or it would cost more, than the page showed. Look at it again before you send it.',
  );
}

/** The recipients by zone, and when their hours allow it. */
async function fixZones(trx: Trx, sending: Sending, { summary, startMs }: Reckoning): Promise<void> {
  const { accountId, broadcast_id, hours, accountZone } = sending;
  const zones = Object.keys(summary.zones);
  const opensAt = zones.map((zone) => {
    const allowedMs = hours && nextAllowedMs(zonesOf(zone, accountZone), startMs, hours);
    return new Date(allowedMs ?? startMs);
  });
  await sql`
    insert into broadcast_zones (account_id, broadcast_id, zone, total, opens_at)
    select ${accountId}, ${broadcast_id}, * from unnest(
      ${zones}::text[], ${Object.values(summary.zones)}::integer[], ${opensAt}::timestamptz[])`.execute(trx);
}

async function freezeBroadcast(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  reckoning: Reckoning,
): Promise<void> {
  const { accountId, broadcast_id } = sending;
  const { summary, number, credits, allCredits, isFree, startMs } = reckoning;
  const isAhead = startMs > nowMs();
  const startAt = isAhead ? new Date(startMs) : sql<Date>`now()`;
  // For a personalized text, the number that most have; the rows of the others have their own.
  const segments = sending.isPersonalized ? sending.segments : commonSegments(sending);
  await trx
    .updateTable('broadcasts')
    .set({
      status: isAhead ? 'scheduled' : 'broadcasting',
      sent_by_user_id: actor.userId,
      confirmed_at: sql`now()`,
      updated_at: sql`now()`,
      start_at: startAt,
      started_at: isAhead ? null : startAt,
      aggregator_id: number?.aggregator_id ?? null,
      body: sending.plain,
      sent_body: withSuffix(sending.body, sending.suffix),
      sent_prefix: sending.prefix,
      sent_suffix: sending.suffix,
      is_personalized: sending.isPersonalized,
      segments,
      credits_each: isFree ? 0 : segments,
      going_count: summary.good,
      left_out_count: summary.total - reckoning.reached,
      credits_reserved: allCredits,
      credits_unfed: credits,
      next_feed_at: summary.good === 0 ? null : startAt,
    })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcast_id)
    .execute();
  await enqueue(trx, 'send_messages', {}, isAhead ? { runAt: new Date(startMs) } : {});
  await notify(trx, accountId, [
    { type: 'broadcasts.changed' },
    { type: 'broadcast.changed', BroadcastID: broadcast_id },
    { type: 'draft.changed', DraftBroadcastID: broadcast_id },
    ...(allCredits > 0 ? [{ type: 'credits.changed' as const }] : []),
  ]);
}
