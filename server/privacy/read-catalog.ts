import { sql } from 'kysely';
import type { Trx } from '../db.ts';

/** A column as the catalog describes it. Domains are named by themselves (`phone`), arrays end with []. */
export interface Column {
  name: string;
  type: string;
  isGenerated: boolean;
}

export interface Table {
  name: string;
  /** Whether its rows say whose they are. */
  hasAccount: boolean;
  columns: Column[];
}

/**
 * Every table there is, with the columns that its migrations gave it: what is exported and erased is derived from here,
 * so that a new table is never forgotten. Partitions count as their whole.
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

/** Columns that can hold what somebody wrote, or a phone. */
export function holdsWords({ type }: Column): boolean {
  return words.test(type);
}
