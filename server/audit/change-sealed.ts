import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { beginning, chainHash, holdSeals, readLines, type Seal, sealColumns } from './seal-events.ts';

/** The hash that a seal is checked with after a person was erased from its events. */
export interface Reseal {
  sealId: number;
  /** Hexadecimal. */
  hash: string;
}

/** The new hashes of seals, as erasures recorded them. A sealed event may differ for no other reason. */
export async function readReseals(trx: Trx): Promise<Map<number, string>> {
  const { rows } = await sql<{ seals: [number, string][] }>`
    select changes -> 'Seals' as seals from events
    where kind = 'contact.erased' and jsonb_typeof(changes -> 'Seals') = 'array'
    order by epoch, xact_id, event_id`.execute(trx);
  return new Map(rows.flatMap(({ seals }) => seals));
}

async function readWithHashes(trx: Trx, sealIds: readonly number[]) {
  const { rows } = await sql<Seal>`
    select ${sealColumns} from event_seals
    where seal_id = any(${sealIds}::bigint[]) order by seal_id`.execute(trx);
  const found: { seal: Seal; hash: string }[] = [];
  for (const seal of rows) {
    const { rows: last } = await sql<Seal>`
      select ${sealColumns} from event_seals where seal_id < ${seal.sealId}
      order by seal_id desc limit 1`.execute(trx);
    const before = last[0] ?? beginning;
    const upTo = sql`(epoch, xact_id, event_id) <= (${seal.epoch}, ${seal.xactId}::xid8, ${seal.eventId})`;
    const lines = await readLines(trx, before, upTo, seal.count + 1);
    found.push({ seal, hash: chainHash(before.hash, lines).toString('hex') });
  }
  return found;
}

/**
 * Removes a person who is being erased from events that are already sealed. Nothing else may change a sealed event. Every
 * seal over such an event must match before the change. Returns each seal's new hash, which the event of the erasure keeps.
 * The seals and their chain stay as they are.
 */
export async function changeSealed(
  trx: Trx,
  accountId: number,
  eventIds: readonly number[],
  change: () => Promise<void>,
): Promise<{ reseals: Reseal[]; isIntact: boolean }> {
  await holdSeals(trx);
  const { rows } = await sql<{ sealId: number }>`
    select distinct s.seal_id as "sealId"
    from events e cross join lateral (
      select seal_id from event_seals s
      where (s.epoch, s.xact_id, s.event_id) >= (e.epoch, e.xact_id, e.event_id)
      order by seal_id limit 1) s
    where e.account_id = ${accountId} and e.event_id = any(${eventIds}::bigint[])`.execute(trx);
  const sealIds = rows.map(({ sealId }) => sealId);
  const known = await readReseals(trx);
  const before = await readWithHashes(trx, sealIds);
  const isIntact = before.every(
    ({ seal, hash }) => hash === seal.hash.toString('hex') || hash === known.get(seal.sealId),
  );
  await change();
  const after = await readWithHashes(trx, sealIds);
  return { isIntact, reseals: after.map(({ seal, hash }) => ({ sealId: seal.sealId, hash })) };
}
