import type { Input, Reply } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  addSequenceStep as addDefinition,
  previewSequenceStep as previewDefinition,
} from '../../../contract/sequences.ts';
import { lockCredits } from '../../billing/lock-credits.ts';
import type { Trx } from '../../db.ts';
import { recordEvents } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { readSending, type Sending } from '../draft/read-sending.ts';
import { lockStarted, refuseUnlessStarted, tell } from './change-sequence.ts';
import { reckonSteps, refuseUnlessPaid } from './create-sequence.ts';
import { type LockedSequence, readSequence, requireSequence } from './queries.ts';
import { type FormStep, type StepChange, startOfStep } from './rules.ts';
import { listFinished, readCourse, takeUpFinished } from './run-courses.ts';
import { nudgeSequence } from './run-sequences.ts';
import {
  hasGone,
  listStepRows,
  refuseUnlessGoesOn,
  refuseUnlessSeesPictures,
  replaceSteps,
  type StepRow,
  startsOf,
} from './write-sequence.ts';

type Added = Input<typeof addDefinition>['body'];

const written = ({ afterDays = null, ...added }: Added) => ({
  ...{ ...added, afterDays, hasWait: true, startDate: null },
});

const writtenRow = (row: StepRow): FormStep => ({
  message: row.body,
  date: row.date_text,
  time: row.time_text,
  hasWait: row.has_wait,
  mediaIds: row.media_ids,
  afterDays: row.after_days,
  startDate: row.start_at?.toISOString() ?? null,
});

/** Before the later steps, which have not been sent; in a campaign that people join, after all steps. */
function placeOf(rows: readonly StepRow[], added: FormStep, { starts_on, zone }: LockedSequence): number {
  const at = startOfStep(added, zone);
  if (starts_on !== 'dates' || at === null) return rows.length;
  const isLater = (row: StepRow) => !hasGone(row) && row.start_at !== null && row.start_at > at;
  return rows.findLastIndex((row) => !isLater(row)) + 1;
}

/**
 * Adds a step to a campaign that was started. On dates, everybody in it gets the step; it is refused if it
 * can't be paid together with the remaining steps. In a campaign that people join, those who are on their way
 * get it, and those who have finished if its day is still ahead for them: nobody gets it late.
 */
export async function addSequenceStep(trx: Trx, actor: Actor, { params, body }: Input<typeof addDefinition>) {
  const row = await lockStarted(trx, actor, params.SequenceID);
  const before = await listStepRows(trx, row);
  const added = written(body);
  const place = placeOf(before, added, row);
  const steps = before.map(writtenRow).toSpliced(place, 0, added);
  const isDated = row.starts_on === 'dates';
  const kept = before.map((one): StepChange => (isDated && hasGone(one) ? 'gone' : 'kept'));
  const sending = await judge(place, () =>
    refuseUnlessGoesOn(trx, row, {
      ...{ name: row.name, starts: startsOf(row), steps },
      changes: kept.toSpliced(place, 0, 'changed'),
    }),
  );
  await refuseUnlessSeesPictures(trx, actor, [added]);
  if (isDated) {
    const available = (await lockCredits(trx, [row.account_id])).get(row.account_id) ?? 0;
    const { RecipientCount: people } = await requireSequence(trx, actor, row.sequence_id);
    const left = { ...toCome(sending, before, added), people };
    const { Credits } = await reckonSteps(trx, actor, sending, left);
    refuseUnlessPaid(Credits, available);
  }
  // The steps after it move up by one position.
  const changes = steps.map((_, index) => (index < place ? 'kept' : 'changed'));
  await replaceSteps(trx, row, steps, { zone: row.zone, before, changes });
  if (!isDated) await takeUpFinished(trx, actor, row, place + 1);
  else if (row.status === 'running') await nudgeSequence(trx, row);
  await recordEvents(trx, actor, [
    { kind: 'sequence.updated', id: row.sequence_id, changes: { StepCount: [before.length, steps.length] } },
  ]);
  return tell(trx, actor, row.sequence_id);
}

/** The steps that haven't been paid yet, including the added one. A prepared step takes its credits when it is sent. */
function toCome(sending: Sending, before: readonly StepRow[], added: FormStep) {
  const steps = before.filter((row) => !hasGone(row) || row.state === 'preparing').map(writtenRow);
  return { textNumberId: sending.text_number_id, steps: [...steps, added] };
}

/** Errors of the added step are reported at its own fields: "date", not "steps.3.date". */
async function judge<T>(place: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    const fields = error.fields.map(({ Field, Message }) => ({
      Field: Field.replace(`steps.${place}.`, ''),
      Message,
    }));
    throw new Refusal('invalid', error.message, { fields });
  }
}

export async function previewSequenceStep(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof previewDefinition>,
): Promise<Reply<typeof previewDefinition>> {
  const row = await readSequence(trx, actor, params.SequenceID);
  refuseUnlessStarted(row);
  const before = await listStepRows(trx, row);
  const added = written(body);
  const sending = await readSending(trx, row.account_id, row.broadcast_id);
  const { credit_balance, credit_reserved } = await trx
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow();
  const available = credit_balance - credit_reserved;
  const place = { Position: placeOf(before, added, row) + 1, StepCount: before.length + 1 };
  if (row.starts_on === 'dates') {
    const { RecipientCount } = await requireSequence(trx, actor, row.sequence_id);
    const left = { ...toCome(sending, before, added), people: RecipientCount };
    const reckoned = await reckonSteps(trx, actor, sending, left);
    const own = reckoned.Steps.at(-1)?.Credits ?? 0;
    return {
      ...{ ...place, RecipientCount, FinishedCount: 0, PassedCount: 0, Credits: own },
      ...{ RemainingCredits: reckoned.Credits, AvailableCredits: available },
    };
  }
  const { rules } = await readCourse(trx, row);
  const finished = await listFinished(trx, actor, row, { step: added, rules });
  const sum = (some: typeof finished) => some.reduce((people, one) => people + one.people, 0);
  const FinishedCount = sum(finished.filter(({ at }) => at !== undefined));
  const PassedCount = sum(finished.filter(({ at }) => at === undefined));
  const active = await countActive(trx, row);
  const { CreditsEach } = await reckonSteps(trx, actor, sending, toCome(sending, [], added));
  const Credits = CreditsEach * (active + FinishedCount);
  return {
    ...{ ...place, RecipientCount: active, FinishedCount, PassedCount, Credits, RemainingCredits: Credits },
    AvailableCredits: available,
  };
}

async function countActive(trx: Trx, { account_id, sequence_id }: LockedSequence): Promise<number> {
  const { people } = await trx
    .selectFrom('sequence_people')
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .where('account_id', '=', account_id)
    .where('sequence_id', '=', sequence_id)
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
  return people;
}
