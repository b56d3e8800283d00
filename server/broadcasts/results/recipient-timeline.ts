import { sql } from 'kysely';
import type {
  getRecipientTimeline as definition,
  RecipientTimeline,
} from '../../../contract/broadcast-results.ts';
import type { Input } from '../../../contract/call.ts';
import type { ConsentEvent } from '../../../contract/consents.ts';
import type { RecipientProblem } from '../../../contract/draft-recipients.ts';
import { Refusal } from '../../../contract/errors.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { formatE164 } from '../../../contract/phone/format-phone.ts';
import { sourceWords, stateWords } from '../../consents/rules.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { textsOf } from '../../texts/choose-table.ts';
import { listClicks } from '../links/list-links.ts';
import type { SentStatus } from '../rules.ts';
import {
  event,
  eventsOf,
  inOrder,
  type Recipient,
  requireStatus,
  type TimelineEvent,
  verdictOf,
} from './judge-result.ts';
import { detailRows } from './list-details.ts';
import { readAttempts } from './read-attempts.ts';
import { requireBroadcast, type SeenBroadcast } from './read-broadcast.ts';

/** Reason why this person did or did not get it: a sentence, and all events, the oldest first. */
export async function getRecipientTimeline(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof definition>,
): Promise<RecipientTimeline> {
  const broadcast = await requireBroadcast(trx, actor, params.BroadcastID);
  const [detail] = await detailRows(trx, actor, broadcast, [params.RecipientID]);
  if (detail === undefined) throw new Refusal('notFound', 'That recipient is no longer here.');
  const row = await readRow(trx, broadcast, params.RecipientID);
  const recipient = toRecipient(row);
  const heard = row.phone === null ? [] : await readHeard(trx, broadcast, row.phone, row);
  const clicks = (await listClicks(trx, { accountId: actor.accountId, recipientId: params.RecipientID })).map(
    ({ at, url, clicks: many }) =>
      event('click', at, many > 1 ? `Opened a link ${many} times` : 'Opened a link', url),
  );
  const say = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: actor.timeZone, weekday: 'short', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit' },
  });
  const sayAt = (at: Date) => say.format(at);
  const calls = placesCalls(broadcast.broadcastType)
    ? await readAttempts(trx, broadcast, params.RecipientID, sayAt)
    : undefined;
  const isTexted = sendsTexts(broadcast.broadcastType) && (calls === undefined || row.problem === null);
  const ofTexts = isTexted ? eventsOf(recipient) : eventsOf(recipient).filter(({ Kind }) => Kind === 'added');
  const verdicts = [
    ...(isTexted ? [verdictOf(recipient, sayAt)] : []),
    ...(calls === undefined ? [] : [calls.verdict]),
  ];
  return {
    Recipient: detail,
    Verdict: verdicts.join(' '),
    TextMessage: row.text,
    Segments: row.segments,
    Credits: (isTexted ? row.credits : 0) + (calls?.charged ?? 0),
    Events: inOrder([...ofTexts, ...setAside(row), ...heard, ...clicks, ...(calls?.events ?? [])]),
  };
}

/** The account's limit of broadcasts per person, or its hours, didn't apply to this one. */
function setAside({ set_aside_at, set_aside_by, hours_aside_at, hours_aside_by }: Row): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  if (set_aside_at !== null) {
    const note = `${set_aside_by || 'Somebody'} sent this one to everybody, however many broadcasts they’ve had.`;
    events.push(event('added', set_aside_at, 'Limit of broadcasts set aside', note));
  }
  if (hours_aside_at !== null) {
    const note = `${hours_aside_by || 'Somebody'} chose that this emergency doesn’t wait for quiet hours to end.`;
    events.push(event('added', hours_aside_at, 'Quiet hours and calling window set aside', note));
  }
  return events;
}

interface Row {
  first_name: string;
  last_name: string;
  phone: string | null;
  typed_phone: string | null;
  problem: RecipientProblem | null;
  duplicate_of: string | null;
  added_at: Date | null;
  source: string | null;
  set_aside_at: Date | null;
  set_aside_by: string | null;
  hours_aside_at: Date | null;
  hours_aside_by: string | null;
  broadcast_status: SentStatus;
  held_reason: string;
  confirmed_at: Date | null;
  start_at: Date | null;
  ended_at: Date | null;
  opens_at: Date | null;
  credits: number;
  segments: number;
  text: string;
  status: string | null;
  created_at: Date | null;
  status_at: Date | null;
  handed_at: Date | null;
  carrier_error: string | null;
  is_in_doubt: boolean;
  replied_at: Date | null;
  answer: 'Yes' | 'No' | null;
  opted_out_at: Date | null;
}

async function readRow(trx: Trx, broadcast: SeenBroadcast, recipientId: number): Promise<Row> {
  const { accountId, broadcastId } = broadcast;
  const { rows } = await sql<Row>`
    select r.first_name, r.last_name, r.phone, r.typed_phone, r.problem,
      nullif(btrim(d.first_name || ' ' || d.last_name), '') as duplicate_of,
      coalesce(s.created_at, b.created_at) as added_at, s.name as source,
      b.frequency_set_aside_at as set_aside_at,
      (select btrim(u.first_name || ' ' || u.last_name) from users u
        where u.account_id = b.account_id and u.user_id = b.frequency_set_aside_by) as set_aside_by,
      b.hours_set_aside_at as hours_aside_at,
      (select btrim(u.first_name || ' ' || u.last_name) from users u
        where u.account_id = b.account_id and u.user_id = b.hours_set_aside_by) as hours_aside_by,
      b.status as broadcast_status, b.held_reason, b.confirmed_at, b.start_at, b.ended_at,
      case when z.opens_at > now() then z.opens_at end as opens_at,
      coalesce(m.credits, case when r.problem is not null then 0
        when b.is_personalized and b.credits_each > 0 then coalesce(r.segments, b.segments) else b.credits_each end, 0) as credits,
      coalesce(m.segments, r.segments, b.segments) as segments, coalesce(m.body, r.own_body, b.sent_body) as text,
      m.status, m.created_at, m.status_at, m.handed_at, m.carrier_error, coalesce(o.in_doubt, false) as is_in_doubt,
      r.replied_at, r.survey_answer as answer, case when k.text_state = 'out' then k.text_changed_at end as opted_out_at
    from broadcast_recipients r
    join broadcasts b on b.account_id = r.account_id and b.broadcast_id = r.broadcast_id
    left join broadcast_sources s on s.account_id = r.account_id and s.broadcast_id = r.broadcast_id
      and s.source_id = r.source_id
    left join broadcast_recipients d on d.account_id = r.account_id and d.broadcast_id = r.broadcast_id
      and d.recipient_id = r.duplicate_of
    left join broadcast_zones z on z.account_id = r.account_id and z.broadcast_id = r.broadcast_id and z.zone = r.zone
    left join ${textsOf(broadcast)} m on m.account_id = r.account_id and m.message_id = r.message_id
    left join outbox o on o.account_id = r.account_id and o.message_id = r.message_id
    left join phone_consents k on k.account_id = r.account_id and k.phone = r.phone
    where r.account_id = ${accountId} and r.broadcast_id = ${broadcastId} and r.recipient_id = ${recipientId}`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That recipient is no longer here.');
  return row;
}

function toRecipient(row: Row): Recipient {
  const name = `${row.first_name} ${row.last_name}`.trim();
  const phone = row.phone === null ? (row.typed_phone ?? '') : formatE164(row.phone);
  return {
    name: name === '' ? phone : name,
    typedPhone: row.typed_phone ?? phone,
    problem: row.problem,
    duplicateOf: row.duplicate_of ?? '',
    addedAt: row.added_at,
    source: row.source ?? '',
    broadcast: {
      status: row.broadcast_status,
      heldReason: row.held_reason,
      confirmedAt: row.confirmed_at,
      startAt: row.start_at,
      endedAt: row.ended_at,
    },
    opensAt: row.opens_at,
    credits: row.credits,
    text:
      row.status === null || row.created_at === null
        ? null
        : {
            status: requireStatus(row.status),
            createdAt: row.created_at,
            statusAt: row.status_at,
            handedAt: row.handed_at,
            carrierError: row.carrier_error ?? '',
            isInDoubt: row.is_in_doubt,
          },
    repliedAt: row.replied_at,
    answer: row.answer,
    optedOutAt: row.opted_out_at,
  };
}

/** More than anybody reads on a page; the rest is in the conversation and in the contact's history. */
const mostHeard = 50;

/** Events from this phone: its replies to the broadcast, and its consent since it was added. */
async function readHeard(
  trx: Trx,
  broadcast: SeenBroadcast,
  phone: string,
  { added_at }: Row,
): Promise<TimelineEvent[]> {
  const { accountId, broadcastId, textNumberId } = broadcast;
  const replies = await sql<{ body: string; at: Date }>`
    select i.body, i.created_at as at from ${textsOf(broadcast)} i
    where i.account_id = ${accountId} and i.text_number_id = ${textNumberId} and i.phone = ${phone} and i.is_inbound
      and i.broadcast_id = ${broadcastId}
    order by i.created_at desc, i.message_id desc limit ${mostHeard}`.execute(trx);
  const consents = await sql<{ state: ConsentEvent['State']; source: ConsentEvent['Source']; at: Date }>`
    select state, source, created_at as at from consent_events
    where account_id = ${accountId} and phone = ${phone} and channel <> 'voice' and created_at >= ${added_at}
    order by created_at desc limit ${mostHeard}`.execute(trx);
  return [
    ...replies.rows.map(({ at, body }) => event('reply', at, 'Replied', body)),
    ...consents.rows.map(({ at, state, source }) =>
      event('opt-out', at, stateWords[state], `${sourceWords[source]}.`),
    ),
  ];
}
