import { sql } from 'kysely';
import { type CallResultCode, callResults } from '../../../contract/delivery/call-result.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import type { Trx } from '../../db.ts';
import { event, type Say, type TimelineEvent } from './judge-result.ts';
import type { SeenBroadcast } from './read-broadcast.ts';

interface CallRow {
  call_state: string | null;
  name: string;
  phone: string | null;
  result: CallResultCode | null;
  is_over: boolean | null;
  charged: number | null;
  survey_key: string | null;
  opted_out_at: Date | null;
  transferred_at: Date | null;
  transfer_seconds: number | null;
  note: string | null;
  ended_at: Date | null;
  due_at: Date | null;
  state: string | null;
  attempts: Attempt[];
}

interface Attempt {
  placed_at: string;
  ended_at: string | null;
  result: CallResultCode | null;
  seconds: number | null;
  error: string | null;
}

/** The calls of one recipient in words; undefined for broadcasts without calls. */
export async function readAttempts(
  trx: Trx,
  { accountId, broadcastId, status }: SeenBroadcast,
  recipientId: number,
  say: Say,
): Promise<{ verdict: string; events: TimelineEvent[]; charged: number } | undefined> {
  const { rows } = await sql<CallRow>`
    select r.call_state, trim(r.first_name || ' ' || r.last_name) as name, r.phone, c.result, c.is_over, c.charged,
      c.survey_key, c.opted_out_at, c.transferred_at, c.transfer_seconds, c.note, c.ended_at, q.due_at, q.state,
      coalesce((
        select json_agg(json_build_object('placed_at', a.placed_at, 'ended_at', a.ended_at, 'result', a.result,
          'seconds', a.seconds, 'error', a.error) order by a.attempt)
        from call_attempts a where a.account_id = c.account_id and a.call_id = c.call_id), '[]') as attempts
    from broadcast_recipients r
    left join calls c on c.account_id = r.account_id and c.broadcast_id = r.broadcast_id
      and c.recipient_id = r.recipient_id and c.purpose = 'broadcast'
    left join call_queue q on q.account_id = c.account_id and q.call_id = c.call_id
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = ${recipientId}`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined || row.call_state === null || row.call_state === 'texted') return undefined;
  const name = row.name !== '' ? row.name : row.phone === null ? 'This recipient' : formatE164(row.phone);
  if (row.call_state !== 'called') {
    const why = recipientProblemMessages[row.call_state as RecipientProblem];
    return { verdict: `${name} isn’t called. ${why}`, events: [], charged: 0 };
  }
  return {
    verdict: verdictOf(row, name, status === 'canceled', say),
    events: eventsOf(row),
    charged: row.charged ?? 0,
  };
}

function verdictOf(row: CallRow, name: string, isCanceled: boolean, say: Say): string {
  const { result, attempts, due_at, state } = row;
  if (result === null) {
    return isCanceled
      ? `${name} wasn’t called: the broadcast was canceled before their turn.`
      : `${name} is in line to be called.`;
  }
  if (row.is_over !== true) {
    if (state !== null && state !== 'waiting' && state !== 'claimed')
      return `${name} is being called right now.`;
    const when = due_at === null ? 'soon' : `at ${say(due_at)}`;
    const last = attempts.at(-1)?.result;
    return last === undefined || last === null
      ? `${name} is in line to be called ${when}.`
      : `${name} was called: ${callResults[last].label}. We call again ${when}.`;
  }
  const times = attempts.length > 1 ? ` after ${attempts.length} attempts` : '';
  const { label, tooltip } = callResults[result];
  const note = row.note === null || row.note === '' ? tooltip : row.note;
  return `${name}: ${label}${times}. ${note}`;
}

function eventsOf(row: CallRow): TimelineEvent[] {
  const events = row.attempts.map((attempt) => {
    const label = attempt.result === null ? 'Ringing or speaking' : callResults[attempt.result].label;
    const length = attempt.seconds === null ? '' : `${attempt.seconds} seconds. `;
    const code = attempt.error === null ? '' : `The provider’s own code: ${attempt.error}`;
    return event('call', new Date(attempt.placed_at), `Called: ${label}`, `${length}${code}`.trim());
  });
  if (row.survey_key !== null)
    events.push(event('key', row.ended_at, `Pressed ${row.survey_key}`, 'Survey answer.'));
  if (row.transferred_at !== null) {
    const seconds = row.transfer_seconds;
    const length = seconds === null ? 'The provider doesn’t say for how long.' : `${seconds} seconds.`;
    events.push(event('transfer', row.transferred_at, 'Connected', length));
  }
  if (row.opted_out_at !== null) {
    events.push(event('opt-out', row.opted_out_at, 'Pressed 9', 'No more calls to this phone.'));
  }
  if (row.is_over === true && row.attempts.length === 0 && row.result !== null) {
    const { label, tooltip } = callResults[row.result];
    events.push(event('call', row.ended_at, label, tooltip));
  }
  if ((row.charged ?? 0) > 0) {
    const credits = row.charged === 1 ? '1 credit' : `${row.charged} credits`;
    events.push(event('credits', row.ended_at, `${credits} paid`, 'For the call.'));
  }
  return events;
}
