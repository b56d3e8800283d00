/**
 * The send loop. A text's row in the outbox goes
 *
 *   waiting ──claim──▶ leased ──record──▶ gone (the carrier has it, or never will)
 *      ▲                 │
 *      ├── later ────────┤  certainly not accepted: lease given back
 *      └── in doubt ─────┘  may have been accepted, or the lease expired: the carrier is asked before a retry
 *
 * Texts of a broadcast enter the outbox only when something went wrong: feeding hands them over at once (send-slice.ts).
 * A claim is one statement and commits before the carrier is called. The carrier's answer is recorded for the whole
 * slice in one statement. No transaction is open while we wait for the carrier.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import { linkTo } from '../media-links.ts';
import type { Metrics } from '../metrics.ts';
import type { Carrier, HandOver, OutboundText } from '../outside/carrier.ts';
import { type ClaimedText, claimTexts, closeStopped, isAnyDue } from '../texts/claim-texts.ts';
import { recordHandOvers } from '../texts/record-hand-overs.ts';
import { doubtPauseSeconds, doubtSeconds, writeSendKey } from '../texts/rules.ts';
import { matchHandOvers } from './match-hand-overs.ts';

export interface SendContext {
  database: Database;
  publicUrl: string;
  log: Log;
  metrics: Metrics;
  /** Called with the result of each slice. */
  noteResults?(carrier: Carrier, results: HandOver[]): Promise<void>;
}

export interface SliceResult {
  claimed: number;
  /** Time to pause, if the carrier can't be reached or asks for a pause. */
  pauseMs: number | undefined;
}

/** Takes one slice of due texts of a carrier and hands it over. */
export async function sendSlice(context: SendContext, carrier: Carrier, size: number): Promise<SliceResult> {
  if (!(await isAnyDue(context.database, carrier.aggregatorId))) return { claimed: 0, pauseMs: undefined };
  const leaseId = randomUUID();
  const { claimed, hasStopped } = await claimTexts(context.database, carrier.aggregatorId, leaseId, size);
  const pauseMs = claimed.length === 0 ? undefined : await handOver(context, carrier, leaseId, claimed);
  // Afterwards: if it fails, no claimed text is in doubt, and the next claim finds them again.
  if (hasStopped) await closeStopped(context.database, carrier.aggregatorId, size);
  return { claimed: claimed.length, pauseMs };
}

/** Returns how long the carrier asks us to pause. */
async function handOver(
  context: SendContext,
  carrier: Carrier,
  leaseId: string,
  claimed: ClaimedText[],
): Promise<number | undefined> {
  const { settled, toHand } = await settleDoubts(context, carrier, claimed);
  const handed =
    toHand.length === 0 ? [] : await carrier.hand(toHand.map((row) => toOutbound(row, context.publicUrl)));
  const given = new Map(claimed.map((row) => [keyOf(row), row]));
  const results = matchHandOvers(context, given, [...settled, ...handed]).map(({ text, ...result }) => ({
    ...result,
    accountId: text.account_id,
    messageId: text.message_id,
  }));
  await recordHandOvers(context.database, leaseId, results);

  countHandOvers(context.metrics, carrier, results);
  // Texts settled without handing over say nothing about the carrier.
  await context.noteResults?.(carrier, handed);
  return pauseOf(context, carrier, results);
}

/** Time that the carrier asks us to pause; undefined if it doesn't. */
export function pauseOf(context: SendContext, carrier: Carrier, results: HandOver[]): number | undefined {
  const down = results.find((result) => result.outcome === 'later' && result.isCarrierDown);
  if (down?.outcome !== 'later') return undefined;
  context.log.warn(
    { carrier: carrier.name, reason: down.reason },
    'carrier does not take texts at the moment',
  );
  return down.afterMs;
}

/**
 * Asks the carrier about the texts in doubt. Texts that it has are accepted. The others are handed over again
 * if the carrier refuses repeats, unless their broadcast was canceled. With other carriers they wait, and
 * after two minutes they are permanently Unknown.
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
    context.log.warn({ carrier: carrier.name, err: error }, 'could not ask the carrier about texts in doubt');
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
    else if (carrier.refusesRepeats && row.is_canceled)
      settled.push({ key, outcome: 'refused', status: 'canceled', error: '' });
    else if (carrier.refusesRepeats) return true;
    else settled.push(restOrGiveUp(row, key));
    return false;
  });
  return { settled, toHand };
}

function restOrGiveUp(row: ClaimedText, key: string): HandOver {
  if (row.doubt_seconds === null || row.doubt_seconds > doubtSeconds) {
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
    rcsAgent: row.rcs_agent,
    to: row.phone,
    body: row.body,
    mediaUrls: row.media_keys.map((key) => publicUrl + linkTo(`/media/${key}`, 'carrier')),
  };
}

export function countHandOvers(metrics: Metrics, carrier: Carrier, results: HandOver[]): void {
  const aggregator = String(carrier.aggregatorId);
  const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
  if (accepted > 0) metrics.textsHanded.inc({ aggregator }, accepted);
  for (const kind of ['later', 'doubt'] as const) {
    const many = results.filter(({ outcome }) => outcome === kind).length;
    if (many > 0) metrics.carrierErrors.inc({ aggregator, kind }, many);
  }
}
