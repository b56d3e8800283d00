import { sql } from 'kysely';
import type { Trx } from '../db.ts';

interface CallsOfBroadcast {
  accountId: number;
  broadcastId: number;
  provider: number;
  callerId: string;
  creditsEach: number;
}

export interface NewBroadcastCall {
  recipientId: number;
  phone: string;
  zone: string;
  /** Null for one that isn't called: the calling window no longer allows it, or the reason in `why`. */
  dueAt: Date | null;
  why?: string;
}

/**
 * Turns recipients of a broadcast into calls that wait for their time. Those that aren't called wait to be
 * settled, which returns their credits.
 */
export async function makeCalls(trx: Trx, of: CallsOfBroadcast, calls: NewBroadcastCall[]): Promise<void> {
  if (calls.length === 0) return;
  const column = <T>(pick: (call: NewBroadcastCall) => T) => calls.map(pick);
  await sql`
    with given as (
      select * from unnest(
        ${column((c) => c.recipientId)}::bigint[], ${column((c) => c.phone)}::text[], ${column((c) => c.zone)}::text[],
        ${column((c) => c.dueAt)}::timestamptz[], ${column((c) => c.why ?? '')}::text[])
        as g(recipient_id, phone, zone, due_at, why)
    ),
    made as (
      insert into calls (account_id, purpose, broadcast_id, recipient_id, phone, caller_id, credits, result, is_over, ended_at, note)
      select ${of.accountId}, 'broadcast', ${of.broadcastId}, g.recipient_id, g.phone, ${of.callerId}, ${of.creditsEach},
        case when g.why <> '' then 'canceled' when g.due_at is null then 'expired' else 'not_yet_called' end, g.due_at is null,
        case when g.due_at is null then now() end, g.why
      from given g order by g.recipient_id
      on conflict (account_id, broadcast_id, recipient_id) where purpose = 'broadcast' do nothing
      returning call_id, recipient_id, is_over
    )
    insert into call_queue (account_id, call_id, broadcast_id, provider, zone, due_at, state)
    select ${of.accountId}, m.call_id, ${of.broadcastId}, ${of.provider}, g.zone, coalesce(g.due_at, now()),
      case when m.is_over then 'over' else 'waiting' end
    from made m join given g on g.recipient_id = m.recipient_id`.execute(trx);
}
