import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';
import { type Column, holdsWords, readCatalog, type Table } from './read-catalog.ts';
import type { Traces } from './rules.ts';

export interface TracesFound {
  tables: number;
  columns: number;
  places: { table: string; column: string; rows: number }[];
}

/** True if a column's value contains a trace. Names in two fields of one object are found in JSON only. */
export function showsTrace({ name, type }: Column, traces: Traces): RawBuilder<boolean> {
  const pattern = type.startsWith('json') ? traces.json : traces.words;
  return sql`(${sql.ref(name)}::text ~* ${pattern})`;
}

/**
 * Searches every column of an account's tables that can contain words or phones, and tables without an
 * account; and waiting jobs.
 */
export async function searchTraces(
  trx: Trx,
  accountId: number,
  traces: Traces,
  limits: { only?: readonly string[]; not?: readonly string[] } = {},
): Promise<TracesFound> {
  const found: TracesFound = { tables: 0, columns: 0, places: [] };
  if (traces.words === '') return found;
  for (const table of await readCatalog(trx)) {
    if (limits.only !== undefined && !limits.only.includes(table.name)) continue;
    if (limits.not?.includes(table.name)) continue;
    const columns = table.columns.filter(holdsWords);
    if (columns.length === 0 || !(await mayRead(trx, table.name))) continue;
    found.tables += 1;
    found.columns += columns.length;
    found.places.push(...(await searchTable(trx, accountId, { ...table, columns }, traces)));
  }
  return found;
}

async function mayRead(trx: Trx, table: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege(${`public.${table}`}, 'select') as may`.execute(trx);
  return rows[0]?.may === true;
}

async function searchTable(
  trx: Trx,
  accountId: number,
  table: Table,
  traces: Traces,
): Promise<TracesFound['places']> {
  const counts = table.columns.map(
    (column) => sql`count(*) filter (where ${showsTrace(column, traces)})::int as ${sql.ref(column.name)}`,
  );
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counts)} from ${sql.table(table.name)}
    where ${table.hasAccount ? sql`account_id = ${accountId}` : sql`true`}`.execute(trx);
  return Object.entries(rows[0] ?? {})
    .filter(([, many]) => many > 0)
    .map(([column, many]) => ({ table: table.name, column, rows: many }));
}
