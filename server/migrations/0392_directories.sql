-- Names of users and phones of live text numbers are unique in the whole installation. On tables that are spread over
-- machines no index can see to that, so two small directories do, which aren't spread. They have no account_id because they
-- are no tenant's tables: what they refuse is what another account has. No process reads them to find somebody, and nobody
-- writes them but the functions below, which copy what the row says.
create table taken_names (
  name text primary key,
  of_account bigint not null,
  of_user bigint not null,
  unique (of_account, of_user)
);
create table live_phones (
  phone phone primary key,
  of_account bigint not null,
  of_number bigint not null,
  unique (of_account, of_number)
);
grant select, insert, update, delete on taken_names, live_phones to muster_system;

-- Writes the name of a user into the directory, or takes it out when the user is gone. In the transaction that wrote the
-- user, and after it: that row's lock keeps others from doing it at once, and the statement has locked the table, so the
-- index can't go away meanwhile (`npx muster spread` drops it).
create function keep_taken_name(account bigint, person bigint) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  wanted text;
begin
  select lower(user_name) into wanted from users where account_id = account and user_id = person;
  -- The index has just found that nobody else has the name. Whoever the directory says has it was deleted or renamed by a
  -- process of the version before, which doesn't write it.
  if to_regclass('public.users_name') is not null then
    delete from taken_names where name = wanted and (of_account, of_user) <> (account, person);
  end if;
  if wanted is null then
    delete from taken_names where of_account = account and of_user = person;
  else
    insert into taken_names as t (name, of_account, of_user) values (wanted, account, person)
    on conflict (of_account, of_user) do update set name = excluded.name where t.name <> excluded.name;
  end if;
end
$$;

-- The same for the phone of a text number, until it is released.
create function keep_live_phone(account bigint, number bigint) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  wanted phone;
begin
  select phone into wanted from text_numbers
  where account_id = account and text_number_id = number and released_at is null;
  if to_regclass('public.text_numbers_phone') is not null then
    delete from live_phones where phone = wanted and (of_account, of_number) <> (account, number);
  end if;
  if wanted is null then
    delete from live_phones where of_account = account and of_number = number;
  else
    insert into live_phones as l (phone, of_account, of_number) values (wanted, account, number)
    on conflict (of_account, of_number) do update set phone = excluded.phone where l.phone <> excluded.phone;
  end if;
end
$$;

-- Makes both directories say what the tables say: processes of the version before don't write them. Returns the number of
-- entries added and removed.
create function complete_directories(out added bigint, out removed bigint)
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  more bigint;
begin
  lock table taken_names, live_phones in share row exclusive mode;
  delete from taken_names t
  where not exists (select from users u
    where u.account_id = t.of_account and u.user_id = t.of_user and lower(u.user_name) = t.name);
  get diagnostics removed = row_count;
  delete from live_phones l
  where not exists (select from text_numbers n
    where n.account_id = l.of_account and n.text_number_id = l.of_number and n.phone = l.phone and n.released_at is null);
  get diagnostics more = row_count;
  removed := removed + more;
  insert into taken_names (name, of_account, of_user)
  select lower(user_name), account_id, user_id from users order by 1
  on conflict do nothing;
  get diagnostics added = row_count;
  insert into live_phones (phone, of_account, of_number)
  select phone, account_id, text_number_id from text_numbers where released_at is null order by 1
  on conflict do nothing;
  get diagnostics more = row_count;
  added := added + more;
end
$$;

-- They belong to the role they run as, which may make nothing else in this schema.
grant create on schema public to muster_system;
alter function keep_taken_name owner to muster_system;
alter function keep_live_phone owner to muster_system;
alter function complete_directories owner to muster_system;
revoke create on schema public from muster_system;

set local role muster_system;
revoke all on function complete_directories from public;
revoke all on function keep_taken_name from public;
revoke all on function keep_live_phone from public;
grant execute on function keep_taken_name to muster_app;
grant execute on function keep_live_phone to muster_app;
select complete_directories();
reset role;
