import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import { againAfterDeadlock } from '../again-after-deadlock.ts';
import { type CreditMove, moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { type CarrierOptOut, recordCarrierOptOuts } from '../consents/record-carrier-opt-outs.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { HandOver } from '../outside/carrier.ts';
import { recordTextMoves } from '../record-text-moves.ts';
import { countDays, type DayFigures } from './count-days.ts';
import { carrierOf, countResults } from './count-results.ts';
import { countSlices } from './count-slices.ts';
import { doubtPauseSeconds, leaseSeconds } from './rules.ts';

type Result = HandOver & { accountId: number; messageId: number };

interface Moved {
  account_id: number;
  message_id: number;
  conversation_id: number | null;
  broadcast_id: number | null;
  settled: number;
  released: number;
  zone: string;
  created_at: Date;
  text_number_id: number;
  user_id: number | null;
  is_sent: boolean;
  is_lost: boolean;
  /** Whoever takes the text, as far as somebody looked it up. */
  network: string;
  new_status: string;
}

function toFigures(text: Moved): DayFigures {
  return {
    accountId: text.account_id,
    zone: text.zone,
    atMs: text.created_at.getTime(),
    textNumberId: text.text_number_id,
    userId: text.user_id,
    isBroadcast: text.broadcast_id !== null,
    sent: text.is_sent ? 1 : 0,
    failed: text.is_lost ? 1 : 0,
    credits: text.settled,
  };
}

/**
 * Records the outcome of a slice in one transaction: rows leave the outbox or rest in it, statuses move forward,
 * opt-outs that the carrier reports become ours, credits are settled or released, and the day's counts and the notices
 * follow. If another worker has taken a row's lease in the meantime, the row is left to that worker.
 */
export async function recordHandOvers(database: Database, leaseId: string, results: Result[]): Promise<void> {
  await againAfterDeadlock(() =>
    asSystem(database, async (trx) => {
      const moved = await recordOutcomes(trx, leaseId, results);
      await countDays(trx, moved.map(toFigures));
      await countResults(
        trx,
        moved
          .filter((text) => text.is_sent || text.is_lost)
          .map((text) => ({
            accountId: text.account_id,
            zone: text.zone,
            atMs: text.created_at.getTime(),
            textNumberId: text.text_number_id,
            carrier: text.network,
            from: null,
            to: text.new_status,
            texts: 1,
          })),
      );
      // Locks credits before consents, as applying inbound texts does.
      await settleMoved(trx, moved);
      await recordCarrierOptOuts(
        trx,
        moved.filter((text) => text.is_opt_out),
      );
    }),
  );
}

async function recordOutcomes(
  trx: Trx,
  leaseId: string,
  results: Result[],
): Promise<(Moved & CarrierOptOut & { is_opt_out: boolean })[]> {
  const column = <T>(pick: (result: Result) => T) => results.map(pick);
  const { rows } = await sql<Moved & CarrierOptOut & { is_opt_out: boolean }>`
    with outcome as (
      select * from unnest(
        ${column((r) => r.accountId)}::bigint[],
        ${column((r) => r.messageId)}::bigint[],
        ${column((r) => r.outcome)}::text[],
        ${column((r) => (r.outcome === 'refused' ? r.status : 'sent'))}::text[],
        ${column((r) => (r.outcome === 'accepted' ? r.carrierMessageId : null))}::text[],
        ${column((r) => (r.outcome === 'refused' ? r.error : null))}::text[],
        ${column((r) => (r.outcome === 'later' ? Math.ceil(r.afterMs) : doubtPauseSeconds * 1000))}::integer[]
      ) as o(account_id, message_id, outcome, status, carrier_message_id, error, after_ms)
    ),
    -- Locks the text's row first, in the order of its key, then its row in the outbox: the same order as in
    -- apply-receipts.ts, which may be working on the same texts.
    mine as materialized (
      select o.* from outcome o
      join messages m on m.account_id = o.account_id and m.message_id = o.message_id
      join outbox b on b.account_id = o.account_id and b.message_id = o.message_id
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
        -- The time of the claim: the carrier may have taken the text at any time since.
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
        new.status = 'opted_out' and old.status <> 'opted_out' as is_opt_out,
        m.broadcast_id, m.slice_id, old.status as old_status, new.status as new_status,
        -- Whoever moves a text on from waiting counts it and pays for it: a receipt may have been quicker.
        old.status = 'waiting' and gone.outcome = 'accepted' as is_sent,
        -- One that was canceled while in doubt was taken back, not lost.
        old.status = 'waiting' and gone.outcome <> 'accepted' and gone.status <> 'canceled' as is_lost,
        case when old.status = 'waiting' and gone.outcome = 'accepted' then m.credits else 0 end as settled,
        case when old.status = 'waiting' and gone.outcome <> 'accepted' then m.credits else 0 end as released
    ),
    sliced as (${countSlices}),
    kept as (${recordTextMoves})
    select a.time_zone as zone, m.created_at, m.text_number_id, m.user_id, m.is_sent, m.is_lost, m.new_status,
      ${carrierOf('m')} as network, m.account_id, m.message_id, m.phone, m.settled, m.released, m.is_opt_out, m.status_at, m.carrier_error,
      m.broadcast_id, c.conversation_id
    from moved m
    join accounts a on a.account_id = m.account_id
    left join conversations c on m.origin <> 'broadcast'
      and c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone`.execute(
    trx,
  );
  return rows;
}

/** Credits and notices for texts that have left the outbox. */
async function settleMoved(trx: Trx, moved: Moved[]): Promise<void> {
  const byAccount = [...Map.groupBy(moved, (text) => text.account_id)].sort(([a], [b]) => a - b);
  for (const [accountId, texts] of byAccount) {
    const moves = movesOf(accountId, texts);
    await moveCredits(trx, moves);
    const events: Event[] = texts
      .filter((text) => text.conversation_id !== null)
      .map((text) => ({
        type: 'message.changed',
        ConversationID: text.conversation_id as number,
        TextMessageID: text.message_id,
      }));
    const broadcasts = new Set(texts.flatMap((text) => text.broadcast_id ?? []));
    for (const BroadcastID of broadcasts) events.push({ type: 'broadcast.changed', BroadcastID });
    if (moves.some(({ credits }) => credits > 0)) events.push({ type: 'credits.changed' });
    await notify(trx, accountId, events);
  }
}

/** One entry per broadcast, and one for all texts outside of broadcasts. */
function movesOf(accountId: number, texts: Moved[]): CreditMove[] {
  return [...Map.groupBy(texts, (text) => text.broadcast_id)].flatMap(([broadcastId, own]) => {
    const move = (kind: 'settle' | 'release', column: 'settled' | 'released', note: string): CreditMove => {
      const paid = own.filter((text) => text[column] > 0);
      return {
        accountId,
        kind,
        credits: paid.reduce((credits, text) => credits + text[column], 0),
        note,
        reference:
          broadcastId === null
            ? { kind: 'text', ids: paid.map((text) => text.message_id) }
            : ofBroadcast(broadcastId),
      };
    };
    return [
      move('settle', 'settled', 'Texts handed to the carrier'),
      move('release', 'released', 'Texts that were not sent'),
    ];
  });
}
