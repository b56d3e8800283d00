import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { Heard, InboundPart, InboundText } from '../outside/carrier.ts';
import { storeInbound } from './store-hooks.ts';
import { putParts } from './store-parts.ts';

/** Minutes during which a carrier may send again what was not acknowledged. */
const repeatMinutes = 10;

/**
 * Stores inbound texts, and parts of them, that came over a carrier's connection. Such texts have no id: one
 * with the same phones and words as a text of another connection, which was lost before the acknowledgment
 * was certain, is the same text. Returns how many were, and whether a text can be applied.
 */
export async function storeHeard(
  database: Database,
  aggregatorId: number,
  { texts, parts }: { texts: Heard<InboundText>[]; parts: Heard<InboundPart>[] },
): Promise<{ repeats: number; isAnyWhole: boolean }> {
  return asSystem(database, async (trx) => {
    const heard = [...texts, ...parts];
    const repeated = new Set<object>();
    // One after the other: a connection may have been lost while its texts waited to be stored.
    for (const [connection, items] of Map.groupBy(heard, (one) => one.connection))
      for (const one of await findRepeats(trx, { aggregatorId, connection }, items)) repeated.add(one);
    const isNew = (one: Heard<InboundText | InboundPart>) => !repeated.has(one);
    const newTexts = texts.filter(isNew);
    await storeInbound({ system: trx }, aggregatorId, newTexts);
    const isWhole = await putParts(trx, aggregatorId, parts.filter(isNew));
    return { repeats: repeated.size, isAnyWhole: newTexts.length > 0 || isWhole };
  });
}

/** Each row accounts for one repeat. A repeat may be sent again too, so every text gets a row. */
async function findRepeats<Item extends InboundText | InboundPart>(
  trx: Trx,
  { aggregatorId, connection }: { aggregatorId: number; connection: string },
  items: Item[],
): Promise<Item[]> {
  const { rows } = await sql<{ place: number }>`
    with given as (
      select hash, place, row_number() over (partition by hash order by place) as nth
      from unnest(${items.map(hashOf)}::bytea[]) with ordinality as t(hash, place)
    ),
    known as (
      select heard_id, hash, row_number() over (partition by hash order by heard_id) as nth
      from heard_texts
      where hash in (select hash from given) and aggregator_id = ${aggregatorId} and connection <> ${connection}
        and heard_at > now() - ${repeatMinutes} * interval '1 minute'
    ),
    added as (
      insert into heard_texts (aggregator_id, hash, connection)
      select ${aggregatorId}, hash, ${connection} from given
    ),
    gone as (
      delete from heard_texts h using known k join given g on g.hash = k.hash and g.nth = k.nth
      where h.heard_id = k.heard_id
      returning g.place
    )
    select place from gone`.execute(trx);
  return rows.flatMap(({ place }) => items[place - 1] ?? []);
}

function hashOf(given: InboundText | InboundPart): Buffer {
  const { from, to, body, reference, part } = given as Partial<InboundPart>;
  return createHash('sha256')
    .update(JSON.stringify([from, to, body, reference, part]))
    .digest();
}

/**
 * The connection still works: what came over it this long ago is certainly acknowledged, and the same words
 * are another text. Returns whether some texts are too new for that.
 */
export async function trustHeard(
  database: Database,
  connection: string,
  olderThanSeconds: number,
): Promise<boolean> {
  const { rows } = await sql<{ is_any_left: boolean }>`
    with gone as (
      delete from heard_texts
      where connection = ${connection} and heard_at <= now() - ${olderThanSeconds} * interval '1 second'
    )
    select exists (
      select from heard_texts
      where connection = ${connection} and heard_at > now() - ${olderThanSeconds} * interval '1 second') as is_any_left`.execute(
    database.system,
  );
  return rows[0]?.is_any_left === true;
}

/** Those of lost connections that didn't come again. */
export async function sweepHeard(database: Database): Promise<void> {
  await sql`delete from heard_texts where heard_at < now() - interval '1 day'`.execute(database.system);
}
