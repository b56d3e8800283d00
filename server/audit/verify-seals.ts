/**
 * An operator's command: checks that no event was changed, added or removed since it was sealed.
 * DATABASE_URL=… node server/audit/verify-seals.ts
 */
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import { primaryOf } from '../database-hosts.ts';
import { asSystem, type Database, openDatabase } from '../db.ts';
import { readReseals } from './change-sealed.ts';
import { beginning, chainHash, readLines, type Seal, sealColumns } from './seal-events.ts';

export interface Verdict {
  isIntact: boolean;
  seals: number;
  events: number;
  /** Seals of months that are no longer kept: only their own chain can be checked. */
  dropped: number;
  /** Seals over events from which a person was erased. They are checked with the hash in the erasure's own event. */
  erased: number;
  /** Events that aren't sealed yet. */
  unsealed: number;
  /** The seal at which the chain breaks. */
  broken?: { sealId: number; firstAt: Date; lastAt: Date; expected: number; found: number };
  lastHash: string;
}

const sealsAtOnce = 500;
const anyPosition = sql`true`;

export async function verifySeals(database: Database): Promise<Verdict> {
  return asSystem(database, async (trx) => {
    const { rows: oldest } = await sql<{ month: Date | null }>`
      select min(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'utc') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'events'::regclass and c.relname ~ '^events_\\d{4}_\\d{2}$'`.execute(trx);
    const keptSince = oldest[0]?.month ?? new Date(0);
    let before: Pick<Seal, 'epoch' | 'xactId' | 'eventId' | 'hash'> = beginning;
    const verdict: Verdict = {
      ...{ isIntact: true, seals: 0, events: 0, dropped: 0, erased: 0, unsealed: 0 },
      lastHash: before.hash.toString('hex'),
    };
    const reseals = await readReseals(trx);
    let lastSealId = 0;
    for (;;) {
      const { rows: seals } = await sql<Seal>`
        select ${sealColumns} from event_seals where seal_id > ${lastSealId}
        order by seal_id limit ${sealsAtOnce}`.execute(trx);
      if (seals.length === 0) break;
      for (const seal of seals) {
        lastSealId = seal.sealId;
        verdict.seals += 1;
        const upTo = sql`(epoch, xact_id, event_id) <= (${seal.epoch}, ${seal.xactId}::xid8, ${seal.eventId})`;
        // One more than expected, to detect an added event.
        const lines = await readLines(trx, before, upTo, seal.count + 1);
        verdict.events += lines.length;
        const hash = chainHash(before.hash, lines);
        if (lines.length === seal.count && reseals.get(seal.sealId) === hash.toString('hex')) {
          verdict.erased += 1;
        } else if (lines.length !== seal.count || !hash.equals(seal.hash)) {
          const isDropped =
            seal.firstAt < keptSince && seal.firstAt < thisMonth() && lines.length < seal.count;
          if (!isDropped) {
            const { sealId, firstAt, lastAt, count: expected } = seal;
            verdict.isIntact = false;
            verdict.broken = { sealId, firstAt, lastAt, expected, found: lines.length };
            return verdict;
          }
          verdict.dropped += 1;
        }
        before = seal;
      }
    }
    const waiting = await readLines(trx, before, anyPosition, 100_000);
    return { ...verdict, unsealed: waiting.length, lastHash: before.hash.toString('hex') };
  });
}

/** The current month is never dropped: missing events in it were removed. */
function thisMonth(): Date {
  const now = new Date(nowMs());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

export function describeVerdict(verdict: Verdict): string {
  const { isIntact, broken, seals, events, dropped, erased, unsealed, lastHash } = verdict;
  if (!isIntact && broken !== undefined) {
    return [
      `The audit log was changed. Seal ${broken.sealId} does not fit the events that it covers.`,
      `They are from ${broken.firstAt.toISOString()} to ${broken.lastAt.toISOString()}; it covers ${broken.expected}, and there are ${broken.found}${broken.found > broken.expected ? ' or more' : ''}.`,
    ].join('\n');
  }
  return [
    `The audit log is as it was sealed: ${events} events under ${seals - dropped} seals.`,
    ...(dropped > 0 ? [`${dropped} seals are of months that are no longer kept.`] : []),
    ...(erased > 0
      ? [`A person was erased from events of ${erased} seals; they are as the erasure left them.`]
      : []),
    `${unsealed} events wait for their seal. The last seal’s hash is ${lastHash}.`,
  ].join('\n');
}

if (import.meta.main) {
  const url = process.env.DATABASE_URL;
  if (!url) {
    console.error('Give the database in DATABASE_URL.');
    process.exitCode = 64;
  } else {
    const database = openDatabase((await primaryOf(url)) ?? url, { connections: 4 });
    const verdict = await verifySeals(database).finally(() => database.close());
    console.log(describeVerdict(verdict));
    if (!verdict.isIntact) process.exitCode = 1;
  }
}
