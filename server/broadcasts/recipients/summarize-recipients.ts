import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type {
  ContactSummary,
  getContactSummary as definition,
  RecipientProblem,
} from '../../../contract/draft-recipients.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { isChangingRecipients, recipientsOf, requireDraft } from '../draft/queries.ts';
import { zoneLabel } from '../draft/rules.ts';
import { problemColumn } from './judge-calls.ts';
import type { Tally } from './judge-recipients.ts';

/** The counts of a broadcast's recipients, as stored in its row. Nothing else counts recipients. */
export interface KeptSummary {
  total: number;
  good: number;
  leftOut: Partial<Record<RecipientProblem, number>>;
  /** Those who get it, by broadcast_recipients.zone. */
  zones: Record<string, number>;
  /** Those who get it, by the segments of their text; '' before a merge has set them. */
  segments: Record<string, number>;
  /** Everybody from a source, except those who were removed by hand. */
  sources: Record<string, number>;
}

export function emptySummary(): KeptSummary {
  return { total: 0, good: 0, leftOut: {}, zones: {}, segments: {}, sources: {} };
}

/** The counts with these added. */
export function withTallies(kept: KeptSummary, tallies: Tally[]): KeptSummary {
  const sum: KeptSummary = structuredClone(kept);
  const add = <Key extends string>(counts: Partial<Record<Key, number>>, key: Key, count: number) => {
    counts[key] = (counts[key] ?? 0) + count;
  };
  for (const { zone, problem, segments, sourceId, count } of tallies) {
    sum.total += count;
    if (problem === null) {
      sum.good += count;
      add(sum.zones, zone, count);
      add(sum.segments, segments === null ? '' : String(segments), count);
    } else add(sum.leftOut, problem, count);
    if (problem !== 'excluded') add(sum.sources, String(sourceId ?? 0), count);
  }
  return sum;
}

/**
 * The stored counts if nothing has changed since; otherwise counts in one statement and stores the result. A
 * million take half a second. Code that changes `problem` or `segments` of recipients without raising
 * recipients_version must clear summary_version in the same transaction.
 */
export async function summarizeRecipients(
  trx: Trx,
  accountId: number,
  broadcastId: number,
): Promise<KeptSummary> {
  const row = await trx
    .selectFrom('broadcasts')
    .select(['recipients_version', 'summary_version', 'summary'])
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirstOrThrow();
  if (row.summary !== null && row.summary_version === row.recipients_version) {
    return row.summary as unknown as KeptSummary;
  }
  const { rows } = await sql<Tally>`
    select zone, problem, segments, source_id as "sourceId", count(*) as count
    from broadcast_recipients r where ${recipientsOf(accountId, broadcastId)}
    group by zone, problem, segments, source_id`.execute(trx);
  const summary = withTallies(emptySummary(), rows);
  // A transaction that holds the row is about to change it: then the result isn't stored, and nobody waits.
  await sql`
    update broadcasts set summary = ${JSON.stringify(summary)}::jsonb, summary_version = ${row.recipients_version}
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and recipients_version = ${row.recipients_version}
      and broadcast_id in (
        select broadcast_id from broadcasts where account_id = ${accountId} and broadcast_id = ${broadcastId}
        for no key update skip locked)`.execute(trx);
  return summary;
}

export async function getContactSummary(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const { broadcast_id } = await requireDraft(trx, actor, params.DraftBroadcastID);
  return toContactSummary(trx, actor, broadcast_id);
}

/** The same in the API's format. */
export async function toContactSummary(trx: Trx, actor: Actor, broadcastId: number): Promise<ContactSummary> {
  const kept = await shownSummary(trx, actor.accountId, broadcastId);
  const isChanging = await isChangingRecipients(trx, actor.accountId, broadcastId);
  const { time_zone } = await trx
    .selectFrom('accounts')
    .select('time_zone')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const { is_set_aside } = await trx
    .selectFrom('broadcasts')
    .select(sql<boolean>`frequency_set_aside_at is not null`.as('is_set_aside'))
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .executeTakeFirstOrThrow();
  const sources = await trx
    .selectFrom('broadcast_sources')
    .select(['source_id as SourceID', 'kind as Kind', 'name as Name'])
    .where('account_id', '=', actor.accountId)
    .where('broadcast_id', '=', broadcastId)
    .orderBy('source_id')
    .execute();
  return {
    Total: kept.total,
    Good: kept.good,
    LeftOut: byCount(kept.leftOut).map(([problem, Count]) => ({
      Problem: problem as RecipientProblem,
      Count,
    })),
    Zones: byCount(placed(kept.zones, time_zone)).map(([zone, Count]) => ({
      Zones: zone.split(','),
      Label: zoneLabel(zone),
      Count,
    })),
    Sources: sources
      .map((source) => ({ ...source, Count: kept.sources[source.SourceID] ?? 0 }))
      .filter(({ Count }) => Count > 0 || isChanging),
    IsFrequencySetAside: is_set_aside,
  };
}

/** For a broadcast that calls, the good ones are those whom a text or a call reaches. */
async function shownSummary(trx: Trx, accountId: number, broadcastId: number): Promise<KeptSummary> {
  const kept = await summarizeRecipients(trx, accountId, broadcastId);
  const { column, isOfCalls } = await problemColumn(trx, accountId, broadcastId);
  if (!isOfCalls) return kept;
  const { rows } = await sql<Tally>`
    select zone, ${column} as problem, null::smallint as segments, source_id as "sourceId", count(*) as count
    from broadcast_recipients r where ${recipientsOf(accountId, broadcastId)}
    group by 1, 2, 4`.execute(trx);
  return withTallies(emptySummary(), rows);
}

/** People with phones of unknown location are counted in the account's own zone. */
function placed(zones: Record<string, number>, accountZone: string): Record<string, number> {
  const { '': unknown = 0, ...known } = zones;
  return unknown === 0 ? known : { ...known, [accountZone]: (known[accountZone] ?? 0) + unknown };
}

/** The largest first. */
function byCount(counts: Partial<Record<string, number>>): [string, number][] {
  return Object.entries(counts)
    .map(([key, count]): [string, number] => [key, count ?? 0])
    .filter(([, count]) => count > 0)
    .sort(([a, more], [b, fewer]) => fewer - more || a.localeCompare(b));
}
