/**
 * Drip campaigns. A step of a running campaign is due at its start_at, after the one before it. It becomes a row of
 * broadcasts with its sequence_id and sequence_position, made from the campaign's model:
 *
 *   waiting ──▶ preparing ──▶ sent      its people are added, the text is merged, the same Send as by hand
 *                   └───────▶ failed    it couldn't be sent: the campaign is paused with the reason
 *
 * The step's state changes in the transaction that creates the broadcast, so it is created once, whatever the
 * number of workers.
 */

import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import type { SequenceFailure } from '../../../contract/sequences.ts';
import { hasPersonalizedFields } from '../../../contract/text/personalized-fields.ts';
import { findActiveActor } from '../../access/load-actor.ts';
import { may } from '../../access/refuse-unless.ts';
import { nowMs } from '../../clock.ts';
import { asSystem, type Database, isDatabaseDown, type Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import type { Log } from '../../log.ts';
import { pictureGone } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import { recordEvents } from '../../record-events.ts';
import type { NudgedWork } from '../../run-once.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients } from '../draft/queries.ts';
import { sendBroadcast } from '../feed/send-broadcast.ts';
import { stepName } from '../name-broadcast.ts';
import { draftRefusals } from '../preflight/judge-draft.ts';
import { addPeople, isMerged } from '../repeating/run-repeating.ts';
import { type Found, requireMaker, runFound } from '../run-found.ts';
import { dropIfNobody, excludeStopped, putBack } from './exclude-stopped.ts';

const atOnce = 50;

export function createSequenceWork(parts: { database: Database; log: Log }): NudgedWork {
  return runFound({ ...parts, failed: 'a step of a drip campaign failed unexpectedly' }, [
    { find: findDue, run: makeStep },
    { find: findPrepared, run: sendStep },
  ]);
}

/** Steps that are due, of campaigns in which none is being prepared. */
export const dueSequences = sql`
  select s.account_id, s.sequence_id as id from sequence_steps s
  join sequences q on q.account_id = s.account_id and q.sequence_id = s.sequence_id and q.status = 'running'
    and q.starts_on = 'dates' and q.deleted_at is null
  where s.state = 'waiting' and s.start_at <= now() and not exists (
    select from sequence_steps e where e.account_id = s.account_id and e.sequence_id = s.sequence_id
      and e.state in ('preparing', 'failed'))`;

async function findDue(database: Database): Promise<Found[]> {
  const { rows } = await asSystem(database, (trx) =>
    sql<Found>`select distinct account_id, id from (${dueSequences}) due limit ${atOnce}`.execute(trx),
  );
  return rows;
}

/**
 * Steps that wait to be sent. Those of paused campaigns wait longer, and must not keep the others from being
 * found.
 */
export const preparedSteps = sql`
  select b.account_id, b.broadcast_id as id from broadcasts b
  join sequences q on q.account_id = b.account_id and q.sequence_id = b.sequence_id and q.status = 'running'
    and q.deleted_at is null
  where b.status = 'draft' and b.sequence_position is not null and b.deleted_at is null`;

async function findPrepared(database: Database): Promise<Found[]> {
  const { rows } = await asSystem(database, (trx) =>
    // The oldest first: whoever is in two of them gets the earlier step first.
    sql<Found>`${preparedSteps} order by b.broadcast_id limit ${atOnce}`.execute(trx),
  );
  return rows;
}

/** A job for the minute of its next step; the check every second would find it too. */
export async function nudgeSequence(
  trx: Trx,
  { account_id, sequence_id }: { account_id: number; sequence_id: number },
): Promise<void> {
  const next = await trx
    .selectFrom('sequence_steps')
    .select(({ fn }) => fn.min('start_at').as('at'))
    .where('account_id', '=', account_id)
    .where('sequence_id', '=', sequence_id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (!next?.at) return;
  await enqueue(
    trx,
    'run_sequences',
    {},
    { runAt: next.at, key: `run_sequences ${account_id} ${sequence_id}` },
  );
}

export async function lockRunning(trx: Trx, accountId: number, sequenceId: number) {
  return trx
    .selectFrom('sequences')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sequence_id', '=', sequenceId)
    .where('status', '=', 'running')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}
export type Running = NonNullable<Awaited<ReturnType<typeof lockRunning>>>;

/** A step that is due. */
export interface StepToSend {
  position: number;
  body: string;
  media_ids: number[];
}

/**
 * Creates the broadcast of the step that is due. False if another worker has it, or it was paused in the
 * meantime.
 */
async function makeStep(trx: Trx, accountId: number, sequenceId: number): Promise<boolean> {
  const sequence = await lockRunning(trx, accountId, sequenceId);
  if (sequence === undefined) return false;
  const { rows } = await sql<StepToSend>`
    select s.position, s.body, s.media_ids from sequence_steps s
    where s.account_id = ${accountId} and s.sequence_id = ${sequenceId} and s.state = 'waiting' and s.start_at <= now()
      and not exists (
        select from sequence_steps e where e.account_id = s.account_id and e.sequence_id = s.sequence_id
          and (e.state in ('preparing', 'failed') or (e.state = 'waiting' and e.position < s.position)))
    order by s.position limit 1`.execute(trx);
  const [step] = rows;
  if (step === undefined) return false;
  await orFailure(trx, sequence, step.position, async () => {
    const { broadcastId, maker } = await copyModel(trx, sequence, step);
    // Groups and segments are evaluated again, and everybody is checked again.
    await addPeople(trx, maker, { modelId: sequence.broadcast_id, broadcastId });
    await sql`update sequence_steps set state = 'preparing', sent_broadcast_id = ${broadcastId}
      where account_id = ${accountId} and sequence_id = ${sequenceId} and position = ${step.position}`.execute(
      trx,
    );
  });
  await notify(trx, accountId, [{ type: 'sequences.changed' }]);
  return true;
}

/** If it is refused, everything is rolled back, the step has failed, and the campaign is paused with the reason. */
export async function orFailure<T>(
  trx: Trx,
  sequence: Running,
  position: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await sql`savepoint before_step`.execute(trx);
  try {
    return await work();
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    await sql`rollback to savepoint before_step`.execute(trx);
    const { account_id, sequence_id } = sequence;
    const code = failureCode(error);
    // Cases without a specific code: the carriers' daily limit, a blocked number, a deleted field.
    const reason = code === 101 && error instanceof Refusal ? error.message : '';
    // In a campaign that people join, the step is still to come for others.
    await sql`update sequence_steps set state = 'failed'
      where account_id = ${account_id} and sequence_id = ${sequence_id} and position = ${position}
        and ${sequence.starts_on === 'dates'}`.execute(trx);
    await sql`update sequences set status = 'paused', failure_code = ${code}, failure_reason = ${reason}, updated_at = now()
      where account_id = ${account_id} and sequence_id = ${sequence_id}`.execute(trx);
    await recordEvents(trx, { accountId: account_id }, [
      { kind: 'sequence.failed', id: sequence_id, changes: { ErrorCode: code, Position: position } },
    ]);
    await notify(trx, account_id, [{ type: 'sequences.changed' }]);
    return undefined;
  }
}

const numberGone = 'That text number is no longer here.';
/** The trigger of a campaign that people join. */
export const groupGone = 'The group that begins this campaign is no longer here.';

/** Of the user who started it, or of the whole account. */
const notAllowed = 'Drip campaigns are no longer allowed here.';

function failureCode(error: unknown): SequenceFailure {
  if (!(error instanceof Refusal)) return 101;
  if (error.kind === 'notEnoughCredits') return 4100;
  if (error.message === draftRefusals.nobody) return 404;
  if (error.message === groupGone) return 405;
  if (error.message === pictureGone) return 415;
  if (error.message === numberGone) return 410;
  if (error.message === notAllowed) return 2004;
  return error.kind === 'forbidden' ? 2003 : 101;
}

/**
 * The user who started it, or resumed it in their place, if still active and still allowed to use the number. Otherwise
 * forbidden.
 */
export async function requireStarter(
  trx: Trx,
  campaign: Running,
  textNumberId: number | null,
): Promise<Actor> {
  const { account_id: accountId } = campaign;
  const userId = starterOf(campaign);
  const here = await trx
    .selectFrom('text_numbers')
    .select('text_number_id')
    .where('account_id', '=', accountId)
    .where('text_number_id', '=', textNumberId)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (here === undefined) throw new Refusal('refused', numberGone);
  const starter = await findActiveActor(trx, accountId, userId);
  if (starter !== undefined && !may(starter, 'createDripCampaign')) throw new Refusal('refused', notAllowed);
  return requireMaker(trx, accountId, { userId, capability: 'createDripCampaign', textNumberId });
}

/** The draft's owner in a campaign that hasn't been started. */
export const starterOf = ({ started_by_user_id, user_id }: Running) => started_by_user_id ?? user_id;

/**
 * Copies the model into a draft with the step's words and picture, without its people. It belongs to the campaign's
 * owner, and is sent by whoever started it.
 */
export async function copyModel(
  trx: Trx,
  campaign: Running,
  { position, body, media_ids }: StepToSend,
): Promise<{ broadcastId: number; maker: Actor }> {
  const { account_id, sequence_id, broadcast_id, user_id, name, starts_on } = campaign;
  const { text_number_id } = await trx
    .selectFrom('broadcasts')
    .select('text_number_id')
    .where('account_id', '=', account_id)
    .where('broadcast_id', '=', broadcast_id)
    .executeTakeFirstOrThrow();
  const maker = await requireStarter(trx, campaign, text_number_id);
  const { rows } = await sql<{ broadcast_id: number }>`
    insert into broadcasts
      (account_id, user_id, name, broadcast_type, status, text_number_id, body, media_ids, link_base, keep_characters,
      include_signature, start_option, per_minute, wizard_step, sequence_id, sequence_position, merge_state,
      accepts_missing, is_archived)
    select account_id, ${user_id}, ${stepName(name, position, maker.languageId)}, 'SMS', 'draft', text_number_id, ${body},
      ${media_ids}::bigint[], link_base, keep_characters, include_signature, 'START_IMMEDIATELY', per_minute, 4, ${sequence_id},
      ${position}, ${hasPersonalizedFields(body) ? 'running' : 'none'},
      -- Nobody is there to correct a text: people without a value get it with a gap rather than not at all.
      true,
      -- People who join one by one create many small broadcasts, which would crowd out the others in the
      -- list.
      ${starts_on !== 'dates'}
    from broadcasts where account_id = ${account_id} and broadcast_id = ${broadcast_id}
    returning broadcast_id`.execute(trx);
  return { broadcastId: rows[0]?.broadcast_id ?? 0, maker };
}

/**
 * Sends a step as soon as all its people are added and its text is merged with them. False while that is in
 * progress, or when another worker has it.
 */
async function sendStep(trx: Trx, accountId: number, broadcastId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('broadcasts')
    .select(['sequence_id', 'sequence_position', 'text_number_id'])
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .where('status', '=', 'draft')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined || row.sequence_id === null || row.sequence_position === null) return false;
  // First the campaign, then its broadcast: the same order as in canceling.
  const sequence = await lockRunning(trx, accountId, row.sequence_id);
  if (sequence === undefined) return false;
  if (await isChangingRecipients(trx, accountId, broadcastId)) return false;
  await excludeStopped(trx, sequence, broadcastId);
  if (!(await isMerged(trx, accountId, broadcastId))) return false;
  // Of a set of few, everybody may have replied or opted out since it was made.
  if (sequence.starts_on !== 'dates' && (await dropIfNobody(trx, accountId, broadcastId))) {
    await notify(trx, accountId, [{ type: 'sequences.changed' }]);
    return true;
  }
  const { sequence_position: position, text_number_id: textNumberId } = row;
  const sent = await orFailure(trx, sequence, position, async () => {
    const maker = await requireStarter(trx, sequence, textNumberId);
    await sendBroadcast(trx, maker, broadcastId, { startsAt: new Date(nowMs()) });
    await recordEvents(trx, { accountId }, [{ kind: 'broadcast.sent', id: broadcastId }]);
    return true;
  });
  if (sent === undefined) {
    if (sequence.starts_on !== 'dates') await putBack(trx, sequence, { broadcastId, position });
    await sql`update broadcasts set deleted_at = now()
      where account_id = ${accountId} and broadcast_id = ${broadcastId}`.execute(trx);
    return true;
  }
  if (sequence.starts_on === 'dates') {
    await sql`update sequence_steps set state = 'sent'
      where account_id = ${accountId} and sequence_id = ${sequence.sequence_id} and position = ${position}`.execute(
      trx,
    );
    await endIfDone(trx, sequence);
    await nudgeSequence(trx, sequence);
  }
  await notify(trx, accountId, [{ type: 'sequences.changed' }]);
  return true;
}

/** A campaign is over when none of its steps is left. */
export async function endIfDone(
  trx: Trx,
  { account_id, sequence_id }: { account_id: number; sequence_id: number },
): Promise<void> {
  await sql`update sequences q set status = 'completed', ended_at = now(), updated_at = now()
    where q.account_id = ${account_id} and q.sequence_id = ${sequence_id} and q.status = 'running' and not exists (
      select from sequence_steps s where s.account_id = q.account_id and s.sequence_id = q.sequence_id
        and s.state in ('waiting', 'preparing', 'failed'))`.execute(trx);
}
