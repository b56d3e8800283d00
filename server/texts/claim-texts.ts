import { type RawBuilder, sql } from 'kysely';
import { cannotSend } from '../access/queries.ts';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { releaseCredits } from '../billing/release-credits.ts';
import type { Database } from '../db.ts';
import { lookAtMisjudged, seemsMisjudged } from '../keep-statistics.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countSlices } from './count-slices.ts';
import { leaseSeconds } from './rules.ts';

export interface ClaimedText {
  account_id: number;
  message_id: number;
  send_nonce: number;
  from_phone: string;
  rcs_agent: string | null;
  phone: string;
  body: string;
  media_keys: string[];
  in_doubt: boolean;
  doubt_since: Date | null;
  /** Seconds that it has been in doubt, by PostgreSQL's clock. */
  doubt_seconds: number | null;
  /**
   * Its broadcast was canceled, or its account stopped, while it was in doubt: it isn't handed over again.
   */
  is_canceled: boolean;
  sibling_ids: string[];
}

/** The tables that the claim, and recording its outcome, join. */
export const joined = ['outbox', 'messages'];

/**
 * True if the claim would find anything. Planning the claim takes longer than this check, and while a broadcast is
 * fed there is usually nothing to claim. If there is, makes sure that PostgreSQL's estimate of the outbox is not far
 * off.
 */
export async function isAnyDue(database: Database, aggregatorId: number): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean; is_misjudged: boolean }>`
    with due as materialized (
      select exists (
        select from outbox where aggregator_id = ${aggregatorId} and send_at <= now()
          and (lease_until is null or lease_until < now())) as is_due
    )
    select is_due, is_due and ${seemsMisjudged(joined)} as is_misjudged from due`.execute(database.system);
  if (rows[0]?.is_misjudged) await lookAtMisjudged(database, joined);
  return rows[0]?.is_due ?? false;
}

/**
 * Claims due rows that nobody holds, leases them and returns all data that the carrier needs, in one
 * statement. It leaves out those whose phone has opted out, whose broadcast was canceled or whose account may
 * no longer send, and returns whether there are any for `closeStopped`. If a lease expired, its worker died
 * or hung: the row is in doubt. Texts of a paused broadcast stay.
 */
export async function claimTexts(
  database: Database,
  aggregatorId: number,
  leaseId: string,
  size: number,
): Promise<{ claimed: ClaimedText[]; hasStopped: boolean }> {
  const { rows } = await sql<(ClaimedText | { message_id: null }) & { stopped: number }>`
    with ${findDue(aggregatorId, size)},
    leased as (
      update outbox o
      set lease_id = ${leaseId}, lease_until = now() + ${leaseSeconds} * interval '1 second',
        attempts = least(attempts + 1, 32000),
        -- The lease expired: its worker may have reached the carrier.
        in_doubt = o.in_doubt or o.lease_until is not null,
        doubt_since = case when o.lease_until is not null then coalesce(o.doubt_since, o.lease_until - ${leaseSeconds} * interval '1 second')
          else o.doubt_since end
      from due
      where o.account_id = due.account_id and o.message_id = due.message_id
        and not exists (select from stopped s where s.account_id = o.account_id and s.message_id = o.message_id)
      returning o.account_id, o.message_id, o.text_number_id, o.in_doubt, o.doubt_since, o.broadcast_id, o.ignores_opt_out
    )
    select s.stopped, l.account_id, l.message_id, m.send_nonce, n.phone as from_phone, n.rcs_agent, m.phone, m.body, l.in_doubt, l.doubt_since,
      extract(epoch from now() - l.doubt_since)::float8 as doubt_seconds,
      coalesce((l.account_id, l.broadcast_id) in (select account_id, broadcast_id from ended), false)
        or not l.ignores_opt_out and l.account_id = any(array(select account_id from barred)) as is_canceled,
      case when m.media_ids = '{}' then '{}' else array(
        select f.public_key from unnest(m.media_ids) with ordinality as i(media_id, place)
        join media f on f.account_id = m.account_id and f.media_id = i.media_id order by i.place) end as media_keys,
      -- Only for texts in doubt: the carrier's ids of other texts in this thread, so that none is mistaken for this
      -- text.
      case when not l.in_doubt then '{}' else array(
        select o.carrier_message_id from messages o
        where o.account_id = m.account_id and o.text_number_id = m.text_number_id and o.phone = m.phone
          and o.carrier_message_id is not null and o.created_at > now() - interval '3 days') end as sibling_ids
    from (select count(*)::int as stopped from stopped) s
    left join (leased l
      join messages m on m.account_id = l.account_id and m.message_id = l.message_id
      join text_numbers n on n.account_id = l.account_id and n.text_number_id = l.text_number_id) on true
    order by l.message_id`.execute(database.system);
  return {
    claimed: rows.filter((row) => row.message_id !== null),
    hasStopped: (rows[0]?.stopped ?? 0) > 0,
  };
}

/**
 * The parts of a statement that find due rows and lock them (`due`), and those of them that must not be sent
 * (`stopped`): checked here and not when they were written, because STOP may have come since.
 */
function findDue(aggregatorId: number, size: number): RawBuilder<unknown> {
  return sql`
    due as materialized (
      select account_id, message_id, phone, ignores_opt_out, broadcast_id, in_doubt or lease_until is not null as in_doubt
      from outbox
      where aggregator_id = ${aggregatorId} and send_at <= now()
        and (lease_until is null or lease_until < now())
        and (broadcast_id is null or broadcast_id <> all(array(select broadcast_id from broadcasts where status = 'paused')))
      order by priority, send_at, message_id
      limit ${size}
      for update skip locked
    ),
    -- Each account and broadcast is looked up once, not once per text.
    barred as materialized (
      select a.account_id from (select distinct account_id from due) d
      join accounts a on a.account_id = d.account_id where ${cannotSend}
    ),
    ended as materialized (
      select d.account_id, d.broadcast_id
      from (select distinct account_id, broadcast_id from due where broadcast_id is not null) d
      cross join lateral (
        select status from broadcasts where account_id = d.account_id and broadcast_id = d.broadcast_id offset 0) b
      where b.status = 'canceled'
    ),
    stopped as materialized (
      select due.account_id, due.message_id,
        case when c.text_state = 'out' and not due.ignores_opt_out then 'opted_out' else 'canceled' end as status
      from due
      left join phone_consents c on c.account_id = due.account_id and c.phone = due.phone
      where not due.ignores_opt_out and c.text_state = 'out'
        or not due.in_doubt and ((due.account_id, due.broadcast_id) in (select account_id, broadcast_id from ended)
          or not due.ignores_opt_out and due.account_id = any(array(select account_id from barred)))
    )`;
}

/**
 * Texts that must not be sent leave the outbox, and their credits return. Not a part of the claim: nearly
 * every claim finds none, and planning it took longer than all the rest of the claim.
 */
export async function closeStopped(database: Database, aggregatorId: number, size: number): Promise<void> {
  await againAfterDeadlock(() =>
    sql`
    with ${findDue(aggregatorId, size)},
    dropped as (
      delete from outbox o using stopped s
      where o.account_id = s.account_id and o.message_id = s.message_id
    ),
    moved as (
      update messages m set status = s.status, status_at = now()
      from stopped s
      where m.account_id = s.account_id and m.message_id = s.message_id and m.status = 'waiting'
      returning m.account_id, m.message_id, m.broadcast_id, m.slice_id, old.status as old_status,
        new.status as new_status, 0 as settled, m.credits as released
    ),
    counted as (${countSlices}),
    kept as (${recordTextMoves}),
    released as (
      select account_id, sum(released) as credits,
        case when new_status = 'opted_out' then 'Opted out before it was sent'
          when broadcast_id is null then 'The account can’t send texts' else 'Broadcast canceled' end as note,
        case when broadcast_id is null then 'text' else 'broadcast' end as reference_kind,
        case when broadcast_id is null then array_agg(message_id) else array[broadcast_id] end as reference_ids
      from moved
      -- Reads all of counted first: slices are locked before accounts.
      where (select count(*) from counted) >= 0
      group by account_id, new_status, broadcast_id having sum(released) > 0
    ),
    ${releaseCredits}
    select from released`.execute(database.system),
  );
}

/**
 * If a worker died or hung while it handed over a slice, the texts go to the outbox, in doubt, where the
 * claim finds them. Texts that a receipt has moved since are certainly with the carrier and stay out.
 */
export async function giveUpSlices(database: Database): Promise<void> {
  await sql`
    with lost as (
      delete from outbox_slices
      where (account_id, broadcast_id, slice_id, first_message_id) in (
        select account_id, broadcast_id, slice_id, first_message_id from outbox_slices
        where lease_until < now() order by lease_until limit 20 for update skip locked)
      returning *
    ),
    waiting as materialized (
      select m.account_id, m.message_id, m.phone, l.text_number_id, l.aggregator_id, l.broadcast_id, l.lease_until
      from lost l
      join messages m on m.account_id = l.account_id and m.message_id between l.first_message_id and l.last_message_id
        and m.slice_id = l.slice_id
      where m.status = 'waiting'
      order by m.account_id, m.message_id
      for no key update of m
    )
    insert into outbox
      (account_id, message_id, text_number_id, aggregator_id, priority, attempts, in_doubt, phone, doubt_since, broadcast_id)
    select account_id, message_id, text_number_id, aggregator_id, 5, 1, true, phone,
      lease_until - ${leaseSeconds} * interval '1 second', broadcast_id
    from waiting`.execute(database.system);
}
