-- What everything else stands on: the two roles, row level security, and the installation's own row.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The program signs in as the database's owner and at once becomes one of these two (see server/db.ts).
--   muster_app     serves one account at a time: it sees the rows of the account named in app.account_id.
--   muster_system  works across accounts: signing in, sending, receipts, inbound texts.
-- Neither can bypass row level security. Roles belong to the whole cluster, so they may be there already.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['muster_app', 'muster_system'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit nobypassrls', wanted);
      exception
        when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, wanted, 'SET') then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
  execute format('grant usage on schema public to muster_app, muster_system');
end
$$;

-- The account this transaction is for. Without one: null, which equals no row's account.
create function current_account_id() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.account_id', true), '')::bigint;

-- Every table with an account_id goes through here; the test of the schema finds any that didn't.
create procedure make_tenant_table(target regclass)
  language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to muster_app using (account_id = current_account_id()) with check (account_id = current_account_id())',
    target);
  execute format('create policy everyone on %s to muster_system using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to muster_app, muster_system', target);
end
$$;

-- One row: what this installation keeps for itself.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Signs socket keys and user hashes. Made here once, the same for every process.
  secret bytea not null,
  created_at timestamptz not null default now()
);
insert into installation (secret)
values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
grant select on installation to muster_app, muster_system;

-- Digits of an international number without the plus: 14235550143.
create domain phone as text collate "C" check (octet_length(value) between 7 and 15 and value ~ '^[1-9][0-9]*$');

-- A phone as it travels: ten digits in the US and Canada, otherwise all digits with the country code.
create function wire_phone(phone text) returns text
  language sql immutable parallel safe
  return case when phone like '1__________' then substr(phone, 2) else coalesce(phone, '') end;

-- Adds a job in the caller's transaction. Graphile Worker's own tables belong to the owner.
create function enqueue(task text, payload json, run_at timestamptz, job_key text, max_attempts integer, priority integer)
  returns void
  language sql
  security definer
  set search_path = pg_catalog, graphile_worker
as $$
  select graphile_worker.add_job(
    task, payload, run_at => enqueue.run_at, max_attempts => enqueue.max_attempts,
    job_key => enqueue.job_key, priority => enqueue.priority);
$$;
revoke all on function enqueue from public;
grant execute on function enqueue to muster_app, muster_system;

-- Jobs that used up their tries: somebody has to look. /metrics tells how many there are.
create function count_stuck_jobs() returns bigint
  language sql
  stable
  security definer
  set search_path = pg_catalog
as $$
  select count(*) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null;
$$;
revoke all on function count_stuck_jobs from public;
grant execute on function count_stuck_jobs to muster_app, muster_system;

-- The socket adapter's place for what is too long for a NOTIFY.
create table socket_io_attachments (
  id bigserial unique,
  created_at timestamptz default now(),
  payload bytea
);
