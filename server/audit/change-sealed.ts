import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { beginning, chainHash, holdSeals, readLines, type Seal, sealColumns } from './seal-events.ts';

/** What the seal of events that were erased in part is held against from then on. */
export interface Reseal {
  sealId: number;
  /** Hexadecimal. */
  hash: string;
}

/** Seals as events of this kind changed them: the one way in which a sealed event may differ. */
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
 * Changes events that are sealed already, in the only way that is allowed: what they say of a person who is erased. Every
 * seal that covers one of them has to fit before; what it is to be held against from now on is returned, to be kept in the
 * event that tells of the erasure. Seals and their chain stay as they are.
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
