import type pg from 'pg';

/** A table of the program or of its job engine, and which of its rows are copied. */
export interface BackedTable {
  schema: string;
  name: string;
  /** Without columns that the database derives. */
  columns: string[];
  /** Tables that have to be filled before it. */
  after: string[];
}

/** Maintained by migrations, or about this database and not part of a copy. */
const structure = "('public.migrations', 'graphile_worker.migrations', 'public.unfinished_work')";

/** Every table, sorted so that each comes after the tables that it references. */
export async function readTables(client: pg.ClientBase): Promise<BackedTable[]> {
  const { rows } = await client.query<BackedTable>(`
    select n.nspname as schema, c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select distinct format('%s.%s', fn.nspname, f.relname) from pg_constraint k
        join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as after
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
      and format('%s.%s', n.nspname, c.relname) not in ${structure}
    order by 1, 2`);
  return inOrder(rows);
}

export const nameOf = ({ schema, name }: Pick<BackedTable, 'schema' | 'name'>) => `${schema}.${name}`;
export const quoted = ({ schema, name }: Pick<BackedTable, 'schema' | 'name'>) => `"${schema}"."${name}"`;

function inOrder(tables: BackedTable[]): BackedTable[] {
  const placed = new Set<string>();
  const ordered: BackedTable[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(
      (table) => !placed.has(nameOf(table)) && table.after.every((other) => placed.has(other)),
    );
    if (next === undefined) throw new Error('Tables refer to each other in a circle.');
    placed.add(nameOf(next));
    ordered.push(next);
  }
  return ordered;
}

/**
 * Rows are summed as text, which depends on settings of the session: both sides use these, whatever their
 * server or database has.
 */
export async function writeAlike(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
    set bytea_output = 'hex'`);
}

/** The number of rows, and a sum over them that doesn't depend on their order. */
export interface Sum {
  rows: number;
  sum: string;
}

export async function sumRows(client: pg.ClientBase, table: BackedTable): Promise<Sum> {
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${quoted(table)} t`,
  );
  return { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? '' };
}

export interface SequenceValue {
  name: string;
  value: string;
}

export async function readSequences(client: pg.ClientBase): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1`);
  return rows;
}

export interface Partition {
  name: string;
  parent: string;
  bounds: string;
}

export async function readPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`);
  return rows;
}

/**
 * Row level security also applies to the owner, who would copy nothing and not notice: unless it is a
 * superuser, tenants' tables are read in the role that sees every row.
 */
export async function readAsWhoSeesAll(client: pg.ClientBase, table: BackedTable): Promise<void> {
  await client.query('reset role');
  const { rows } = await client.query<{ isHidden: boolean }>(
    `select not (r.rolsuper or r.rolbypassrls) and c.relforcerowsecurity as "isHidden"
     from pg_roles r, pg_class c where r.rolname = current_user and c.oid = $1::regclass`,
    [quoted(table)],
  );
  if (rows[0]?.isHidden) await client.query('set local role muster_system');
}
