import { sql } from 'kysely';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from '../consents/record-carrier-opt-outs.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { HandOver } from '../outside/carrier.ts';
import { prepared } from '../prepared.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countMoved, type MovedFigures, movedFigures } from './count-moved.ts';
import { countSlices } from './count-slices.ts';
import { doubtPauseSeconds, leaseSeconds } from './rules.ts';
import { type MovedPart, movedParts, type ShownText, settleMoved, shownTexts } from './settle-moved.ts';

type Result = HandOver & { accountId: number; messageId: number };

interface Recorded {
  figures: MovedFigures[] | null;
  parts: MovedPart[] | null;
  shown: ShownText[] | null;
  opted_out: CarrierOptOut[] | null;
}

/**
 * Records the outcome of a slice in one transaction: rows leave the outbox or stay in it, statuses move
 * forward, opt-outs that the carrier reports become ours, credits are settled or released, and the day's
 * counts and the notices follow. If another worker has taken a row's lease in the meantime, the row is left
 * to that worker.
 */
export async function recordHandOvers(database: Database, leaseId: string, results: Result[]): Promise<void> {
  await againAfterDeadlock(() =>
    asSystem(database, async (trx) => {
      const { figures, parts, shown, opted_out } = await recordOutcomes(trx, leaseId, results);
      await countMoved(trx, figures ?? []);
      // Locks credits before consents, in the same order as for inbound texts.
      await settleMoved(trx, parts ?? [], shown ?? [], 'Texts handed to the carrier');
      await recordCarrierOptOuts(trx, opted_out ?? []);
    }),
  );
}

async function recordOutcomes(trx: Trx, leaseId: string, results: Result[]): Promise<Recorded> {
  // Serialized by hand: the driver would inspect each of thousands of values. Contains only our own words and
  // numbers.
  const column = (pick: (result: Result) => number | string) => `{${results.map(pick).join()}}`;
  const texts = (pick: (result: Result) => string | null) =>
    results.every((result) => pick(result) === null) ? null : results.map(pick);
  const { rows } = await sql<Recorded>`
    ${prepared} with outcome as (
      select * from unnest(
        ${column((r) => r.accountId)}::bigint[],
        ${column((r) => r.messageId)}::bigint[],
        ${column((r) => r.outcome)}::text[],
        ${column((r) => (r.outcome === 'refused' ? r.status : 'sent'))}::text[],
        ${texts((r) => (r.outcome === 'accepted' ? r.carrierMessageId : null))}::text[],
        ${texts((r) => (r.outcome === 'refused' ? r.error : null))}::text[],
        ${column((r) => (r.outcome === 'later' ? Math.ceil(r.afterMs) : doubtPauseSeconds * 1000))}::integer[]
      ) as o(account_id, message_id, outcome, status, carrier_message_id, error, after_ms)
    ),
    -- Each text is looked up in the outbox by its key ("offset 0"): while PostgreSQL assumes that the outbox
    -- is short, it would rather read all of it. Locks the text's row first, in the order of its key, then its
    -- row in the outbox: the same order as in apply-receipts.ts, which may be processing the same texts.
    mine as materialized (
      select o.* from outcome o
      join messages m on m.account_id = o.account_id and m.message_id = o.message_id
      cross join lateral (
        select lease_id from outbox where account_id = o.account_id and message_id = o.message_id offset 0) b
      where b.lease_id = ${leaseId}
      order by m.account_id, m.message_id
      for no key update of m
    ),
    gone as (
      delete from outbox b using mine
      where b.account_id = mine.account_id and b.message_id = mine.message_id and b.lease_id = ${leaseId}
        and mine.outcome in ('accepted', 'refused')
      returning mine.*
    ),
    resting as (
      update outbox b
      set lease_id = null, lease_until = null, send_at = now() + mine.after_ms * interval '1 millisecond',
        in_doubt = b.in_doubt or mine.outcome = 'doubt',
        -- The time of the claim: the carrier may have accepted the text at any time since.
        doubt_since = case when mine.outcome = 'doubt'
          then coalesce(b.doubt_since, b.lease_until - ${leaseSeconds} * interval '1 second') else b.doubt_since end
      from mine
      where b.account_id = mine.account_id and b.message_id = mine.message_id and b.lease_id = ${leaseId}
        and mine.outcome in ('later', 'doubt')
    ),
    moved as (
      update messages m
      set status = case when text_status_rank(gone.status) > text_status_rank(m.status) then gone.status else m.status end,
        status_at = case when text_status_rank(gone.status) > text_status_rank(m.status) then now() else m.status_at end,
        handed_at = case when gone.outcome = 'accepted' then coalesce(m.handed_at, now()) else m.handed_at end,
        carrier_message_id = coalesce(m.carrier_message_id, gone.carrier_message_id),
        carrier_error = coalesce(gone.error, m.carrier_error)
      from gone
      where m.account_id = gone.account_id and m.message_id = gone.message_id
      returning m.account_id, m.message_id, m.text_number_id, m.phone, m.origin, m.user_id, m.created_at,
        new.status_at, new.carrier_error,
        m.broadcast_id, m.slice_id, old.status as old_status, new.status as new_status,
        -- The statement that moves a text on from waiting counts it and pays for it: a receipt may have been
        -- faster.
        (old.status = 'waiting' and gone.outcome = 'accepted')::int as sent, 0 as delivered,
        -- One that was canceled while in doubt was withdrawn, not lost.
        (old.status = 'waiting' and gone.outcome <> 'accepted' and gone.status <> 'canceled')::int as failed,
        null::text as counted_from,
        case when old.status = 'waiting' and (gone.outcome = 'accepted' or gone.status <> 'canceled') then new.status end
          as counted_to,
        case when old.status = 'waiting' and gone.outcome = 'accepted' then m.credits else 0 end as settled,
        case when old.status = 'waiting' and gone.outcome <> 'accepted' then m.credits else 0 end as released
    ),
    sliced as (${countSlices}),
    kept as (${recordTextMoves}),
    figures as (${movedFigures}),
    parts as (${movedParts}),
    shown as (${shownTexts}),
    opted_out as (
      select account_id, message_id, phone, status_at, carrier_error from moved
      where new_status = 'opted_out' and old_status <> 'opted_out'
    )
    select (select json_agg(figures) from figures) as figures, (select json_agg(parts) from parts) as parts,
      (select json_agg(shown) from shown) as shown, (select json_agg(opted_out) from opted_out) as opted_out`.execute(
    trx,
  );
  return rows[0] ?? { figures: null, parts: null, shown: null, opted_out: null };
}
