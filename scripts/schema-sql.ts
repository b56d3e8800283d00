import type pg from 'pg';

/** Everything that belongs to an extension comes with it and is not ours to list. */
const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;

/** Each query answers one column `line`: a complete statement, in a stable order. */
const sections: { title: string; query: string }[] = [
  {
    title: 'Extensions',
    query: `
      select format('create extension %I;', extname) as line
      from pg_extension where extname <> 'plpgsql' order by extname`,
  },
  {
    title: 'Collations',
    query: `
      select format('create collation %I (provider = %s, locale = %L%s);', collname,
        case collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end, coalesce(colllocale, collcollate),
        case when collisdeterministic then '' else ', deterministic = false' end) as line
      from pg_collation where collnamespace = 'public'::regnamespace
        and ${notOfExtension('pg_collation', 'pg_collation.oid')}
      order by collname`,
  },
  {
    title: 'Domains and enumerations',
    query: `
      select format('create domain %I as %s%s%s%s;', typname, format_type(typbasetype, typtypmod),
        case when typnotnull then ' not null' else '' end,
        ' default ' || typdefault,
        (select string_agg(format(e'\\n  constraint %I %s', conname, pg_get_constraintdef(oid)), '' order by conname)
         from pg_constraint where contypid = pg_type.oid and contype = 'c')) as line
      from pg_type where typtype = 'd' and typnamespace = 'public'::regnamespace
        and ${notOfExtension('pg_type', 'pg_type.oid')}
      union all
      select format('create type %I as enum (%s);', typname,
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid))
      from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace
      order by line`,
  },
  {
    title: 'Functions',
    query: `
      select pg_get_functiondef(oid) || ';' as line
      from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
        and ${notOfExtension('pg_proc', 'pg_proc.oid')}
      order by proname, pg_get_function_identity_arguments(oid)`,
  },
  {
    // Those of identity and serial columns belong to their column.
    title: 'Sequences',
    query: `
      select format('create sequence %I as %s increment %s start %s;', relname, format_type(seqtypid, null), seqincrement, seqstart) as line
      from pg_class join pg_sequence on seqrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('i', 'a'))
      order by relname`,
  },
  {
    title: 'Views',
    query: `
      select format(e'create %s%I%s as\\n%s', case relkind when 'm' then 'materialized view ' else 'view ' end, relname,
        ' with (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(oid, true)) as line
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and ${notOfExtension('pg_class', 'pg_class.oid')}
      order by relname`,
  },
  {
    title: 'Grants that are not of a table',
    query: `
      select format('grant %s on schema public to %s;', lower(string_agg(privilege_type, ', ' order by privilege_type)), role) as line
      from pg_namespace, aclexplode(nspacl), lateral (select coalesce(nullif(grantee, 0)::regrole::text, 'public') as role)
      where nspname = 'public' and grantee <> nspowner group by role
      union all
      select format('grant %s on function %s to %s;', lower(string_agg(privilege_type, ', ' order by privilege_type)), pg_proc.oid::regprocedure, role)
      from pg_proc, aclexplode(proacl), lateral (select coalesce(nullif(grantee, 0)::regrole::text, 'public') as role)
      where pronamespace = 'public'::regnamespace and grantee <> proowner and ${notOfExtension('pg_proc', 'pg_proc.oid')}
      group by pg_proc.oid, role
      union all
      select format('alter default privileges%s grant %s on %s to %s;',
        case when defaclnamespace = 0 then '' else ' in schema ' || defaclnamespace::regnamespace::text end,
        lower(string_agg(privilege_type, ', ' order by privilege_type)),
        case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' else 'schemas' end, role)
      from pg_default_acl, aclexplode(defaclacl), lateral (select coalesce(nullif(grantee, 0)::regrole::text, 'public') as role)
      where grantee <> defaclrole
      group by defaclnamespace, defaclobjtype, role
      order by line`,
  },
];

/** One row a table: its statements, in the order in which a reader asks for them. */
const tables = `
  select c.relname as name,
    format(e'create %stable %I%s', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname,
      case when c.relispartition
        then format(' partition of %s %s', (select inhparent::regclass from pg_inherits where inhrelid = c.oid), pg_get_expr(c.relpartbound, c.oid))
        else '' end) as head,
    -- A partition's columns are its parent's.
    case when c.relispartition then '{}' else (
      select coalesce(array_agg(format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attcollation not in (0, t.typcollation) then ' collate ' || a.attcollation::regcollation::text else '' end,
        case when a.attnotnull then ' not null' else '' end,
        case
          when a.attidentity = 'a' then ' generated always as identity'
          when a.attidentity = 'd' then ' generated by default as identity'
          when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          when a.attgenerated = 'v' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ')'
          when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
          else '' end) order by a.attnum), '{}')
      from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) end as columns,
    -- Not null (n) is at the column; constraint triggers (t) among the triggers; partitions have their parent's.
    (select coalesce(array_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid))
        order by array_position(array['p', 'u', 'f', 'c', 'x'], contype::text), conname), '{}')
      from pg_constraint where conrelid = c.oid and contype not in ('n', 't') and conparentid = 0 and (conislocal or not c.relispartition)) as constraints,
    concat(' partition by ' || pg_get_partkeydef(c.oid), ' with (' || array_to_string(c.reloptions, ', ') || ')') as tail,
    array(select pg_get_indexdef(indexrelid) || ';' from pg_index join pg_class i on i.oid = indexrelid
      where indrelid = c.oid and not i.relispartition
        and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
      order by i.relname) as indexes,
    array(select pg_get_statisticsobjdef(oid) || ';' from pg_statistic_ext where stxrelid = c.oid order by stxname)
    || array(select format('alter table %I alter %I set statistics %s;', c.relname, attname, attstattarget)
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attstattarget is not null
      order by attnum) as statistics,
    array(select pg_get_triggerdef(oid, true) || ';' from pg_trigger
      where tgrelid = c.oid and not tgisinternal and tgparentid = 0 order by tgname) as triggers,
    array_remove(array[
      case when c.relrowsecurity then format('alter table %I enable row level security;', c.relname) end,
      case when c.relforcerowsecurity then format('alter table %I force row level security;', c.relname) end], null) as security,
    array(select format('create policy %I on %I as %s for %s to %s%s%s;', policyname, tablename, lower(permissive), lower(cmd),
        (select string_agg(quote_ident(r), ', ' order by r) from unnest(roles) as r),
        e'\\n  using ' || qual, e'\\n  with check ' || with_check)
      from pg_policies where schemaname = 'public' and tablename = c.relname order by policyname) as policies,
    array(select format('grant %s on %I to %s;', lower(string_agg(privilege_type, ', ' order by privilege_type)), c.relname, role)
      from aclexplode(c.relacl), lateral (select coalesce(nullif(grantee, 0)::regrole::text, 'public') as role)
      where grantee <> c.relowner group by role order by role)
    || array(select format('grant %s on %I to %s;',
        string_agg(format('%s (%s)', lower(privilege_type), list), ', ' order by privilege_type), c.relname, role)
      from (
        select privilege_type, coalesce(nullif(grantee, 0)::regrole::text, 'public') as role,
          string_agg(quote_ident(attname), ', ' order by attnum) as list
        from pg_attribute, aclexplode(attacl) where attrelid = c.oid and not attisdropped group by 1, 2) as of_columns
      group by role order by role) as grants,
    array(select format('comment on %s is %L;',
        case when objsubid = 0 then format('table %I', c.relname)
          else format('column %I.%I', c.relname, (select attname from pg_attribute where attrelid = c.oid and attnum = objsubid)) end,
        description)
      from pg_description where classoid = 'pg_class'::regclass and objoid = c.oid order by objsubid) as comments
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${notOfExtension('pg_class', 'c.oid')}
  order by c.relname`;

type TableRow = Record<'name' | 'head' | 'tail', string> &
  Record<
    | 'columns'
    | 'constraints'
    | 'indexes'
    | 'statistics'
    | 'triggers'
    | 'security'
    | 'policies'
    | 'grants'
    | 'comments',
    string[]
  >;

export async function schemaSql(client: pg.Client): Promise<string> {
  const parts = ['-- Generated by "npm run generate" from server/migrations. Not to be edited.'];
  for (const { title, query } of sections) {
    const { rows } = await client.query<{ line: string }>(query);
    if (rows.length > 0) parts.push(`-- ${title}\n${rows.map((row) => row.line.trim()).join('\n')}`);
  }
  const { rows } = await client.query<TableRow>(tables);
  for (const table of rows) parts.push(describeTable(table));
  return `${parts.join('\n\n')}\n`;
}

function describeTable(table: TableRow): string {
  const body = [...table.columns, ...table.constraints];
  const bodyText = body.length > 0 ? ` (\n  ${body.join(',\n  ')}\n)` : '';
  return [
    `-- ${table.name}`,
    `${table.head}${bodyText}${table.tail};`,
    ...table.indexes,
    ...table.statistics,
    ...table.triggers,
    ...table.security,
    ...table.policies,
    ...table.grants,
    ...table.comments,
  ].join('\n');
}
