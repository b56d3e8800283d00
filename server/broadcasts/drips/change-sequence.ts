import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type {
  cancelSequence as cancelDefinition,
  pauseSequence as pauseDefinition,
  resumeSequence as resumeDefinition,
  SequenceFailure,
  stopSequenceRecipient as stopDefinition,
} from '../../../contract/sequences.ts';
import { now } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { cancelBroadcast } from '../feed/change-broadcast.ts';
import { lockBroadcast } from '../lock-broadcast.ts';
import { type LockedSequence, lockSequence, requireSequence, stepsOf } from './queries.ts';
import { endIfDone, nudgeSequence } from './run-sequences.ts';
import { setSequence } from './write-sequence.ts';

const over = 'This drip campaign has ended.';
const notStarted = 'This drip campaign hasn’t been started.';

export async function lockStarted(trx: Trx, actor: Actor, sequenceId: number): Promise<LockedSequence> {
  const row = await lockSequence(trx, actor, sequenceId);
  refuseUnlessStarted(row);
  return row;
}

export function refuseUnlessStarted(row: LockedSequence): void {
  if (row.status === 'draft') throw new Refusal('conflict', notStarted);
  if (row.status === 'completed' || row.status === 'canceled') throw new Refusal('conflict', over);
}

export async function tell(trx: Trx, actor: Actor, sequenceId: number) {
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }, { type: 'broadcasts.changed' }]);
  return requireSequence(trx, actor, sequenceId);
}

export async function pauseSequence(trx: Trx, actor: Actor, { params }: Input<typeof pauseDefinition>) {
  const row = await lockStarted(trx, actor, params.SequenceID);
  // The reason why a campaign paused by itself is still needed.
  if (row.status === 'running') await setSequence(trx, row, { status: 'paused', failure_code: null });
  return tell(trx, actor, row.sequence_id);
}

/** Reasons that end when somebody else is responsible for the campaign. */
const reasonsOfStarter: readonly (number | null)[] = [2003, 2004, 410] satisfies SequenceFailure[];

/**
 * A step that failed is tried again unless the user skips it; for steps that were missed meanwhile the user decides. If
 * it was paused because whoever started it may no longer do so, it goes on in the name of whoever resumes it.
 */
export async function resumeSequence(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof resumeDefinition>,
) {
  const row = await lockStarted(trx, actor, params.SequenceID);
  if (row.status === 'paused' && reasonsOfStarter.includes(row.failure_code))
    await setSequence(trx, row, { started_by_user_id: actor.userId });
  if (row.status === 'paused' && row.starts_on !== 'dates') {
    // People who were due meanwhile get one step now and the next at its time, never several at once.
    await setSequence(trx, row, { status: 'running', failure_code: null, next_at: now() });
    await enqueue(trx, 'run_courses', {});
  } else if (row.status === 'paused') {
    const { account_id, sequence_id } = row;
    if (body.Missed === 'skip') {
      await sql`update sequence_steps set state = 'skipped'
        where account_id = ${account_id} and sequence_id = ${sequence_id} and state = 'waiting'
          and start_at < now()`.execute(trx);
    }
    await sql`update sequence_steps set state = ${body.Failed === 'skip' ? 'skipped' : 'waiting'}, start_at = now(),
        sent_broadcast_id = null
      where account_id = ${account_id} and sequence_id = ${sequence_id} and state = 'failed'`.execute(trx);
    await setSequence(trx, row, { status: 'running', failure_code: null });
    await endIfDone(trx, row);
    await nudgeSequence(trx, row);
  }
  return tell(trx, actor, row.sequence_id);
}

/** Ends it, including the step that is being sent. */
export async function cancelSequence(trx: Trx, actor: Actor, { params }: Input<typeof cancelDefinition>) {
  const row = await lockStarted(trx, actor, params.SequenceID);
  const { account_id, sequence_id } = row;
  await sql`update broadcasts set deleted_at = now()
    where account_id = ${account_id} and sequence_id = ${sequence_id} and sequence_position is not null
      and status = 'draft' and deleted_at is null`.execute(trx);
  const { rows } = await sql<{ broadcast_id: number }>`
    select broadcast_id from broadcasts
    where account_id = ${account_id} and sequence_id = ${sequence_id} and sequence_position is not null
      and status in ('scheduled', 'broadcasting', 'paused') and deleted_at is null
    order by broadcast_id`.execute(trx);
  for (const { broadcast_id } of rows) {
    await cancelBroadcast(trx, actor, await lockBroadcast(trx, actor, broadcast_id));
    await notify(trx, account_id, [{ type: 'broadcast.changed', BroadcastID: broadcast_id }]);
  }
  await sql`update sequence_steps set state = 'skipped'
    where account_id = ${account_id} and sequence_id = ${sequence_id}
      and state in ('waiting', 'preparing', 'failed')`.execute(trx);
  await sql`delete from sequence_joins where account_id = ${account_id} and sequence_id = ${sequence_id}`.execute(
    trx,
  );
  await setSequence(trx, row, { status: 'canceled', failure_code: null, ended_at: now(), next_at: null });
  return tell(trx, actor, sequence_id);
}

/**
 * Ends the campaign for one person, including the step that is being sent if their text hasn't been created.
 */
export async function stopSequenceRecipient(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof stopDefinition>,
) {
  const { account_id, sequence_id, broadcast_id } = await lockStarted(trx, actor, params.SequenceID);
  const { rows } = await sql`
    insert into sequence_people (account_id, sequence_id, phone, recipient_id, joined_at, joined_day, state, ended_at)
    select r.account_id, ${sequence_id}, r.phone, r.recipient_id, now(), (now() at time zone 'UTC')::date, 'stopped', now()
    from broadcast_recipients r
    where r.account_id = ${account_id} and r.recipient_id = ${params.RecipientID} and r.problem is null
      and (r.broadcast_id = ${broadcast_id} or r.broadcast_id in (${stepsOf(account_id, sequence_id)}))
    on conflict (account_id, sequence_id, phone) do update
    set state = 'stopped', ended_at = now(), next_at = null
    where sequence_people.state in ('active', 'done')
    returning 1`.execute(trx);
  if (rows.length === 0) throw new Refusal('notFound', 'That person is no longer in this campaign.');
  await notify(trx, actor.accountId, [{ type: 'sequences.changed' }]);
  return {};
}
