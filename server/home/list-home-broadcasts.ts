import { type RawBuilder, sql } from 'kysely';
import { broadcastsById, seenBroadcasts } from '../broadcasts/results/read-broadcast.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

const shown = 5;
/** Finished ones younger than this are recent. */
const latelyDays = 30;

type Part = 'UnderWay' | 'Scheduled' | 'Lately';

/** Running, upcoming and recent broadcasts, with their counts. */
export async function listHomeBroadcasts(trx: Trx, actor: Actor) {
  const seen = seenBroadcasts(actor);
  const started = sql`coalesce(b.start_at, b.created_at)`;
  const part = (name: Part, where: RawBuilder<unknown>, order = sql`desc`) => sql`(
    select b.broadcast_id as id, ${name}::text as part from broadcasts b
    where ${seen} and not b.is_archived and ${where}
    order by ${started} ${order}, b.broadcast_id ${order} limit ${shown})`;
  const { rows } = await sql<{ id: number; part: Part }>`
    ${part('UnderWay', sql`b.status in ('broadcasting', 'paused')`)}
    union all
    ${part('Scheduled', sql`b.status = 'scheduled'`, sql`asc`)}
    union all
    ${part(
      'Lately',
      sql`b.status in ('sent', 'completed', 'canceled')
      and ${started} > now() - ${latelyDays} * interval '1 day'`,
    )}`.execute(trx);
  const items = await broadcastsById(
    trx,
    actor,
    rows.map(({ id }) => id),
  );
  const partOf = new Map(rows.map(({ id, part }) => [id, part]));
  const of = (name: Part) => items.filter(({ BroadcastID }) => partOf.get(BroadcastID) === name);
  return { UnderWay: of('UnderWay'), Scheduled: of('Scheduled'), Lately: of('Lately') };
}
