import { sql } from 'kysely';
import type { Input, Reply } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { checkCredits } from '../../../contract/money/credit-check.ts';
import type {
  calculateSequenceCredits as calculateDefinition,
  createSequence as definition,
} from '../../../contract/sequences.ts';
import { lockCredits } from '../../billing/lock-credits.ts';
import { now, nowMs } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients } from '../draft/queries.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { setLinkBase } from '../links/keep-links.ts';
import { stepName } from '../name-broadcast.ts';
import { findFieldNames } from '../preflight/find-missing.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { commonSegments, reckonSending } from '../preflight/reckon-sending.ts';
import { requireLists } from '../recipients/find-candidates.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { lockSequence, notHere, requireSequence } from './queries.ts';
import { refuseUnlessStartable, type Starts, startsAfter, withStep } from './rules.ts';
import { beginCourses } from './run-courses.ts';
import { nudgeSequence } from './run-sequences.ts';
import {
  insertSequence,
  refuseUnlessSeesPictures,
  refuseUnlessUsable,
  replaceSteps,
  setSequence,
  startsOf,
} from './write-sequence.ts';

type Form = Input<typeof definition>['body'];

/**
 * The cost of a campaign with these people. Fields count as they are written, as in a draft that isn't
 * merged.
 */
export async function calculateSequenceCredits(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof calculateDefinition>,
): Promise<Reply<typeof calculateDefinition>> {
  const sending = await readOwn(trx, actor, body.draftBroadcastId);
  return reckonSteps(trx, actor, sending, body);
}

async function readOwn(trx: Trx, actor: Actor, broadcastId: number, isHeld = false): Promise<Sending> {
  const sending = await readSending(trx, actor.accountId, broadcastId, { isHeld });
  if (!actor.canSeeAllBroadcasts && sending.user_id !== actor.userId) throw notHere();
  return sending;
}

/**
 * The people, the number and the price of a text are queried once, whatever the number of steps. For a running campaign,
 * the caller says how many people are left in it.
 */
export async function reckonSteps(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  { textNumberId, steps, people }: Pick<Form, 'textNumberId' | 'steps'> & { people?: number },
) {
  const plain = { ...sending, isPersonalized: false };
  const { isFree, summary } = await reckonSending(trx, actor, plain, {
    textNumberId: textNumberId ?? undefined,
  });
  const count = people ?? summary.good;
  const costs = steps.map((step) => {
    const segments = commonSegments({ ...withStep(sending, step), isPersonalized: false });
    return { Segments: segments, Credits: isFree ? 0 : segments * count };
  });
  return {
    Credits: costs.reduce((sum, { Credits }) => sum + Credits, 0),
    CreditsEach: isFree ? 0 : costs.reduce((sum, { Segments }) => sum + Segments, 0),
    Steps: costs,
    RecipientCount: count,
  };
}

/**
 * Starts a campaign. Its draft becomes the model that each step is created from; every step uses its own
 * credits when it is sent, but a campaign that can't be paid for is refused. Calling it twice starts it once.
 */
export async function createSequence(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
  publicUrl: string,
): Promise<Reply<typeof definition>> {
  let sending = await readOwn(trx, actor, body.draftBroadcastId, true);
  const { total, good, leftOut } = await summarizeRecipients(trx, sending.accountId, sending.broadcast_id);
  // People who were removed by hand are not missed.
  const failures = total - good - (leftOut.excluded ?? 0);
  const reply = (SequenceID: number) => ({ SequenceID, metaData: { FailureCount: failures } });
  if (sending.status !== 'draft') {
    if (sending.status !== 'model' || sending.sequence_id === null) throw notHere();
    return reply(sending.sequence_id);
  }
  if (body.shortenLinks !== undefined && body.shortenLinks !== (sending.link_base !== null)) {
    const of = { accountId: actor.accountId, broadcastId: sending.broadcast_id };
    await setLinkBase(trx, of, { isOn: body.shortenLinks, publicUrl });
    sending = await readOwn(trx, actor, body.draftBroadcastId, true);
  }
  const sequenceId = sending.sequence_id ?? (await insertSequence(trx, actor, sending.broadcast_id));
  const locked = await lockSequence(trx, actor, sequenceId);
  const starts = startsAfter(startsOf(locked), body);
  const isRelative = starts.starts_on !== 'dates';
  refuseUnlessStartable({
    form: body,
    starts,
    sending,
    zone: actor.timeZone,
    recipientCount: good,
    fieldNames: await findFieldNames(trx, sending.accountId, sending.broadcast_id),
  });
  await refuseUnlessUsable(trx, actor, body.textNumberId ?? 0);
  await refuseUnlessSeesPictures(trx, actor, body.steps);
  if (await isChangingRecipients(trx, actor.accountId, sending.broadcast_id))
    throw new Refusal('conflict', draftRefusals.adding);
  if (isRelative) await refuseUnlessStartsHere(trx, actor, starts);
  else {
    const available = (await lockCredits(trx, [actor.accountId])).get(actor.accountId) ?? 0;
    refuseUnlessPaid((await reckonSteps(trx, actor, sending, body)).Credits, available);
  }
  await makeModel(trx, actor, sending, { ...body, good, failures });
  const steps = isRelative ? body.steps : startNow(body.steps);
  await replaceSteps(trx, locked, steps, { zone: actor.timeZone });
  await setSequence(trx, locked, {
    ...starts,
    name: body.name.trim(),
    zone: actor.timeZone,
    status: 'running',
    started_at: now(),
    started_by_user_id: actor.userId,
  });
  if (isRelative) await beginCourses(trx, actor, { ...locked, ...starts, zone: actor.timeZone });
  else await nudgeSequence(trx, locked);
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }, { type: 'broadcasts.changed' }]);
  return isRelative
    ? { SequenceID: sequenceId, metaData: { FailureCount: 0 } }
    : reply((await requireSequence(trx, actor, sequenceId)).SequenceID);
}

/** The group or keyword that begins it exists, and this actor may see it. */
async function refuseUnlessStartsHere(
  trx: Trx,
  actor: Actor,
  { group_id, keyword_id }: Starts,
): Promise<void> {
  if (group_id !== null) await requireLists(trx, actor, [group_id]);
  if (keyword_id === null) return;
  const keyword = await trx
    .selectFrom('keywords')
    .select('keyword_id')
    .where('account_id', '=', actor.accountId)
    .where('keyword_id', '=', keyword_id)
    .executeTakeFirst();
  if (keyword === undefined) throw refuseField('keywordId', 'That keyword is no longer here.');
}

/** A first step that doesn't wait is due right away. */
function startNow(steps: Form['steps']): Form['steps'] {
  return steps.map((step, index) =>
    index === 0 && !step.hasWait
      ? { ...step, date: '', time: '', startDate: new Date(nowMs()).toISOString() }
      : step,
  );
}

/** States the minimum needed and the additional amount. */
export function refuseUnlessPaid(credits: number, available: number): void {
  const { isEnough, needed, missing } = checkCredits(credits, available);
  if (isEnough) return;
  throw new Refusal('notEnoughCredits', undefined, {
    extendedData: {
      MinCallUnitsRequired: needed,
      AvailableCallUnits: available,
      AdditionalCallUnits: missing,
    },
  });
}

async function makeModel(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  { name, textNumberId, steps, good, failures }: Form & { good: number; failures: number },
): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({
      status: 'model',
      name: stepName(name.trim(), 1, actor.languageId),
      text_number_id: textNumberId ?? null,
      body: steps[0]?.message ?? '',
      broadcast_type: 'SMS',
      merge_state: 'none',
      sent_by_user_id: actor.userId,
      confirmed_at: sql`now()`,
      updated_at: sql`now()`,
      going_count: good,
      left_out_count: failures,
    })
    .where('account_id', '=', sending.accountId)
    .where('broadcast_id', '=', sending.broadcast_id)
    .execute();
}
