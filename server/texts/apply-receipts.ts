import { type RawBuilder, sql } from 'kysely';
import { textStatuses } from '../../contract/delivery/text-status.ts';
import type { Event } from '../../contract/events.ts';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { type CreditMove, moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from '../consents/record-carrier-opt-outs.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Receipt } from '../outside/carrier.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countDays, type DayFigures } from './count-days.ts';
import { carrierOf, countResults, type MovedResults, quarterHourOf } from './count-results.ts';
import { countSlices } from './count-slices.ts';
import type { SendKey } from './rules.ts';

/** A receipt with a key of ours. */
export type OwnReceipt = Receipt & SendKey;

/**
 * Takes stored receipts, up to `size` at a time, and moves their texts' statuses forward. Receipts that come twice,
 * late or in the wrong order change nothing. A receipt for a text that is still in the outbox proves that the carrier
 * has it: the text leaves the outbox and is never sent again. A receipt that says "opted out" is recorded as the
 * phone's opt-out too. Returns how many receipts were taken.
 */
export async function applyReceipts(database: Database, size: number): Promise<number> {
  return againAfterDeadlock(() =>
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
          -- In the order of the key, as everywhere that touches many texts at once.
          latest as materialized (
            select distinct on (account_id, message_id, send_nonce) *
            from batch
            order by account_id, message_id, send_nonce, text_status_rank(status) desc, receipt_id desc
          )`,
      ),
    ),
  );
}

/** Applies receipts without storing them first. They are applied once this has committed. */
export async function applyAtOnce(database: Database, receipts: OwnReceipt[]): Promise<void> {
  const latest = furthest(receipts);
  // Serialized by hand: the driver would inspect each of thousands of values.
  const column = (pick: (receipt: OwnReceipt) => number | string) => `{${latest.map(pick).join()}}`;
  const texts = (pick: (receipt: OwnReceipt) => string | null) =>
    latest.every((receipt) => pick(receipt) === null)
      ? sql`array_fill(null::text, array[${latest.length}::int])`
      : sql`${latest.map(pick)}::text[]`;
  await againAfterDeadlock(() =>
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
              ${column((r) => r.occurredAt.getTime())}::float8[], ${texts((r) => r.carrierMessageId)},
              ${texts((r) => r.error)}
            ) as t(account_id, message_id, send_nonce, status, ms, carrier_message_id, carrier_error)
          ),
          latest as materialized (select * from batch)`,
      ),
    ),
  );
}

/** Of several receipts for one text, the furthest; ordered by key. */
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

interface Changed {
  account_id: number;
  /** One for each broadcast, and one without an id for texts that belong to no broadcast. */
  parts: { broadcast_id: number | null; settled: number; settled_ids: number[] | null }[];
  texts: { conversation_id: number; message_id: number }[] | null;
}

/** `source` defines all receipts (`batch`) and the furthest of each text (`latest`). */
async function moveForward(trx: Trx, source: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    taken: number;
    changed: Changed[] | null;
    days: DayFigures[] | null;
    results: MovedResults[] | null;
    opted_out: CarrierOptOut[] | null;
  }>`
    with ${source},
    moved as (
      update messages m
      set status = l.status, status_at = l.occurred_at, handed_at = coalesce(m.handed_at, now()),
        carrier_message_id = coalesce(m.carrier_message_id, l.carrier_message_id),
        carrier_error = l.carrier_error,
        -- It was given up and its credits went back: it stays free.
        credits = case when m.status <> 'waiting' and m.handed_at is null then 0 else m.credits end
      from latest l
      where m.account_id = l.account_id and m.message_id = l.message_id and m.send_nonce = l.send_nonce
        and not m.is_inbound and text_status_rank(l.status) > text_status_rank(m.status)
      returning m.account_id, m.message_id, m.text_number_id, m.phone, m.origin, m.user_id, m.created_at, m.broadcast_id,
        m.slice_id, old.status as old_status, new.status as new_status, new.status_at, new.carrier_error,
        -- Sent now, as far as the days' figures know; and whether they knew the text at all: one that was taken back before
        -- a carrier had it isn't in them (also in server/texts/recount-days.ts).
        old.handed_at is null as is_first,
        old.handed_at is not null or old.status <> 'waiting' and old.status <> 'canceled' and old.carrier_error is not null
          as was_counted,
        -- Whoever takes a text out of the outbox pays for it. A slice being handed over stands for its texts.
        case when old.status = 'waiting' then m.credits else 0 end as settled, 0 as released
    ),
    proven as (
      delete from outbox o using moved m
      where m.old_status = 'waiting' and o.account_id = m.account_id and o.message_id = m.message_id
      returning o.message_id
    ),
    sliced as (${countSlices}),
    kept as (${recordTextMoves}),
    -- For the days' figures, which are counted afterwards: local days don't come from PostgreSQL.
    counted as (
      select m.account_id as "accountId", a.time_zone as zone,
        floor(extract(epoch from m.created_at) * 1000)::float8 as "atMs", m.text_number_id as "textNumberId",
        m.user_id as "userId", m.is_broadcast as "isBroadcast",
        coalesce(sum(many) filter (where is_first), 0)::int as sent,
        coalesce(sum(many) filter (where new_rank >= 4 and old_rank < 4), 0)::int as delivered,
        (coalesce(sum(many) filter (where new_rank = 3), 0) - coalesce(sum(many) filter (where old_rank = 3 and was_counted), 0))::int as failed,
        sum(settled)::int as credits
      from (
        select account_id, created_at, text_number_id, user_id, broadcast_id is not null as is_broadcast,
          is_first, was_counted, text_status_rank(old_status) as old_rank, text_status_rank(new_status) as new_rank,
          count(*) as many, sum(settled) as settled
        from moved
        group by account_id, created_at, text_number_id, user_id, broadcast_id is not null, is_first, was_counted,
          old_status, new_status) m
      join accounts a on a.account_id = m.account_id
      -- Has the outbox done before the slices, in the one order of locks: parts that nobody reads run last one first.
      where (select count(*) from proven) + (select count(*) from sliced) >= 0
      group by 1, 2, 3, 4, 5, 6
    ),
    results as (
      select m.account_id as "accountId", a.time_zone as zone, m."atMs", m.text_number_id as "textNumberId", m.carrier,
        m."from", m.new_status as "to", count(*)::int as texts
      from (
        select m.account_id, ${quarterHourOf('m.created_at')} as "atMs", m.text_number_id, ${carrierOf('m')} as carrier,
          case when m.was_counted then m.old_status end as "from", m.new_status
        from moved m) m
      join accounts a on a.account_id = m.account_id
      group by 1, 2, 3, 4, 5, 6, 7
    ),
    shown as (
      select m.account_id, m.message_id, c.conversation_id
      from moved m
      join conversations c on c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone
      where m.origin <> 'broadcast'
    ),
    changed as (
      select m.account_id,
        json_agg(json_build_object('broadcast_id', m.broadcast_id, 'settled', m.settled, 'settled_ids', m.settled_ids))
          as parts,
        (select json_agg(s) from shown s where s.account_id = m.account_id) as texts
      from (
        select account_id, broadcast_id, sum(settled)::int as settled,
          array_agg(message_id) filter (where settled > 0 and broadcast_id is null) as settled_ids
        from moved group by account_id, broadcast_id) m
      group by m.account_id
      order by m.account_id
    ),
    opted_out as (
      select account_id, message_id, phone, status_at, carrier_error from moved where new_status = 'opted_out'
    )
    select (select count(*) from batch) as taken, (select json_agg(changed) from changed) as changed,
      (select json_agg(counted) from counted) as days, (select json_agg(results) from results) as results,
      (select json_agg(opted_out) from opted_out) as opted_out`.execute(trx);
  const { taken = 0, changed = null, days = null, results = null, opted_out = null } = rows[0] ?? {};
  await countDays(trx, days ?? []);
  await countResults(trx, results ?? []);
  // Locks credits before consents, as applying inbound texts does.
  for (const account of changed ?? []) await settle(trx, account);
  await recordCarrierOptOuts(trx, opted_out ?? []);
  return taken;
}

async function settle(trx: Trx, { account_id: accountId, ...changed }: Changed): Promise<void> {
  const moves = changed.parts.map(
    (part): CreditMove => ({
      accountId,
      kind: 'settle',
      credits: part.settled,
      note: 'Texts that a receipt proved sent',
      reference:
        part.broadcast_id === null
          ? { kind: 'text', ids: part.settled_ids ?? [] }
          : ofBroadcast(part.broadcast_id),
    }),
  );
  await moveCredits(trx, moves);
  const events: Event[] = (changed.texts ?? []).map((text) => ({
    type: 'message.changed',
    ConversationID: text.conversation_id,
    TextMessageID: text.message_id,
  }));
  for (const { broadcast_id: BroadcastID } of changed.parts) {
    if (BroadcastID !== null) events.push({ type: 'broadcast.changed', BroadcastID });
  }
  if (moves.some(({ credits }) => credits > 0)) events.push({ type: 'credits.changed' });
  await notify(trx, accountId, events);
}
