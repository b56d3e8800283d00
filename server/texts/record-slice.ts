import { sql } from 'kysely';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from '../consents/record-carrier-opt-outs.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { HandOver } from '../outside/carrier.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countMoved, type MovedFigures, movedFigures } from './count-moved.ts';
import { countSlices } from './count-slices.ts';
import { doubtPauseSeconds, type HeldSlice, leaseSeconds } from './rules.ts';

type Result = HandOver & { messageId: number };

/**
 * Records the outcome of a slice that was just created, in one transaction. Carriers nearly always accept all
 * texts, so the statement names only the exceptions: refused texts get their failure, the others go to the
 * outbox and stay there. If another worker has given the slice up as lost in the meantime, nothing is
 * recorded.
 */
export async function recordSlice(database: Database, slice: HeldSlice, results: Result[]): Promise<void> {
  const others = results.filter(({ outcome }) => outcome !== 'accepted');
  // At Twilio every text has an id, which is saved with it.
  const named = results.flatMap((result) =>
    result.outcome === 'accepted' && result.carrierMessageId !== null
      ? [{ id: result.messageId, at: result.carrierMessageId }]
      : [],
  );
  await againAfterDeadlock(() =>
    asSystem(database, async (trx) => {
      const recorded = await recordOutcomes(trx, slice, others, named);
      if (recorded === undefined) return;
      const { accountId } = slice;
      const reference = ofBroadcast(slice.broadcastId);
      await countMoved(trx, recorded.figures ?? []);
      await moveCredits(trx, [
        {
          accountId,
          kind: 'settle',
          credits: recorded.settled,
          note: 'Texts handed to the carrier',
          reference,
        },
        {
          accountId,
          kind: 'release',
          credits: recorded.released,
          note: 'Texts that were not sent',
          reference,
        },
      ]);
      await recordCarrierOptOuts(trx, recorded.opted_out ?? []);
      await notify(trx, accountId, [
        { type: 'broadcast.changed', BroadcastID: slice.broadcastId },
        ...(recorded.settled + recorded.released > 0 ? [{ type: 'credits.changed' as const }] : []),
      ]);
    }),
  );
}

interface Recorded {
  settled: number;
  released: number;
  figures: MovedFigures[] | null;
  opted_out: CarrierOptOut[] | null;
}

async function recordOutcomes(
  trx: Trx,
  slice: HeldSlice,
  others: Result[],
  named: { id: number; at: string }[],
): Promise<Recorded | undefined> {
  const refused = others.filter((result) => result.outcome === 'refused');
  const resting = others.filter((result) => result.outcome === 'later' || result.outcome === 'doubt');
  const { accountId, leaseId } = slice;
  const { rows } = await sql<Recorded & { is_mine: boolean }>`
    with held as (
      delete from outbox_slices where account_id = ${accountId} and broadcast_id = ${slice.broadcastId}
        and slice_id = ${slice.sliceId} and first_message_id = ${slice.firstMessageId} and lease_id = ${leaseId}
      returning account_id, broadcast_id, text_number_id, aggregator_id, lease_until
    ),
    -- "materialized", thrice: the lists are unpacked once, not for every text of the slice.
    refused as materialized (
      select * from unnest(
        ${refused.map((r) => r.messageId)}::bigint[], ${refused.map((r) => r.status)}::text[],
        ${refused.map((r) => r.error)}::text[]) as r(message_id, status, error)
    ),
    named as materialized (
      select * from unnest(${named.map(({ id }) => id)}::bigint[], ${named.map(({ at }) => at)}::text[])
        as n(message_id, carrier_message_id)
    ),
    resting as materialized (
      select * from unnest(
        ${resting.map((r) => r.messageId)}::bigint[], ${resting.map((r) => r.outcome === 'doubt')}::boolean[],
        ${resting.map((r) => (r.outcome === 'later' ? Math.ceil(r.afterMs) : doubtPauseSeconds * 1000))}::integer[]
      ) as r(message_id, is_doubt, after_ms)
    ),
    -- Only texts that are still waiting are counted and paid here: a receipt may have been faster.
    moved as (
      update messages m
      set status = case when m.message_id = any(${refused.map((r) => r.messageId)}::bigint[])
          then (select r.status from refused r where r.message_id = m.message_id) else 'sent' end,
        status_at = now(),
        handed_at = case when m.message_id = any(${refused.map((r) => r.messageId)}::bigint[]) then null else now() end,
        carrier_message_id = ${named.length === 0 ? sql`m.carrier_message_id` : sql`(select n.carrier_message_id from named n where n.message_id = m.message_id)`},
        carrier_error = ${refused.length === 0 ? sql`m.carrier_error` : sql`(select r.error from refused r where r.message_id = m.message_id)`}
      where (select count(*) from held) = 1
        and m.account_id = ${accountId} and m.message_id between ${slice.firstMessageId} and ${slice.lastMessageId}
        and m.slice_id = ${slice.sliceId} and m.status = 'waiting'
        and m.message_id <> all(${resting.map((r) => r.messageId)}::bigint[])
      returning m.account_id, m.broadcast_id, m.slice_id, m.message_id, m.text_number_id, m.phone, m.user_id,
        m.created_at, old.status as old_status, new.status as new_status, new.status_at, new.carrier_error,
        (new.status = 'sent')::int as sent, 0 as delivered, (new.status <> 'sent')::int as failed,
        null::text as counted_from, new.status as counted_to,
        case when new.handed_at is null then 0 else m.credits end as settled,
        case when new.handed_at is null then m.credits else 0 end as released
    ),
    waiting as (
      select m.account_id, m.message_id, m.phone, r.is_doubt, r.after_ms
      from resting r join messages m on m.account_id = ${accountId} and m.message_id = r.message_id
      where m.status = 'waiting'
      for no key update of m
    ),
    rested as (
      insert into outbox
        (account_id, message_id, text_number_id, aggregator_id, priority, attempts, in_doubt, phone, send_at, doubt_since,
        broadcast_id)
      select w.account_id, w.message_id, h.text_number_id, h.aggregator_id, 5, 1, w.is_doubt, w.phone,
        now() + w.after_ms * interval '1 millisecond',
        case when w.is_doubt then h.lease_until - ${leaseSeconds} * interval '1 second' end, h.broadcast_id
      from waiting w, held h
    ),
    counted as (${countSlices}),
    kept as (${recordTextMoves}),
    figures as (${movedFigures})
    select (select count(*) from held) = 1 as is_mine, coalesce(sum(settled), 0)::int as settled,
      coalesce(sum(released), 0)::int as released, (select json_agg(figures) from figures) as figures,
      json_agg(json_build_object('account_id', account_id, 'message_id', message_id, 'phone', phone,
        'status_at', status_at, 'carrier_error', carrier_error)) filter (where new_status = 'opted_out') as opted_out
    from moved`.execute(trx);
  const [recorded] = rows;
  return recorded?.is_mine ? recorded : undefined;
}
