import { sql } from 'kysely';
import type { Database } from '../db.ts';
import type { CallProvider } from '../outside/calls.ts';

/**
 * Ends the ringing calls of canceled broadcasts: a person who doesn't answer now won't hear it. A person who
 * has answered hears the message to its end. Repeated every second until the provider reports how they ended.
 */
export async function stopRinging(
  database: Database,
  providers: ReadonlyMap<number, CallProvider>,
  canceled: readonly { accountId: number; broadcastId: number }[],
): Promise<void> {
  if (canceled.length === 0) return;
  const { rows } = await sql<{ provider: number; sid: string }>`
    select a.provider, a.sid
    from unnest(${canceled.map((one) => one.accountId)}::bigint[], ${canceled.map((one) => one.broadcastId)}::bigint[])
      as b(account_id, broadcast_id)
    join call_queue q on q.account_id = b.account_id and q.broadcast_id = b.broadcast_id and q.state = 'up'
    join call_attempts a on a.account_id = q.account_id and a.call_id = q.call_id and a.attempt = q.attempt
    where a.sid is not null and a.answered_at is null and a.ended_at is null`.execute(database.system);
  await Promise.all(rows.map(({ provider, sid }) => providers.get(provider)?.stopRinging(sid)));
}
