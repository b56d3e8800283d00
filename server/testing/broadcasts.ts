import { sql } from 'kysely';
import { moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import { asSystem, type Database } from '../db.ts';

export interface BroadcastOptions {
  /** Recipients, with the phones 1201xxxxxxx from `firstPhone` on. */
  count?: number;
  /** The first of those phones, so that two broadcasts go to different people. */
  firstPhone?: number;
  /** These instead, in this order. */
  phones?: string[];
  name?: string;
  body?: string;
  /** `draft`: Send wasn't pressed, and nothing is reserved. */
  status?: 'draft' | 'model' | 'scheduled' | 'broadcasting' | 'paused';
  startAt?: Date;
  perMinute?: number | null;
  /** The zone of each recipient ('' is the account's own). */
  zoneOf?: (phone: string) => string;
  /** 0 if texts cost nothing. */
  creditsEach?: number;
  isPersonalized?: boolean;
  isTextSurvey?: boolean;
  /** Quiet hours are turned off for the account, so that a test runs at any hour, unless it is about them. */
  keepsQuietHours?: boolean;
}

/** The sender, and the text number. */
export interface BroadcastSender {
  accountId: number;
  userId: number;
  textNumberId: number;
}

/** The phone of the nth recipient (from 0) of a built broadcast. */
export function recipientPhone(index: number, firstPhone = 0): string {
  return `1${2010000000 + firstPhone + index}`;
}

/**
 * A broadcast with its recipients, in the state after pressing Send: text frozen, credits reserved, due at
 * once. A statement for all recipients, so that a million are created as easily as ten.
 */
export async function aBroadcast(
  database: Database,
  sender: BroadcastSender,
  options: BroadcastOptions = {},
): Promise<number> {
  const { phones, status = 'broadcasting', body = 'School is closed today.', creditsEach = 1 } = options;
  const count = phones?.length ?? options.count ?? 10;
  const isSent = status !== 'draft' && status !== 'model';
  const credits = isSent ? count * creditsEach : 0;
  const { accountId } = sender;
  return asSystem(database, async (trx) => {
    if (options.keepsQuietHours !== true) {
      await sql`update accounts set quiet_hours_on = false where account_id = ${accountId}`.execute(trx);
    }
    const { rows } = await sql<{ broadcast_id: number }>`
      insert into broadcasts
        (account_id, user_id, name, is_text_survey, status, text_number_id, body, per_minute, sent_by_user_id,
        confirmed_at, start_at, started_at, aggregator_id, sent_body, is_personalized, credits_each, going_count,
        credits_reserved, credits_unfed, next_feed_at, merge_state)
      select ${accountId}, ${sender.userId}, ${options.name ?? 'Snow day'}, ${options.isTextSurvey ?? false}, ${status},
        ${sender.textNumberId}, ${body}, ${options.perMinute ?? null}, ${isSent ? sender.userId : null},
        case when ${isSent} then now() end, ${isSent ? (options.startAt ?? sql`now()`) : null},
        case when ${status === 'broadcasting'} then now() end, n.aggregator_id, ${isSent ? body : ''},
        ${options.isPersonalized ?? false}, ${creditsEach}, ${isSent ? count : 0}, ${credits}, ${credits},
        ${isSent ? (options.startAt ?? sql`now()`) : null}, 'none'
      from text_numbers n where n.account_id = ${accountId} and n.text_number_id = ${sender.textNumberId}
      returning broadcast_id`.execute(trx);
    const broadcastId = rows[0]?.broadcast_id ?? 0;
    const first = 2010000000 + (options.firstPhone ?? 0);
    const wanted =
      phones === undefined
        ? sql`select '1' || (${first}::bigint + i)::text as phone, '' as zone, i from generate_series(0, ${count - 1}::int) i`
        : sql`select * from unnest(${phones}::text[], ${phones.map((phone) => options.zoneOf?.(phone) ?? '')}::text[])
            with ordinality t(phone, zone, i)`;
    await sql`
      insert into broadcast_recipients (account_id, broadcast_id, phone, zone, first_name, last_name, segments)
      select ${accountId}, ${broadcastId}, w.phone, w.zone, 'Pat', 'Number ' || w.i, 1 from (${wanted}) w order by w.i`.execute(
      trx,
    );
    if (!isSent) return broadcastId;
    await sql`
      insert into broadcast_zones (account_id, broadcast_id, zone, total, opens_at)
      select account_id, broadcast_id, zone, count(*), now() from broadcast_recipients
      where account_id = ${accountId} and broadcast_id = ${broadcastId} and problem is null
      group by account_id, broadcast_id, zone`.execute(trx);
    await moveCredits(trx, [
      { accountId, kind: 'reserve', credits, note: 'Broadcast', reference: ofBroadcast(broadcastId) },
    ]);
    return broadcastId;
  });
}

export interface BroadcastTruth {
  status: string;
  heldReason: string;
  /** Texts by their state. */
  texts: Record<string, number>;
  /** Recipients who are included and have no text yet. */
  unfed: number;
  balance: number;
  reserved: number;
}

/**
 * The state of a broadcast, after comparing stored with actual figures: each recipient has at most one text,
 * the slices count the texts correctly, the ledger sums to the account, and the reserved credits are those of
 * waiting texts and recipients not fed yet.
 */
export async function checkBroadcast(database: Database, broadcastId: number): Promise<BroadcastTruth> {
  const { rows } = await sql<BroadcastTruth & { faults: string[] }>`
    with b as (select * from broadcasts where broadcast_id = ${broadcastId}),
    texts as (
      select m.* from messages m join b on m.account_id = b.account_id and m.broadcast_id = b.broadcast_id
      where not m.is_inbound
    ),
    by_status as (select status, count(*)::int as many from texts group by status),
    kept as (
      select coalesce(sum(total), 0) as total, coalesce(sum(waiting), 0) as waiting, coalesce(sum(sent), 0) as sent,
        coalesce(sum(delivered), 0) as delivered, coalesce(sum(s.read), 0) as read, coalesce(sum(failed), 0) as failed,
        coalesce(sum(invalid), 0) as invalid, coalesce(sum(opted_out), 0) as opted_out,
        coalesce(sum(canceled), 0) as canceled, coalesce(sum(settled), 0) + coalesce(sum(released), 0) as paid,
        coalesce(min(waiting), 0) as least
      from broadcast_slices s join b on s.account_id = b.account_id and s.broadcast_id = b.broadcast_id
    ),
    found as (
      select count(*) as total, count(*) filter (where status = 'waiting') as waiting,
        count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where status = 'read') as read, count(*) filter (where status = 'opted_out') as opted_out,
        count(*) filter (where status = 'canceled') as canceled,
        count(*) filter (where status in ('number_unavailable', 'blacklisted')) as invalid,
        coalesce(sum(credits) filter (where status <> 'waiting'), 0) as paid, count(distinct phone) as phones,
        coalesce(sum(credits) filter (where status = 'waiting'), 0) as held
      from texts
    ),
    recipients as (
      select count(*) filter (where r.message_id is null) as unfed, count(r.message_id) as fed
      from broadcast_recipients r join b on r.account_id = b.account_id and r.broadcast_id = b.broadcast_id
      where r.problem is null
    ),
    ledger as (
      select sum(balance_delta) as balance, sum(reserved_delta) as reserved,
        coalesce(sum(reserved_delta) filter (
          where reference_kind = 'broadcast' and reference_ids = array[b.broadcast_id]), 0) as held
      from credit_entries e join b on e.account_id = b.account_id
    )
    select b.status, b.held_reason as "heldReason", recipients.unfed, a.credit_balance as balance,
      a.credit_reserved as reserved,
      (select coalesce(jsonb_object_agg(status, many), '{}') from by_status) as texts,
      array_remove(array[
        case when found.phones < found.total then 'a phone has two texts' end,
        case when recipients.fed <> found.total then 'recipients and texts differ' end,
        case when b.fed_count <> found.total then 'fed_count is ' || b.fed_count || ' of ' || found.total end,
        case when (kept.total, kept.waiting, kept.sent, kept.delivered, kept.read, kept.opted_out, kept.canceled, kept.invalid)
          is distinct from (found.total, found.waiting, found.sent, found.delivered, found.read, found.opted_out,
            found.canceled, found.invalid) then 'slices ' || to_jsonb(kept)::text || ' are not texts ' || to_jsonb(found)::text end,
        case when kept.least < 0 then 'a slice has less than none waiting' end,
        case when kept.paid <> found.paid then 'slices paid ' || kept.paid || ', texts ' || found.paid end,
        case when (ledger.balance, ledger.reserved) is distinct from (a.credit_balance, a.credit_reserved)
          then 'the ledger does not sum to the account' end,
        case when ledger.held <> b.credits_unfed + found.held
          then 'the broadcast holds ' || b.credits_unfed + found.held || ' credits, its entries say ' || ledger.held end
      ]::text[], null) as faults
    from b join accounts a on a.account_id = b.account_id, kept, found, recipients, ledger`.execute(
    database.system,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no broadcast ${broadcastId}`);
  const { faults, ...truth } = row;
  if (faults.length > 0) throw new Error(faults.join('; '));
  return truth;
}
