import { type RawBuilder, sql } from 'kysely';
import { textStatuses } from '../../contract/delivery/text-status.ts';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from '../consents/record-carrier-opt-outs.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { Receipt } from '../outside/carrier.ts';
import { prepared } from '../prepared.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countMoved, type MovedFigures, movedFigures } from './count-moved.ts';
import { countSlices } from './count-slices.ts';
import type { SendKey } from './rules.ts';
import { type MovedPart, movedParts, type ShownText, settleMoved, shownTexts } from './settle-moved.ts';

/** A receipt with a key of ours. */
export type OwnReceipt = Receipt & SendKey;

/**
 * Processes stored receipts, up to `size` at a time, and moves their texts' statuses forward. Receipts that
 * arrive twice, late or in the wrong order change nothing. A receipt for a text that is still in the outbox
 * proves that the carrier has it: the text leaves the outbox and is never sent again. A receipt that says
 * "opted out" is recorded as the phone's opt-out too. Returns how many receipts were processed; `tellOfTwice`
 * gets how many of the moved texts another carrier, or another text there, already had.
 */
export async function applyReceipts(
  database: Database,
  size: number,
  tellOfTwice?: (texts: number) => void,
): Promise<number> {
  const { taken, twice } = await againAfterDeadlock(() =>
    asSystem(database, (trx) =>
      moveForward(
        trx,
        sql`
          batch as (
            delete from carrier_receipts
            where receipt_id = any(array(
              select receipt_id from carrier_receipts order by receipt_id limit ${size} for update skip locked))
            returning *
          ),
          -- In the order of the key, like all statements that change many texts at once.
          latest as materialized (
            select distinct on (account_id, message_id, send_nonce) *
            from batch
            order by account_id, message_id, send_nonce, text_status_rank(status) desc, receipt_id desc
          )`,
      ),
    ),
  );
  tellOfTwice?.(twice);
  return taken;
}

/** Applies receipts without storing them first. They are applied once this has committed. */
export async function applyAtOnce(
  database: Database,
  receipts: OwnReceipt[],
  tellOfTwice?: (texts: number) => void,
): Promise<void> {
  const latest = furthest(receipts);
  // Serialized by hand: the driver would inspect each of thousands of values.
  const column = (pick: (receipt: OwnReceipt) => number | string) => `{${latest.map(pick).join()}}`;
  const texts = (pick: (receipt: OwnReceipt) => string | null) =>
    latest.every((receipt) => pick(receipt) === null) ? null : latest.map(pick);
  const { twice } = await againAfterDeadlock(() =>
    asSystem(database, (trx) =>
      moveForward(
        trx,
        sql`
          batch as materialized (
            select account_id, message_id, send_nonce, status, to_timestamp(ms / 1000.0) as occurred_at,
              carrier_message_id, carrier_error
            from unnest(
              ${column((r) => r.accountId)}::bigint[], ${column((r) => r.messageId)}::bigint[],
              ${column((r) => r.nonce)}::integer[], ${column((r) => r.status)}::text[],
              ${column((r) => r.occurredAt.getTime())}::float8[], ${texts((r) => r.carrierMessageId)}::text[],
              ${texts((r) => r.error)}::text[]
            ) as t(account_id, message_id, send_nonce, status, ms, carrier_message_id, carrier_error)
          ),
          latest as materialized (select * from batch)`,
      ),
    ),
  );
  tellOfTwice?.(twice);
}

/** The furthest receipt of each text; ordered by key. */
function furthest(receipts: OwnReceipt[]): OwnReceipt[] {
  const found = new Map<string, OwnReceipt>();
  for (const receipt of receipts) {
    const other = found.get(receipt.key);
    if (other === undefined || textStatuses[receipt.status].rank >= textStatuses[other.status].rank) {
      found.set(receipt.key, receipt);
    }
  }
  return [...found.values()].sort((a, b) => a.accountId - b.accountId || a.messageId - b.messageId);
}

/** `source` defines all receipts (`batch`) and the furthest of each text (`latest`). */
async function moveForward(trx: Trx, source: RawBuilder<unknown>): Promise<{ taken: number; twice: number }> {
  const { rows } = await sql<{
    taken: number;
    twice: number;
    figures: MovedFigures[] | null;
    parts: MovedPart[] | null;
    shown: ShownText[] | null;
    opted_out: CarrierOptOut[] | null;
  }>`
    ${prepared} with ${source},
    moved as (
      update messages m
      set status = l.status, status_at = l.occurred_at, handed_at = coalesce(m.handed_at, now()),
        carrier_message_id = coalesce(m.carrier_message_id, l.carrier_message_id),
        carrier_error = l.carrier_error,
        -- It was given up and its credits were returned: it stays free.
        credits = case when m.status <> 'waiting' and m.handed_at is null then 0 else m.credits end
      from latest l
      where m.account_id = l.account_id and m.message_id = l.message_id and m.send_nonce = l.send_nonce
        and not m.is_inbound and text_status_rank(l.status) > text_status_rank(m.status)
      returning m.account_id, m.message_id, m.text_number_id, m.phone, m.origin, m.user_id, m.created_at, m.broadcast_id,
        m.slice_id, old.status as old_status, new.status as new_status, new.status_at, new.carrier_error,
        -- Sent now, according to the daily figures; and whether they included the text at all: one that was
        -- withdrawn before a carrier had it isn't in them (also in server/reports/recount-figures.ts).
        (old.handed_at is null)::int as sent,
        (text_status_rank(new.status) >= 4 and text_status_rank(old.status) < 4)::int as delivered,
        (text_status_rank(new.status) = 3)::int - (text_status_rank(old.status) = 3 and (old.handed_at is not null
          or old.status <> 'waiting' and old.status <> 'canceled' and old.carrier_error is not null))::int as failed,
        case when old.handed_at is not null or old.status <> 'waiting' and old.status <> 'canceled'
          and old.carrier_error is not null then old.status end as counted_from,
        new.status as counted_to,
        -- It was handed over as another text, or by a carrier that returns no ids. SMPP returns one for each
        -- part.
        old.handed_at is not null and old.carrier_message_id is distinct from l.carrier_message_id and not exists (
          select from carrier_ids i where i.account_id = m.account_id and i.message_id = m.message_id) as is_twice,
        -- The statement that removes a text from the outbox pays for it. A slice being handed over counts as
        -- its texts.
        case when old.status = 'waiting' then m.credits else 0 end as settled, 0 as released
    ),
    proven as (
      delete from outbox o using moved m
      where m.old_status = 'waiting' and o.account_id = m.account_id and o.message_id = m.message_id
      returning o.message_id
    ),
    sliced as (${countSlices}),
    kept as (${recordTextMoves}),
    -- Runs the outbox part before the slices, in the common order of locks: parts that nothing reads run in
    -- reverse order.
    figures as (
      select f.* from (${movedFigures}) f where (select count(*) from proven) + (select count(*) from sliced) >= 0
    ),
    parts as (${movedParts}),
    shown as (${shownTexts}),
    opted_out as (
      select account_id, message_id, phone, status_at, carrier_error from moved where new_status = 'opted_out'
    )
    select (select count(*) from batch) as taken, (select count(*) from moved where is_twice) as twice,
      (select json_agg(figures) from figures) as figures,
      (select json_agg(parts) from parts) as parts, (select json_agg(shown) from shown) as shown,
      (select json_agg(opted_out) from opted_out) as opted_out`.execute(trx);
  const {
    taken = 0,
    twice = 0,
    figures = null,
    parts = null,
    shown = null,
    opted_out = null,
  } = rows[0] ?? {};
  await countMoved(trx, figures ?? []);
  // Locks credits before consents, in the same order as for inbound texts.
  await settleMoved(trx, parts ?? [], shown ?? [], 'Texts that a receipt proved sent');
  await recordCarrierOptOuts(trx, opted_out ?? []);
  return { taken, twice };
}
