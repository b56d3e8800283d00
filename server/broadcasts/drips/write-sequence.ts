import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { noName } from '../../../contract/forms/drip.ts';
import type {
  deleteSequence as deleteDefinition,
  listSequences as listDefinition,
  SequenceStart,
  updateSequence as updateDefinition,
} from '../../../contract/sequences.ts';
import { refuseUnlessInScope } from '../../access/refuse-unless.ts';
import { now } from '../../clock.ts';
import { readCursor, writeCursor } from '../../cursor.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessSeesMedia } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText } from '../../numbers/rules.ts';
import { likeText } from '../../search-text.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { keepForm } from '../draft/update-draft.ts';
import { setLinkBase } from '../links/keep-links.ts';
import { findFieldNames } from '../preflight/find-missing.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { summarizeRecipients } from '../recipients/summarize-recipients.ts';
import {
  type LockedSequence,
  listSequenceRows,
  lockSequence,
  readStepsVersion,
  requireSequence,
} from './queries.ts';
import {
  type FormStep,
  refuseUnlessStartable,
  type Starts,
  type StepChange,
  startOfStep,
  startsAfter,
} from './rules.ts';
import { retimePeople, takeUpFinished } from './run-courses.ts';
import { endIfDone, nudgeSequence } from './run-sequences.ts';

/** A campaign that is being written, with a draft that contains its people. */
export async function beginSequence(trx: Trx, actor: Actor) {
  const broadcastId = await beginDraft(trx, actor, { BroadcastType: 'SMS' });
  return requireSequence(trx, actor, await insertSequence(trx, actor, broadcastId));
}

/** Turns a draft into the draft of a campaign. */
export async function insertSequence(trx: Trx, actor: Actor, broadcastId: number): Promise<number> {
  const { sequence_id } = await trx
    .insertInto('sequences')
    .values({
      account_id: actor.accountId,
      broadcast_id: broadcastId,
      user_id: actor.userId,
      zone: actor.timeZone,
    })
    .returning('sequence_id')
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('broadcasts')
    .set({ sequence_id })
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'broadcasts.changed' }]);
  return sequence_id;
}

export async function listSequences(trx: Trx, actor: Actor, { query }: Input<typeof listDefinition>) {
  const after = query.next === undefined ? undefined : readCursor(query.next);
  const rows = await listSequenceRows(trx, actor, {
    conditions: [
      ...(query.q === '' ? [] : [sql`lower(q.name) like ${likeText(query.q)}`]),
      ...(after === undefined
        ? []
        : [sql`(q.created_at, q.sequence_id) < (${after.at}::timestamptz, ${after.id}::bigint)`]),
    ],
    most: query.pagesize + 1,
    offset: after === undefined ? (query.page - 1) * query.pagesize : 0,
  });
  const kept = rows.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: kept.map(({ item }) => item),
    Next:
      rows.length > query.pagesize && last !== undefined
        ? writeCursor({ at: last.at, id: last.item.SequenceID })
        : null,
  };
}

/** The dialog shows this, and keeps what was typed. */
export const changedMeanwhile =
  'Somebody else changed the steps of this drip campaign in the meantime. Copy what you wrote, then open the step again.';

/** Saves an incomplete draft; for a campaign that was started, checks the changes. */
export async function updateSequence(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
  publicUrl: string,
) {
  const row = await lockSequence(trx, actor, params.SequenceID);
  if (row.status === 'completed' || row.status === 'canceled')
    throw new Refusal('conflict', 'This drip campaign has ended.');
  const { account_id, sequence_id } = row;
  if (
    body.stepsVersion !== undefined &&
    body.stepsVersion !== (await readStepsVersion(trx, account_id, sequence_id))
  )
    throw new Refusal('conflict', changedMeanwhile);
  const { shortenLinks: isOn } = body;
  const of = { accountId: actor.accountId, broadcastId: row.broadcast_id };
  if (isOn !== undefined) await setLinkBase(trx, of, { isOn, publicUrl });
  if (row.status !== 'draft') refuseUnlessInScope(actor, 'broadcasts:send');
  if (row.status !== 'draft') await changeStarted(trx, actor, row, body);
  else {
    if (body.textNumberId !== undefined)
      await keepForm(trx, actor, row.broadcast_id, { TextNumberID: body.textNumberId });
    if (body.steps !== undefined) {
      await refuseUnlessSeesPictures(trx, actor, body.steps);
      await replaceSteps(trx, row, body.steps, { zone: actor.timeZone });
    }
    await setSequence(trx, row, {
      ...startsAfter(startsOf(row), body),
      zone: actor.timeZone,
      name: body.name ?? row.name,
    });
  }
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }]);
  return requireSequence(trx, actor, row.sequence_id);
}

async function changeStarted(
  trx: Trx,
  actor: Actor,
  row: LockedSequence,
  body: Input<typeof updateDefinition>['body'],
): Promise<void> {
  const { name = row.name, steps } = body;
  if (name.trim() === '') throw refuseField('name', noName);
  if (body.textNumberId !== undefined) await moveToNumber(trx, actor, row, body.textNumberId);
  const starts = startsAfter(startsOf(row), body);
  const isSame = (['starts_on', 'group_id', 'keyword_id', 'includes_members'] as const).every(
    (key) => starts[key] === row[key],
  );
  if (!isSame)
    throw new Refusal(
      'conflict',
      'A campaign that was started keeps its group or keyword, and whether it includes earlier members.',
    );
  if (steps !== undefined) {
    const before = await listStepRows(trx, row);
    const isDated = starts.starts_on === 'dates';
    if (isDated) refuseChangesOfGone(before, steps);
    const changes = steps.map((step, index) => changeOf(before[index], step, isDated));
    if (!isDated && steps.length < before.length)
      throw new Refusal('conflict', 'People are on their way through these steps, so none can be removed.');
    await refuseUnlessGoesOn(trx, row, { name, starts, steps, changes });
    await refuseUnlessSeesPictures(
      trx,
      actor,
      steps.filter((_, index) => isWritten(changes[index])),
    );
    await replaceSteps(trx, row, steps, { zone: row.zone, before, changes });
    if (!isDated)
      for (const index of steps.keys())
        if (index >= before.length) await takeUpFinished(trx, actor, row, index + 1);
  }
  await setSequence(trx, row, { ...starts, name });
  if (starts.starts_on !== 'dates') await retimePeople(trx, row.account_id, row.sequence_id);
  else if (row.status === 'running') {
    // The steps that were still to come may have been removed.
    await endIfDone(trx, row);
    await nudgeSequence(trx, row);
  }
}

/** The number can send broadcasts, and this actor may use it. */
export async function refuseUnlessUsable(trx: Trx, actor: Actor, textNumberId: number): Promise<void> {
  const number = await requireTextNumber(trx, actor, textNumberId);
  refuseUnlessCanText(number, now());
  if (!number.can_create_broadcast) throw refuseField('textNumberId', draftRefusals.notForBroadcasts);
}

/** A paused campaign goes on from another number, also with a step that was prepared. */
async function moveToNumber(
  trx: Trx,
  actor: Actor,
  { account_id, sequence_id, broadcast_id, status }: LockedSequence,
  textNumberId: number | null,
): Promise<void> {
  if (status !== 'paused')
    throw new Refusal('conflict', 'Pause this campaign before you change its text number.');
  await refuseUnlessUsable(trx, actor, textNumberId ?? 0);
  await sql`
    update broadcasts set text_number_id = ${textNumberId}
    where account_id = ${account_id} and (broadcast_id = ${broadcast_id}
      or (sequence_id = ${sequence_id} and sequence_position is not null and status = 'draft' and deleted_at is null))`.execute(
    trx,
  );
}

/** Checks the changed steps of a campaign that was started, and returns its sending data. */
export async function refuseUnlessGoesOn(
  trx: Trx,
  row: LockedSequence,
  {
    name,
    ...judged
  }: { name: string; starts: Starts; steps: readonly FormStep[]; changes: readonly StepChange[] },
): Promise<Sending> {
  const sending = await readSending(trx, row.account_id, row.broadcast_id);
  const { steps, starts, changes } = judged;
  refuseUnlessStartable({
    form: { name, textNumberId: sending.text_number_id, steps },
    ...{ starts, sending, changes },
    zone: row.zone,
    recipientCount: (await summarizeRecipients(trx, row.account_id, row.broadcast_id)).good,
    fieldNames: await findFieldNames(trx, row.account_id, row.broadcast_id),
  });
  return sending;
}

export type StepRow = Awaited<ReturnType<typeof listStepRows>>[number];

export const hasGone = ({ state }: StepRow) => state !== 'waiting' && state !== 'failed';
const hasSameWords = (row: StepRow, { message, mediaIds }: FormStep) =>
  message === row.body && String(mediaIds) === String(row.media_ids);
const hasSameTime = (row: StepRow, { hasWait, date, time, afterDays }: FormStep) =>
  hasWait === row.has_wait &&
  (!hasWait || (date === row.date_text && time === row.time_text && (afterDays ?? null) === row.after_days));

/** Refuses when a sent step was changed: the page may not know yet that it was sent. */
function refuseChangesOfGone(before: StepRow[], steps: readonly FormStep[]): void {
  for (const row of before.filter(hasGone)) {
    const step = steps[row.position - 1];
    const isSame = step !== undefined && hasSameWords(row, step) && (!row.has_wait || hasSameTime(row, step));
    if (!isSame) throw new Refusal('conflict', goneRefusal(row.position));
  }
}

function changeOf(row: StepRow | undefined, step: FormStep, isDated: boolean): StepChange {
  if (row === undefined || !hasSameTime(row, step)) return 'changed';
  if (isDated && hasGone(row)) return 'gone';
  return hasSameWords(row, step) ? 'kept' : 'reworded';
}

const isWritten = (change: StepChange | undefined) => change === 'changed' || change === 'reworded';

export const goneRefusal = (position: number) =>
  `Step ${position} has gone out or is going out now, so it can’t be changed any more.`;

/** The part of a row with the campaign's trigger. */
export function startsOf(row: LockedSequence): Starts {
  const { starts_on, group_id, keyword_id, includes_members, skips_weekends, stops_on_reply } = row;
  return {
    ...{ starts_on: starts_on as SequenceStart, group_id, keyword_id },
    ...{ includes_members, skips_weekends, stops_on_reply },
  };
}

export function refuseUnlessSeesPictures(trx: Trx, actor: Actor, steps: readonly FormStep[]): Promise<void> {
  return refuseUnlessSeesMedia(
    trx,
    actor,
    steps.flatMap(({ mediaIds }) => mediaIds),
  );
}

export function listStepRows(trx: Trx, { account_id, sequence_id }: LockedSequence) {
  return trx
    .selectFrom('sequence_steps')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('sequence_id', '=', sequence_id)
    .orderBy('position')
    .execute();
}

interface Replaced {
  zone: string;
  /** For a campaign that was started: its steps so far, and the change of each. */
  before?: readonly StepRow[];
  changes?: readonly StepChange[];
}

/**
 * Sent or unchanged steps stay as they are. One that failed and keeps its time is still to be tried again.
 */
export async function replaceSteps(
  trx: Trx,
  { account_id, sequence_id }: LockedSequence,
  steps: readonly FormStep[],
  { zone, before = [], changes = [] }: Replaced,
): Promise<void> {
  const rows = steps.flatMap((step, index) =>
    isWritten(changes[index] ?? 'changed')
      ? [
          {
            account_id,
            sequence_id,
            position: index + 1,
            body: step.message,
            has_wait: step.hasWait,
            date_text: step.date,
            time_text: step.time,
            // A step that goes out right away has no date to read its time from.
            start_at:
              changes[index] === 'reworded' ? (before[index]?.start_at ?? null) : startOfStep(step, zone),
            after_days: step.afterDays ?? null,
            media_ids: step.mediaIds,
            state: changes[index] === 'reworded' ? (before[index]?.state ?? 'waiting') : 'waiting',
          },
        ]
      : [],
  );
  await sql`delete from sequence_steps
    where account_id = ${account_id} and sequence_id = ${sequence_id}
      and (position > ${steps.length} or position = any(${rows.map(({ position }) => position)}::int[]))`.execute(
    trx,
  );
  if (rows.length > 0) await trx.insertInto('sequence_steps').values(rows).execute();
}

export async function setSequence(
  trx: Trx,
  { account_id, sequence_id }: Pick<LockedSequence, 'account_id' | 'sequence_id'>,
  change: Partial<
    Pick<
      LockedSequence,
      | 'name'
      | 'zone'
      | 'status'
      | 'failure_code'
      | 'started_at'
      | 'started_by_user_id'
      | 'ended_at'
      | 'next_at'
    >
  > &
    Partial<Starts>,
): Promise<void> {
  await trx
    .updateTable('sequences')
    .set({ ...change, updated_at: sql`now()` })
    .where('account_id', '=', account_id)
    .where('sequence_id', '=', sequence_id)
    .execute();
}

export async function deleteSequence(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const row = await lockSequence(trx, actor, params.SequenceID);
  if (row.status === 'running' || row.status === 'paused')
    throw new Refusal('conflict', 'Cancel this drip campaign before you delete it.');
  await sql`update sequences set deleted_at = now()
    where account_id = ${row.account_id} and sequence_id = ${row.sequence_id}`.execute(trx);
  await sql`update broadcasts set deleted_at = now()
    where account_id = ${row.account_id} and broadcast_id = ${row.broadcast_id} and deleted_at is null`.execute(
    trx,
  );
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }]);
  return {};
}
