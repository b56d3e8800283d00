import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';

/** Purpose of a call outside of a broadcast: server/calls/rules.ts makes its flow from it. */
export type CallTask =
  | { kind: 'test'; audioId: number }
  | { kind: 'record'; recordingId: number; recordedUrl?: string }
  | { kind: 'verify'; code: string };

interface NewCall {
  accountId: number;
  userId: number;
  provider: number;
  phone: string;
  callerId: string;
  task: CallTask;
  credits?: number;
}

const purposes = { test: 'test', record: 'record', verify: 'verify' } as const;

/** A user is waiting for this call: it goes before those of broadcasts, and at any hour. */
export async function createCall(trx: Trx, call: NewCall): Promise<number> {
  const { rows } = await sql<{ call_id: number }>`
    with made as (
      insert into calls (account_id, purpose, user_id, phone, caller_id, credits, task)
      values (${call.accountId}, ${purposes[call.task.kind]}, ${call.userId}, ${call.phone}, ${call.callerId},
        ${call.credits ?? 0}, ${JSON.stringify(call.task)}::jsonb)
      returning account_id, call_id
    ),
    queued as (
      insert into call_queue (account_id, call_id, provider, priority, due_at)
      select account_id, call_id, ${call.provider}, 0, now() from made
    )
    select call_id from made`.execute(trx);
  await enqueue(trx, 'place_calls', {});
  return rows[0]?.call_id ?? 0;
}

/** A code that a call reads out. */
export function drawCode(): string {
  return String(randomInt(1000, 10_000));
}
