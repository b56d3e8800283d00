import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { InboundPart } from '../outside/carrier.ts';

/** Minutes to wait for the missing parts of a text. After that it is shown with a gap. */
const patienceMinutes = 10;
/** Shown in place of a missing part. */
const gap = ' […] ';

/**
 * Stores parts of inbound texts and assembles the texts that are complete. A part that arrives twice counts once. Returns
 * whether a text became complete.
 */
export async function putParts(trx: Trx, aggregatorId: number, parts: InboundPart[]): Promise<boolean> {
  if (parts.length === 0) return false;
  const column = <T>(pick: (part: InboundPart) => T) => parts.map(pick);
  await lockParts(trx);
  await sql`
    insert into inbound_parts (aggregator_id, from_phone, to_phone, reference, parts, part, body, occurred_at)
    select ${aggregatorId}, * from unnest(
      ${column((p) => p.from)}::text[], ${column((p) => p.to)}::text[], ${column((p) => p.reference)}::integer[],
      ${column((p) => p.parts)}::smallint[], ${column((p) => p.part)}::smallint[], ${column((p) => p.body)}::text[],
      ${column((p) => p.occurredAt)}::timestamptz[])
    on conflict do nothing`.execute(trx);
  return (await putTogether(trx, sql`count(*) = parts`)) > 0;
}

/** Assembles texts whose missing parts are no longer expected. */
export async function closeParts(database: Database): Promise<void> {
  await asSystem(database, async (trx) => {
    await lockParts(trx);
    await putTogether(trx, sql`max(received_at) < now() - ${patienceMinutes} * interval '1 minute'`);
  });
}

export const hasOldParts = sql`exists (
  select from inbound_parts where received_at < now() - ${patienceMinutes} * interval '1 minute')`;

/** One at a time: two processes with one part each would both see an incomplete text. */
async function lockParts(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('inbound_parts'))`.execute(trx);
}

async function putTogether(trx: Trx, isDue: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`
    with due as (
      select aggregator_id, from_phone, to_phone, reference, parts from inbound_parts
      group by 1, 2, 3, 4, 5 having ${isDue}
    ),
    taken as (
      delete from inbound_parts p using due d
      where p.aggregator_id = d.aggregator_id and p.from_phone = d.from_phone and p.to_phone = d.to_phone
        and p.reference = d.reference and p.parts = d.parts
      returning p.*
    ),
    -- A gap where parts are missing: before this one, or after the last one received.
    pieces as (
      select *, part - lag(part, 1, 0::smallint) over of_text > 1 as has_gap_before,
        part < parts and lead(part) over of_text is null as has_gap_after
      from taken window of_text as (partition by aggregator_id, from_phone, to_phone, reference, parts order by part)
    )
    insert into carrier_inbound (inbound_key, aggregator_id, from_phone, to_phone, body, occurred_at)
    select 'parts:' || gen_random_uuid(), aggregator_id, from_phone, to_phone,
      string_agg(case when has_gap_before then ${gap} else '' end || body ||
        case when has_gap_after then ${gap} else '' end, '' order by part),
      min(occurred_at)
    from pieces
    group by aggregator_id, from_phone, to_phone, reference, parts
    returning inbound_id`.execute(trx);
  return rows.length;
}
