import { type RawBuilder, sql } from 'kysely';
import { writeContacts, writeMembers, writeSearch } from '../contacts/keep-written.ts';
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

/** Tables with counts or words that their statements keep. */
const writers: Record<string, typeof writeContacts | undefined> = {
  contact_search: writeSearch,
  contacts: writeContacts,
  group_members: writeMembers,
};

/** Runs an update or delete of a table. Returns the number of rows. */
export async function write(trx: Trx, table: string, statement: RawBuilder<unknown>): Promise<number> {
  const writeKept = writers[table];
  if (writeKept !== undefined) return writeKept(trx, statement);
  const { numAffectedRows = 0n } = await statement.execute(trx);
  return Number(numAffectedRows);
}

export async function remove(ground: Ground, table: string, condition: RawBuilder<unknown>): Promise<void> {
  const statement = sql`
    delete from ${sql.table(table)} where account_id = ${ground.accountId} and ${condition}`;
  count(ground.erasure.deleted, table, await write(ground.trx, table, statement));
}

export async function change(
  ground: Ground,
  table: string,
  changes: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const statement = sql`
    update ${sql.table(table)} as t set ${changes}
    where account_id = ${ground.accountId} and ${condition}`;
  count(ground.erasure.changed, table, await write(ground.trx, table, statement));
}
