import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import type { FoundPerson } from './find-person.ts';
import type { Traces } from './rules.ts';
import type { TracesFound } from './search-traces.ts';

export interface Erasure {
  /** Rows by table. */
  deleted: Map<string, number>;
  changed: Map<string, number>;
  /** Do-not-text entries: the phone, the state and the day. */
  kept: Map<string, number>;
  remarks: string[];
  /** Bytes to remove from the file store: pictures by their hash, spreadsheets by their key. */
  pictures: string[];
  uploads: string[];
  /** Remaining traces. */
  found: TracesFound;
}

/** The context of every step of an erasure. */
export interface Ground {
  trx: Trx;
  accountId: number;
  person: FoundPerson;
  aliases: Map<string, string>;
  traces: Traces;
  erasure: Erasure;
}

export function count(map: Map<string, number>, table: string, rows: number): void {
  if (rows > 0) map.set(table, (map.get(table) ?? 0) + rows);
}

export async function remove(ground: Ground, table: string, condition: RawBuilder<unknown>): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where account_id = ${ground.accountId} and ${condition}`.execute(
    ground.trx,
  );
  count(ground.erasure.deleted, table, Number(numAffectedRows));
}

export async function change(
  ground: Ground,
  table: string,
  changes: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} as t set ${changes}
    where account_id = ${ground.accountId} and ${condition}`.execute(ground.trx);
  count(ground.erasure.changed, table, Number(numAffectedRows));
}
