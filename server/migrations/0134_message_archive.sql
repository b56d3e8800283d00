-- Old texts of conversations, by month: out of the way of those that are sent and read every day, and dropped month by
-- month where an operator says for how long they are kept. Columns are those of messages, in their order.
create table archived_messages (like messages) partition by range (created_at);
alter table archived_messages add primary key (account_id, created_at, message_id);
create index archived_messages_thread
  on archived_messages (account_id, text_number_id, phone, created_at desc, message_id desc);
call make_tenant_table('archived_messages');
revoke update on archived_messages from muster_app, muster_system;
revoke insert, delete on archived_messages from muster_app;

-- How far each account's texts were looked through: what stays is not looked at every night.
create table message_archives (
  account_id bigint primary key references accounts,
  through_message_id bigint not null,
  archived bigint not null default 0
);
call make_tenant_table('message_archives');

-- Both, for whoever reads what was said, however long ago.
create view all_messages with (security_invoker = true) as
  select * from messages union all select * from archived_messages;
grant select on all_messages to muster_app, muster_system;

create function make_archive_partition(at timestamptz) returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, public
as $$
declare
  month date := date_trunc('month', at at time zone 'UTC')::date;
  name text := 'archived_messages_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(7316027);
  if to_regclass('public.' || name) is not null then return; end if;
  execute format('create table public.%I (like public.archived_messages including defaults including constraints)', name);
  execute format(
    'alter table public.archived_messages attach partition public.%I for values from (%L) to (%L)',
    name, month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  call public.make_tenant_table(('public.' || quote_ident(name))::regclass);
  execute format('revoke all on public.%I from muster_app, muster_system', name);
end
$$;
revoke all on function make_archive_partition from public;
grant execute on function make_archive_partition to muster_system;

-- Drops the months that ended more than so many months ago; returns their names.
create function drop_archive_partitions(months integer) returns text[]
  language plpgsql
  security definer
  set search_path = pg_catalog, public
as $$
declare
  name text;
  dropped text[] := '{}';
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.archived_messages'::regclass and c.relname ~ '^archived_messages_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= now() - months * interval '1 month'
    order by 1
  loop
    execute format('drop table public.%I', name);
    dropped := dropped || right(name, 7);
  end loop;
  return dropped;
end
$$;
revoke all on function drop_archive_partitions from public;
grant execute on function drop_archive_partitions to muster_system;
