import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db.ts';
import { prepared } from '../prepared.ts';
import type { ClaimedCall } from './claim-calls.ts';
import { type CallInFlow, type FlowRow, flowOf, flowSelect } from './queries.ts';
import { leaseSeconds } from './rules.ts';

/** An attempt that is committed: after this it is placed once or in doubt, never placed again. */
export interface BegunCall extends ClaimedCall {
  attempt: number;
  nonce: number;
}

export interface Begun extends CallInFlow {
  call: BegunCall;
}

/**
 * Starts the attempt of a claimed call at the moment of placing it, and returns what the call will say.
 * Undefined when its broadcast was paused or canceled since, the person asked not to be called, or the claim
 * expired: then nothing was started, and the call waits again.
 */
export async function beginAttempt(
  database: Database,
  provider: number,
  call: ClaimedCall,
  publicUrl: string,
): Promise<Begun | undefined> {
  const nonce = randomInt(2 ** 31 - 1);
  const { rows } = await sql<FlowRow & { attempt: number }>`
    ${prepared} with asked as (
      select q.account_id, q.call_id, coalesce(b.status = 'broadcasting', true)
        and (c.purpose <> 'broadcast' or s.voice_state is distinct from 'out') as may
      from call_queue q
      join calls c on c.account_id = q.account_id and c.call_id = q.call_id
      left join broadcasts b on b.account_id = q.account_id and b.broadcast_id = q.broadcast_id
      left join phone_consents s on s.account_id = q.account_id and s.phone = c.phone
      where q.account_id = ${call.accountId} and q.call_id = ${call.callId}
    ),
    leased as (
      update call_queue q
      set state = case when k.may then 'placing' else 'waiting' end, attempt = q.attempt + k.may::int,
        lease_id = case when k.may then q.lease_id end,
        look_at = case when k.may then clock_timestamp() + make_interval(secs => ${leaseSeconds}) end
      from asked k
      where q.account_id = k.account_id and q.call_id = k.call_id and q.state = 'claimed'
        and q.lease_id = ${call.leaseId}::uuid
      returning q.account_id, q.call_id, q.attempt, k.may
    ),
    noted as (
      update calls c set attempts = l.attempt, last_called_at = clock_timestamp()
      from leased l where l.may and c.account_id = l.account_id and c.call_id = l.call_id
    ),
    begun as (
      insert into call_attempts (account_id, call_id, attempt, nonce, provider)
      select l.account_id, l.call_id, l.attempt, ${nonce}::int, ${provider}::int from leased l where l.may
      returning *
    )
    ${flowSelect(sql`begun`)}`.execute(database.system);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { call: { ...call, attempt: row.attempt, nonce }, row, flow: flowOf(row, publicUrl) };
}

/** Calls that were claimed and will not be placed by this worker: they wait for the next claim. */
export async function giveBack(database: Database, calls: readonly ClaimedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await sql`
    update call_queue q set state = 'waiting', lease_id = null, look_at = null
    from unnest(${calls.map((one) => one.accountId)}::bigint[], ${calls.map((one) => one.callId)}::bigint[],
      ${calls.map((one) => one.leaseId)}::uuid[]) as g(account_id, call_id, lease_id)
    where q.account_id = g.account_id and q.call_id = g.call_id and q.lease_id = g.lease_id
      and q.state = 'claimed'`.execute(database.system);
}
