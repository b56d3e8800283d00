import { type Kysely, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { prepared } from '../prepared.ts';
import type { DB } from '../schema.types.ts';
import type { BegunCall } from './begin-attempt.ts';
import { doubtPauseSeconds } from './rules.ts';

type Key = Pick<BegunCall, 'accountId' | 'callId' | 'attempt'>;

/**
 * The provider has the call. Earlier webhook data about it is kept. The attempt is locked before its place in
 * the queue, in the same order as by concurrent webhooks: the other order could deadlock.
 */
export async function recordPlaced(
  trx: Kysely<DB>,
  { accountId, callId, attempt }: Key,
  { sid, lookSeconds }: { sid: string | null; lookSeconds: number },
): Promise<void> {
  await sql`
    ${prepared} with bound as (
      update call_attempts set sid = coalesce(sid, ${sid}::text), accepted_at = coalesce(accepted_at, now())
      where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and ended_at is null
      returning call_id
    )
    update call_queue
    set state = 'up', lease_id = null, look_at = now() + make_interval(secs => ${lookSeconds})
    from (select count(*) from bound) as first
    where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and state in ('placing', 'doubt')`.execute(
    trx,
  );
}

/** It may have been placed: it keeps its line until that is known. */
export async function recordDoubt(trx: Kysely<DB>, { accountId, callId, attempt }: Key): Promise<void> {
  await sql`
    update call_queue
    set state = 'doubt', lease_id = null, look_at = now() + make_interval(secs => ${doubtPauseSeconds})
    where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and state = 'placing'`.execute(
    trx,
  );
}

/** Certainly not placed: as if the attempt had not been made. */
export async function undoAttempt(
  trx: Trx,
  { accountId, callId, attempt }: Key,
  afterMs: number,
): Promise<void> {
  await sql`
    with back as (
      update call_queue
      set state = 'waiting', attempt = attempt - 1, lease_id = null, look_at = null,
        due_at = now() + make_interval(secs => ${afterMs / 1000}::float8)
      where account_id = ${accountId} and call_id = ${callId} and attempt = ${attempt} and state = 'placing'
      returning call_id
    ),
    gone as (
      delete from call_attempts a using back b
      where a.account_id = ${accountId} and a.call_id = b.call_id and a.attempt = ${attempt}
    )
    update calls c
    set attempts = c.attempts - 1, last_called_at = (
      select max(a.placed_at) from call_attempts a
      where a.account_id = c.account_id and a.call_id = c.call_id and a.attempt < ${attempt})
    from back b where c.account_id = ${accountId} and c.call_id = b.call_id`.execute(trx);
}
