import { sql } from 'kysely';
import type { Database } from '../db.ts';

/** Tables that belong to accounts; a partitioned table counts as one. */
const tenantTables = sql`
  select c.oid, c.relname::text as name, a.attnum as account
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`;

/** Unique keys of tenants' tables without the account. */
export async function listKeysWithoutAccount({ system }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with tenant as (${tenantTables})
    select k.relname::text as name
    from tenant t join pg_index i on i.indrelid = t.oid and i.indisunique
    join pg_class k on k.oid = i.indexrelid
    where t.account <> all(i.indkey::int2[])
    order by 1`.execute(system);
  return rows.map(({ name }) => name);
}

/** Triggers on tenants' tables. */
export async function listTriggers({ system }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with tenant as (${tenantTables})
    select format('%s.%s', t.name, g.tgname) as name
    from tenant t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    order by 1`.execute(system);
  return rows.map(({ name }) => name);
}
