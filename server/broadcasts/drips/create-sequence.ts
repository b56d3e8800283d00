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
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients } from '../draft/queries.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { findFieldNames } from '../preflight/find-missing.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { reckonSending } from '../preflight/reckon-sending.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import { notHere, requireSequence } from './queries.ts';
import { refuseUnlessStartable, stepName, withMessage } from './rules.ts';
import { nudgeSequence } from './run-sequences.ts';
import { insertSequence, replaceSteps, setSequence } from './write-sequence.ts';

type Form = Input<typeof definition>['body'];

/** What a campaign would cost with these people. Fields count as they are written, as in a draft that isn't merged. */
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

async function reckonSteps(trx: Trx, actor: Actor, sending: Sending, { textNumberId, steps }: Form) {
  const trial = { textNumberId: textNumberId ?? undefined };
  const { good } = await summarizeRecipients(trx, sending.accountId, sending.broadcast_id);
  const costs: { Segments: number; Credits: number }[] = [];
  for (const { message } of steps) {
    const step = { ...withMessage(sending, message), isPersonalized: false };
    const { messages, credits } = await reckonSending(trx, actor, step, trial);
    costs.push({ Segments: good === 0 ? 0 : messages / good, Credits: credits });
  }
  return {
    Credits: costs.reduce((sum, { Credits }) => sum + Credits, 0),
    Steps: costs,
    RecipientCount: good,
  };
}

/**
 * Starts a campaign. Its draft becomes the model that each step is made from; every step takes its own credits when it
 * goes out, but nobody starts what they can't pay for. Calling it twice starts it once.
 */
export async function createSequence(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof definition>,
): Promise<Reply<typeof definition>> {
  const sending = await readOwn(trx, actor, body.draftBroadcastId, true);
  const { total, good } = await summarizeRecipients(trx, sending.accountId, sending.broadcast_id);
  const reply = (SequenceID: number) => ({ SequenceID, metaData: { FailureCount: total - good } });
  if (sending.status !== 'draft') {
    if (sending.status !== 'model' || sending.sequence_id === null) throw notHere();
    return reply(sending.sequence_id);
  }
  const sequenceId = sending.sequence_id ?? (await insertSequence(trx, actor, sending.broadcast_id));
  refuseUnlessStartable({
    form: body,
    sending,
    zone: actor.timeZone,
    recipientCount: good,
    fieldNames: await findFieldNames(trx, sending.accountId, sending.broadcast_id),
  });
  await refuseUnlessUsable(trx, actor, body.textNumberId ?? 0);
  if (await isChangingRecipients(trx, actor.accountId, sending.broadcast_id))
    throw new Refusal('conflict', draftRefusals.adding);
  const available = (await lockCredits(trx, [actor.accountId])).get(actor.accountId) ?? 0;
  const { Credits } = await reckonSteps(trx, actor, sending, body);
  refuseUnlessPaid(Credits, available);
  await makeModel(trx, actor, sending, { ...body, total, good });
  const row = { account_id: actor.accountId, sequence_id: sequenceId };
  const locked = await trx
    .selectFrom('sequences')
    .selectAll()
    .where('account_id', '=', row.account_id)
    .where('sequence_id', '=', row.sequence_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await replaceSteps(trx, locked, startNow(body.steps), { zone: actor.timeZone });
  await setSequence(trx, row, {
    name: body.name.trim(),
    zone: actor.timeZone,
    status: 'running',
    started_at: now(),
  });
  await nudgeSequence(trx, row);
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }, { type: 'broadcasts.changed' }]);
  return reply((await requireSequence(trx, actor, sequenceId)).SequenceID);
}

/** A first step that doesn't wait is due right away. */
function startNow(steps: Form['steps']): Form['steps'] {
  return steps.map((step, index) =>
    index === 0 && !step.hasWait
      ? { ...step, date: '', time: '', startDate: new Date(nowMs()).toISOString() }
      : step,
  );
}

async function refuseUnlessUsable(trx: Trx, actor: Actor, textNumberId: number): Promise<void> {
  const number = await requireTextNumber(trx, actor, textNumberId);
  refuseUnlessCanText(number, now());
  if (!number.can_create_broadcast) throw refuseField('textNumberId', draftRefusals.notForBroadcasts);
}

/** States the minimum needed and the additional amount. */
function refuseUnlessPaid(credits: number, available: number): void {
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
  { name, textNumberId, steps, total, good }: Form & { total: number; good: number },
): Promise<void> {
  await trx
    .updateTable('broadcasts')
    .set({
      status: 'model',
      name: stepName(name.trim(), 1),
      text_number_id: textNumberId ?? null,
      body: steps[0]?.message ?? '',
      broadcast_type: 'SMS',
      merge_state: 'none',
      sent_by_user_id: actor.userId,
      confirmed_at: sql`now()`,
      updated_at: sql`now()`,
      going_count: good,
      left_out_count: total - good,
    })
    .where('account_id', '=', sending.accountId)
    .where('broadcast_id', '=', sending.broadcast_id)
    .execute();
}
