import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** A column in the catalog. Domains have their own name (`phone`), arrays end with []. */
export interface Column {
  name: string;
  type: string;
  isGenerated: boolean;
}

export interface Table {
  name: string;
  /** True if its rows have an account. */
  hasAccount: boolean;
  columns: Column[];
}

/**
 * Every existing table, with the columns from its migrations: exports and erasures are derived from here, so
 * that a new table is never forgotten. A partitioned table counts as one.
 */
export const catalogQuery = `
  select c.relname as name, bool_or(a.attname = 'account_id') as "hasAccount",
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
      'isGenerated', a.attgenerated <> '') order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname order by c.relname`;

export async function readCatalog(trx: Trx): Promise<Table[]> {
  const { rows } = await sql<Table>`${sql.raw(catalogQuery)}`.execute(trx);
  return rows;
}

const words = /^(text|phone|character|character varying|name|json|jsonb)(\[\])?$/;

/** Columns that can contain people's words, or a phone. */
export function holdsWords({ type }: Column): boolean {
  return words.test(type);
}
