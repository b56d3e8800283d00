/**
 * The send loop. A text's row in the outbox goes
 *
 *   waiting ──claim──▶ leased ──record──▶ gone (the carrier has it, or never will)
 *      ▲                 │
 *      ├── later ────────┤  certainly not taken: lease given back
 *      └── in doubt ─────┘  may have been taken, or the lease ran out: asked for before it is sent again
 *
 * A claim is one statement and commits before the carrier is called; what the carrier said is
 * recorded for the whole slice in one statement. No transaction is open while we wait for the carrier.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Carrier, HandOver, OutboundText } from '../outside/carrier.ts';
import { recordHandOvers } from './record-hand-overs.ts';
import { doubtPauseSeconds, doubtSeconds, leaseSeconds, writeSendKey } from './rules.ts';

export interface SendContext {
  database: Database;
  publicUrl: string;
  log: Log;
  metrics: Metrics;
}

interface ClaimedText {
  account_id: number;
  message_id: number;
  send_nonce: number;
  from_phone: string;
  phone: string;
  body: string;
  media_keys: string[];
  in_doubt: boolean;
  doubt_since: Date | null;
  sibling_ids: string[];
}

export interface SliceResult {
  claimed: number;
  /** Set when the carrier can't be reached or wants to be left alone: how long. */
  pauseMs: number | undefined;
}

/** Takes one slice of due texts of a carrier and hands it over. */
export async function sendSlice(context: SendContext, carrier: Carrier, size: number): Promise<SliceResult> {
  const leaseId = randomUUID();
  const claimed = await claimTexts(context.database, carrier.aggregatorId, leaseId, size);
  if (claimed.length === 0) return { claimed: 0, pauseMs: undefined };
  const texts = new Map(claimed.map((row) => [keyOf(row), row]));

  const { settled, toHand } = await settleDoubts(context, carrier, claimed);
  const handed =
    toHand.length === 0 ? [] : await carrier.hand(toHand.map((row) => toOutbound(row, context.publicUrl)));
  const results = [...settled, ...handed].map((result) => {
    const { account_id, message_id } = texts.get(result.key) ?? fail(result.key);
    return { ...result, accountId: account_id, messageId: message_id };
  });
  await recordHandOvers(context.database, leaseId, results);

  count(context.metrics, carrier, results);
  const down = results.find((result) => result.outcome === 'later' && result.isCarrierDown);
  if (down?.outcome === 'later') {
    context.log.warn(
      { carrier: carrier.name, reason: down.reason },
      'carrier does not take texts at the moment',
    );
    return { claimed: claimed.length, pauseMs: down.afterMs };
  }
  return { claimed: claimed.length, pauseMs: undefined };
}

/**
 * One statement: takes due rows that nobody holds, leaves out (and marks) those whose phone has opted
 * out in the meantime, leases the rest, and returns all that the carrier has to be told. A row whose
 * lease ran out was held by a worker that died or lost its way: it is in doubt.
 */
async function claimTexts(database: Database, aggregatorId: number, leaseId: string, size: number) {
  const { rows } = await sql<ClaimedText>`
    with due as materialized (
      select account_id, message_id, phone, ignores_opt_out
      from outbox
      where aggregator_id = ${aggregatorId} and send_at <= now()
        and (lease_until is null or lease_until < now())
      order by priority, send_at, message_id
      limit ${size}
      for update skip locked
    ),
    -- Checked here and not when it was written: STOP may have come since.
    stopped as materialized (
      select due.account_id, due.message_id
      from due join phone_consents c on c.account_id = due.account_id and c.phone = due.phone
      where c.text_state = 'out' and not due.ignores_opt_out
    ),
    dropped as (
      delete from outbox o using stopped s
      where o.account_id = s.account_id and o.message_id = s.message_id
    ),
    marked as (
      update messages m set status = 'opted_out', status_at = now()
      from stopped s
      where m.account_id = s.account_id and m.message_id = s.message_id and m.status = 'waiting'
      returning m.account_id, m.credits
    ),
    released as (
      select account_id, sum(credits) as credits from marked group by account_id having sum(credits) > 0
    ),
    paid_back as (
      update accounts a set credit_reserved = credit_reserved - r.credits
      from released r where a.account_id = r.account_id
      returning a.account_id, a.credit_balance, a.credit_reserved, r.credits
    ),
    entered as (
      insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note)
      select account_id, 'release', 0, -credits, credit_balance, credit_reserved, 'Opted out before it was sent'
      from paid_back
    ),
    leased as (
      update outbox o
      set lease_id = ${leaseId}, lease_until = now() + ${leaseSeconds} * interval '1 second',
        attempts = least(attempts + 1, 32000),
        -- A lease that ran out: whoever held it may have reached the carrier.
        in_doubt = o.in_doubt or o.lease_until is not null,
        doubt_since = case when o.lease_until is not null then coalesce(o.doubt_since, o.lease_until - ${leaseSeconds} * interval '1 second')
          else o.doubt_since end
      from due
      where o.account_id = due.account_id and o.message_id = due.message_id
        and not exists (select from stopped s where s.account_id = o.account_id and s.message_id = o.message_id)
      returning o.account_id, o.message_id, o.text_number_id, o.in_doubt, o.doubt_since
    )
    select l.account_id, l.message_id, m.send_nonce, n.phone as from_phone, m.phone, m.body, l.in_doubt, l.doubt_since,
      case when m.media_ids = '{}' then '{}' else array(
        select f.public_key from unnest(m.media_ids) with ordinality as i(media_id, place)
        join media f on f.account_id = m.account_id and f.media_id = i.media_id order by i.place) end as media_keys,
      -- Only where it matters: what else this thread has at the carrier, so that it isn't taken for this text.
      case when not l.in_doubt then '{}' else array(
        select o.carrier_message_id from messages o
        where o.account_id = m.account_id and o.text_number_id = m.text_number_id and o.phone = m.phone
          and o.carrier_message_id is not null and o.created_at > now() - interval '3 days') end as sibling_ids
    from leased l
    join messages m on m.account_id = l.account_id and m.message_id = l.message_id
    join text_numbers n on n.account_id = l.account_id and n.text_number_id = l.text_number_id
    order by l.message_id`.execute(database.system);
  return rows;
}

/**
 * Asks the carrier for the texts in doubt. Those it has are accepted. Those it hasn't are handed over
 * again where a repeat is refused; elsewhere they rest, and after two minutes are Unknown for good.
 */
async function settleDoubts(context: SendContext, carrier: Carrier, claimed: ClaimedText[]) {
  const doubtful = claimed.filter((row) => row.in_doubt);
  if (doubtful.length === 0) return { settled: [] as HandOver[], toHand: claimed };
  context.metrics.textsInDoubt.inc({ aggregator: carrier.aggregatorId }, doubtful.length);
  const settled: HandOver[] = [];
  let found: Awaited<ReturnType<Carrier['find']>>;
  try {
    found = await carrier.find(
      doubtful.map((row) => ({
        ...toOutbound(row, context.publicUrl),
        since: row.doubt_since ?? new Date(0),
        otherIds: row.sibling_ids,
      })),
    );
  } catch (error) {
    context.log.warn({ carrier: carrier.name, err: error }, 'could not ask the carrier for texts in doubt');
    const reason = 'could not be asked for at the carrier';
    const resting: HandOver[] = doubtful.map((row) => ({
      key: keyOf(row),
      outcome: 'later',
      afterMs: 2_000,
      reason,
      isCarrierDown: false,
    }));
    return { settled: resting, toHand: claimed.filter((row) => !row.in_doubt) };
  }
  const toHand = claimed.filter((row) => {
    if (!row.in_doubt) return true;
    const key = keyOf(row);
    const there = found.get(key);
    if (there !== undefined)
      settled.push({ key, outcome: 'accepted', carrierMessageId: there.carrierMessageId });
    else if (carrier.refusesRepeats) return true;
    else settled.push(restOrGiveUp(row, key));
    return false;
  });
  return { settled, toHand };
}

function restOrGiveUp(row: ClaimedText, key: string): HandOver {
  const sinceMs = row.doubt_since?.getTime() ?? 0;
  if (nowMs() - sinceMs > doubtSeconds * 1000) {
    return {
      key,
      outcome: 'refused',
      status: 'unknown',
      error: 'The carrier did not say whether it took this text',
    };
  }
  return {
    key,
    outcome: 'later',
    afterMs: doubtPauseSeconds * 1000,
    reason: 'in doubt',
    isCarrierDown: false,
  };
}

function keyOf(row: ClaimedText): string {
  return writeSendKey({ accountId: row.account_id, messageId: row.message_id, nonce: row.send_nonce });
}

function toOutbound(row: ClaimedText, publicUrl: string): OutboundText {
  return {
    key: keyOf(row),
    from: row.from_phone,
    to: row.phone,
    body: row.body,
    mediaUrls: row.media_keys.map((key) => `${publicUrl}/media/${key}`),
  };
}

function count(metrics: Metrics, carrier: Carrier, results: HandOver[]): void {
  const aggregator = String(carrier.aggregatorId);
  const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
  if (accepted > 0) metrics.textsHanded.inc({ aggregator }, accepted);
  for (const kind of ['later', 'doubt'] as const) {
    const many = results.filter(({ outcome }) => outcome === kind).length;
    if (many > 0) metrics.carrierErrors.inc({ aggregator, kind }, many);
  }
}

function fail(key: string): never {
  throw new Error(`the carrier answered for ${key}, which it was not given`);
}
