import { sql } from 'kysely';
import { toStorableText } from '../../contract/text/storable-text.ts';
import type { Database } from '../db.ts';
import type { InboundText } from '../outside/carrier.ts';
import { prepared } from '../prepared.ts';

/** Stores inbound texts in their original form; the same text twice is stored once. */
export async function storeInbound(
  database: Pick<Database, 'system'>,
  aggregatorId: number,
  texts: InboundText[],
): Promise<void> {
  if (texts.length === 0) return;
  const column = <T>(pick: (text: InboundText) => T) => texts.map(pick);
  await sql`
    ${prepared} insert into carrier_inbound (inbound_key, aggregator_id, from_phone, to_phone, body, media, occurred_at)
    -- A microsecond apart, so that texts of one moment keep their order.
    select t.key, ${aggregatorId}, t.sender, t.receiver, t.body, t.media::jsonb, t.occurred_at + t.place * interval '1 microsecond'
    from unnest(
      ${column((t) => t.inboundKey)}::text[], ${column((t) => t.from)}::text[], ${column((t) => t.to)}::text[],
      ${column((t) => toStorableText(t.body))}::text[], ${column((t) => JSON.stringify(t.media))}::text[],
      ${column((t) => t.occurredAt)}::timestamptz[]
    ) with ordinality as t(key, sender, receiver, body, media, occurred_at, place)
    -- Ordered by key, to avoid deadlocks with a webhook that has the same texts in another order.
    order by t.key
    on conflict (inbound_key) do nothing`.execute(database.system);
}
