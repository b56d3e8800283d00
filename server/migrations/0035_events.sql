-- What happened, for good: one row per change that people or carriers made, written in the transaction that made it.
-- Webhooks, drip campaigns, the audit log and reports read it, each from where it stopped (event_readers).

-- A backup that is restored into a new cluster meets transaction ids that begin anew. Then the epoch is raised, and
-- everything from before counts as earlier (server/event-partitions.ts).
alter table installation add column event_epoch integer not null default 1;

create function current_event_epoch() returns integer
  language sql stable security definer set search_path = pg_catalog, public
  return (select event_epoch from public.installation);
revoke all on function current_event_epoch from public;
grant execute on function current_event_epoch to muster_app, muster_system;

create table events (
  account_id bigint not null,
  event_id bigint generated always as identity,
  created_at timestamptz not null default now(),
  -- Ids are given out before transactions commit, so the order of reading is that of the transactions.
  epoch integer not null default current_event_epoch(),
  xact_id xid8 not null default pg_current_xact_id(),
  -- Listed in contract/event-kinds.ts.
  kind text not null,
  -- user: somebody who is signed in; key: a program with an API key; operator: a command on the server; system: a
  -- job, or a carrier's webhook.
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator', 'system')),
  user_id bigint,
  address text not null default '',
  -- One id, a set of ids, or a range when a million rows changed at once. Never one event per recipient.
  subject_id bigint,
  subject_ids bigint[],
  subject_range int8range,
  subject_count integer not null default 1,
  -- Before and after, by field, where that matters. Never a text's words, never a secret.
  changes jsonb,
  primary key (account_id, created_at, event_id)
) partition by range (created_at);
call make_tenant_table('events');
revoke update, delete on events from muster_app, muster_system;
create index events_order on events (epoch, xact_id, event_id);

-- Months have partitions of their own, made ahead. This one takes what falls outside of them.
create table events_rest partition of events default;
call make_tenant_table('events_rest');
revoke all on events_rest from muster_app, muster_system;

create table event_readers (
  reader text primary key,
  epoch integer not null default 0,
  xact_id xid8 not null default '0',
  event_id bigint not null default 0,
  read_at timestamptz
);
grant select, insert, update, delete on event_readers to muster_system;

-- Makes the partitions of this month and the next two. Rows of such a month that lie in events_rest move.
create function make_event_partitions() returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, public
as $$
declare
  month date;
  name text;
begin
  perform pg_advisory_xact_lock(7316026);
  for step in 0..2 loop
    month := (date_trunc('month', now() at time zone 'UTC') + step * interval '1 month')::date;
    name := 'events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass('public.' || name) is not null;
    execute format('create table public.%I (like public.events including defaults including constraints)', name);
    execute format(
      'with moved as (delete from public.events_rest where created_at >= %L and created_at < %L returning *)
       insert into public.%I select * from moved',
      month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC', name);
    execute format(
      'alter table public.events attach partition public.%I for values from (%L) to (%L)',
      name, month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    call public.make_tenant_table(('public.' || quote_ident(name))::regclass);
    execute format('revoke all on public.%I from muster_app, muster_system', name);
  end loop;
end
$$;
revoke all on function make_event_partitions from public;
grant execute on function make_event_partitions to muster_system;

-- Drops the months that ended more than so many months ago.
create function drop_event_partitions(months integer) returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, public
as $$
declare
  name text;
  dropped integer := 0;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.events'::regclass and c.relname ~ '^events_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= now() - months * interval '1 month'
  loop
    execute format('drop table public.%I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke all on function drop_event_partitions from public;
grant execute on function drop_event_partitions to muster_system;

-- After a backup was restored into a new cluster, new transactions have lower ids than those of the events.
create function raise_event_epoch() returns void
  language sql
  security definer
  set search_path = pg_catalog, public
as $$
  update public.installation set event_epoch = event_epoch + 1
  where exists (
    select from public.events
    where epoch = (select event_epoch from public.installation) and xact_id > pg_current_xact_id());
$$;
revoke all on function raise_event_epoch from public;
grant execute on function raise_event_epoch to muster_system;
