-- Contacts and groups for a million people: kept counts, an index to search by, files that are read in,
-- what is known of phones, and long work that goes on when the page is closed.

create extension if not exists unaccent;

-- Small letters without accents: how names are sorted and found. José is found by jose.
create function fold_text(words text) returns text
  language sql immutable parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, words));

-- Rows come by the hundred thousand: they are checked by the statements that make them.
alter table contacts drop constraint contacts_account_id_fkey;
alter table contacts drop constraint contacts_person_id_key;
alter table group_members drop constraint group_members_account_id_group_id_fkey;
alter table group_members drop constraint group_members_account_id_person_id_fkey;
alter table phone_consents drop constraint phone_consents_account_id_fkey;
alter table consent_events drop constraint consent_events_account_id_fkey;

drop index contacts_search;
drop index contacts_name;
alter table contacts drop column search_text;
-- Values by field: {"12": "Bus 4"}. The key is custom_fields.field_id, so that a field can be renamed.
alter table contacts add constraint contacts_custom_data_check check (jsonb_typeof(custom_data) = 'object');
-- The file that made the contact.
alter table contacts add column file_id bigint;
-- The groups that a deleted contact goes back into when it is restored.
alter table contacts add column deleted_from_groups bigint[];
-- Names without accents are most of a million, and folded in a fifth of the time.
alter table contacts add column sort_name text collate "C" not null
  generated always as (
    case when octet_length(last_name) = length(last_name) and octet_length(first_name) = length(first_name)
      then lower(ltrim(last_name || ' ' || first_name))
      else fold_text(ltrim(last_name || ' ' || first_name)) end) stored;
create index contacts_name on contacts (account_id, sort_name, person_id) where deleted_at is null;
-- For users who see only the contacts that they added; and for an import to know whether there is anybody but its own.
create index contacts_of_creator on contacts (account_id, created_by_user_id, file_id) where deleted_at is null;
create index contacts_deleted on contacts (account_id, sort_name, person_id) where deleted_at is not null;
-- An import draws the ids of a slice before it writes them.
grant usage on sequence contacts_person_id_seq to muster_app, muster_system;

create table custom_fields (
  account_id bigint not null references accounts,
  field_id bigint generated always as identity,
  name text not null check (length(name) between 1 and 50),
  created_at timestamptz not null default now(),
  primary key (account_id, field_id)
);
call make_tenant_table('custom_fields');
create unique index custom_fields_name on custom_fields (account_id, lower(name));

-- A group is a list of members, or a segment: a question that is asked anew whenever the group is used.
alter table groups add column colour smallint not null default 0 check (colour between 0 and 7);
alter table groups add column segment jsonb;
alter table groups add column deleted_at timestamptz;
alter table groups drop column roster_count;
drop index groups_name;
create unique index groups_name on groups (account_id, lower(name)) where deleted_at is null;

-- Members of a group, in the order in which the group is shown. Contacts in no group are members of -1, so that
-- "unfiled" is a group like the others. Deleted contacts are in none.
alter table group_members add column sort_name text collate "C" not null default '';
create index group_members_by_name on group_members (account_id, group_id, sort_name, person_id);

-- How many people a list shows: groups by their id, everyone 0, unfiled -1, deleted -2. Kept by the triggers below.
create table list_counts (
  account_id bigint not null,
  list_id bigint not null,
  roster_count bigint not null default 0,
  primary key (account_id, list_id)
);
call make_tenant_table('list_counts');

-- What a contact is searched by: names, phones, notes and custom values, folded, each word after a space.
create table contact_search (
  account_id bigint not null,
  person_id bigint not null,
  sort_name text collate "C" not null,
  search_text text collate "C" not null,
  primary key (account_id, person_id)
);
call make_tenant_table('contact_search');
create index contact_search_words on contact_search using gin (account_id, search_text gin_trgm_ops);

-- After a change of many rows the planner is told at once. Until it knows of a new large group it takes it for one
-- row, and holds every member against every contact.
grant maintain on contacts, group_members, contact_search, phone_consents, consent_events to muster_app, muster_system;

-- Contacts that an import made and that are not in contact_search yet: ranges of ids. A search looks through
-- them without the index until a job has taken them in.
create table search_backlog (
  account_id bigint not null,
  first_person_id bigint not null,
  last_person_id bigint not null,
  primary key (account_id, first_person_id)
);
call make_tenant_table('search_backlog');

create function contact_search_text(
  first_name text, last_name text, notes text, primary_phone text, secondary_phone text, tertiary_phone text, custom_data jsonb)
  returns text
  language sql immutable parallel safe
  return fold_text(' ' || first_name || ' ' || last_name
    || coalesce(' ' || primary_phone, '') || coalesce(' ' || secondary_phone, '') || coalesce(' ' || tertiary_phone, '')
    || case when notes = '' then '' else ' ' || notes end
    || case when custom_data = '{}' then '' else
      coalesce((select string_agg(' ' || value, '') from jsonb_each_text(custom_data)), '') end);

-- Looks words up in contact_search. Row level security keeps `like` from being asked of an index, because it can't
-- know that the operator tells nothing of other accounts' rows; so this runs as the role that works across accounts,
-- and names the account itself. `patterns` must all be found, or else `digits`, a part of a phone.
-- Contacts that wait in search_backlog are looked through one by one.
create function find_contacts(
  patterns text[], digits text, of_group bigint, of_creator bigint, first_id bigint, last_id bigint)
  returns table (person_id bigint, sort_name text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  words text;
  narrower text := '';
  statement text;
begin
  select string_agg(format('%%1$s like $1[%s]', place), ' and ') into words
  from generate_series(1, cardinality(patterns)) place;
  if digits is not null then words := format('((%s) or %%1$s like $2)', words); end if;
  if of_group is not null then
    narrower := narrower || ' and exists (select from group_members m
      where m.account_id = $3 and m.group_id = $4 and m.person_id = f.person_id)';
  end if;
  if of_creator is not null then
    narrower := narrower || ' and exists (select from contacts o
      where o.account_id = $3 and o.created_by_user_id = $5 and o.person_id = f.person_id)';
  end if;
  if first_id is not null then narrower := narrower || ' and f.person_id between $6 and $7'; end if;
  statement := 'select f.person_id, f.sort_name from contact_search f where f.account_id = $3 and '
    || format(words, 'f.search_text') || narrower;
  if exists (select from search_backlog b where b.account_id = current_account_id()) then
    -- What was changed after it was imported is in both.
    statement := statement || ' union select f.person_id, f.sort_name
      from search_backlog b
      join contacts f on f.account_id = b.account_id and f.person_id between b.first_person_id and b.last_person_id
      cross join lateral (select contact_search_text(f.first_name, f.last_name, f.notes, f.primary_phone,
        f.secondary_phone, f.tertiary_phone, f.custom_data) as search_text offset 0) t
      where b.account_id = $3 and f.deleted_at is null and ' || format(words, 't.search_text') || narrower;
  end if;
  return query execute statement
    using patterns, digits, current_account_id(), of_group, of_creator, first_id, last_id;
end
$$;

-- The contacts whose words are nearest to what was typed, for when nothing holds it. Those of search_backlog are not
-- among them.
create function find_similar_contacts(typed text, of_group bigint, of_creator bigint, most bigint)
  returns table (person_id bigint, sort_name text, nearness real)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set pg_trgm.word_similarity_threshold = 0.5
as $$
begin
  return query
  select f.person_id, f.sort_name, word_similarity(typed, f.search_text) from (
    select s.person_id, s.sort_name, s.search_text from contact_search s
    where s.account_id = current_account_id() and s.search_text %> typed
      and (of_group is null or exists (select from group_members m
        where m.account_id = s.account_id and m.group_id = of_group and m.person_id = s.person_id))
      and (of_creator is null or exists (select from contacts o
        where o.account_id = s.account_id and o.created_by_user_id = of_creator and o.person_id = s.person_id))
    limit most
  ) f;
end
$$;

-- They belong to the role they run as, which may make nothing else in this schema.
grant create on schema public to muster_system;
alter function find_contacts owner to muster_system;
alter function find_similar_contacts owner to muster_system;
revoke create on schema public from muster_system;

-- Whether this transaction keeps counts, search and unfiled itself. An import of a million does, in its own sets.
create function keeps_contacts_itself() returns boolean
  language sql stable parallel safe
  return coalesce(current_setting('app.keeps_contacts_itself', true), '') = 'on';

create function keep_contacts_inserted() returns trigger
  language plpgsql
as $$
begin
  if keeps_contacts_itself() then return null; end if;
  insert into contact_search (account_id, person_id, sort_name, search_text)
  select account_id, person_id, sort_name,
    contact_search_text(first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
  from added where deleted_at is null;
  insert into group_members (account_id, group_id, person_id, sort_name)
  select account_id, -1, person_id, sort_name from added where deleted_at is null;
  -- In the order of their ids, so that two writers never wait for each other crosswise.
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, case when deleted_at is null then 0 else -2 end, count(*) from added group by 1, 2
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  return null;
end
$$;
create trigger keep_inserted after insert on contacts
  referencing new table as added for each statement execute function keep_contacts_inserted();

-- The rows before and after are never joined: PL/pgSQL keeps a plan for the session, and one that was made for a single
-- row holds every row against every other when five thousand come, which takes twenty seconds. Sets are subtracted in
-- one pass, whatever the plan was made for.
create function keep_contacts_updated() returns trigger
  language plpgsql
as $$
begin
  if keeps_contacts_itself() then return null; end if;
  -- Deleted: no longer among those in use. Asked first, here and below, so that nothing is joined for no rows.
  if exists (
    select account_id, person_id from before where deleted_at is null
    except select account_id, person_id from after where deleted_at is null)
  then
    delete from contact_search s using (
      select account_id, person_id from before where deleted_at is null
      except select account_id, person_id from after where deleted_at is null) gone
    where s.account_id = gone.account_id and s.person_id = gone.person_id;
    delete from group_members m using (
      select account_id, person_id from before where deleted_at is null
      except select account_id, person_id from after where deleted_at is null) gone
    where m.account_id = gone.account_id and m.person_id = gone.person_id;
  end if;
  -- Restored: back into the groups that are still there, or into none.
  insert into group_members (account_id, group_id, person_id, sort_name)
  select back.account_id, coalesce(g.group_id, -1), back.person_id, back.sort_name
  from (
    select account_id, person_id, max(sort_name) as sort_name, max(deleted_from_groups) as deleted_from_groups
    from (
      select account_id, person_id, sort_name, deleted_from_groups, false as was_there from after where deleted_at is null
      union all
      select account_id, person_id, null, null, true from before where deleted_at is null) seen
    group by account_id, person_id
    having not bool_or(was_there)) back
  left join lateral (
    select g.group_id from groups g
    where g.account_id = back.account_id and g.group_id = any(back.deleted_from_groups)
      and g.deleted_at is null and g.segment is null
  ) g on true;
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, list_id, sum(change)
  from (
    select account_id, case when deleted_at is null then 0 else -2 end as list_id, 1 as change from after
    union all
    select account_id, case when deleted_at is null then 0 else -2 end, -1 from before) moved
  group by 1, 2
  having sum(change) <> 0
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  -- Renamed, or what they are searched by has changed.
  insert into contact_search as s (account_id, person_id, sort_name, search_text)
  select account_id, person_id, sort_name,
    contact_search_text(first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
  from (
    select account_id, person_id, sort_name, first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data
    from after where deleted_at is null
    except
    select account_id, person_id, sort_name, first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data
    from before where deleted_at is null) other
  on conflict (account_id, person_id) do update
  set sort_name = excluded.sort_name, search_text = excluded.search_text;
  if exists (
    select from (
      select account_id, person_id, sort_name from after where deleted_at is null
      union all
      select account_id, person_id, sort_name from before where deleted_at is null) seen
    group by account_id, person_id
    having count(*) = 2 and min(sort_name) <> max(sort_name))
  then
    update group_members m set sort_name = renamed.sort_name
    from (
      select account_id, person_id, max(sort_name) filter (where is_after) as sort_name
      from (
        select account_id, person_id, sort_name, true as is_after from after where deleted_at is null
        union all
        select account_id, person_id, sort_name, false from before where deleted_at is null) seen
      group by account_id, person_id
      having count(*) = 2 and min(sort_name) <> max(sort_name)) renamed
    where m.account_id = renamed.account_id and m.person_id = renamed.person_id and m.sort_name <> renamed.sort_name;
  end if;
  return null;
end
$$;
create trigger keep_updated after update on contacts
  referencing old table as before new table as after for each statement execute function keep_contacts_updated();

create function keep_contacts_deleted() returns trigger
  language plpgsql
as $$
begin
  if keeps_contacts_itself() then return null; end if;
  delete from contact_search s using gone g where s.account_id = g.account_id and s.person_id = g.person_id;
  delete from group_members m using gone g where m.account_id = g.account_id and m.person_id = g.person_id;
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, case when deleted_at is null then 0 else -2 end, -count(*) from gone group by 1, 2
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  return null;
end
$$;
create trigger keep_deleted after delete on contacts
  referencing old table as gone for each statement execute function keep_contacts_deleted();

-- Who joins a group is no longer unfiled; who leaves the last one is.
create function keep_members_inserted() returns trigger
  language plpgsql
as $$
begin
  if keeps_contacts_itself() then return null; end if;
  -- Asked first: a trigger on a statement runs for no rows too, and the two would call each other for ever.
  if exists (select from added where group_id > 0) then
    delete from group_members m using added a
    where a.group_id > 0 and m.account_id = a.account_id and m.group_id = -1 and m.person_id = a.person_id;
  end if;
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, group_id, count(*) from added group by 1, 2
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  return null;
end
$$;
create trigger keep_inserted after insert on group_members
  referencing new table as added for each statement execute function keep_members_inserted();

create function keep_members_deleted() returns trigger
  language plpgsql
as $$
begin
  if keeps_contacts_itself() then return null; end if;
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, group_id, -count(*) from gone group by 1, 2
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  if exists (select from gone where group_id > 0) then
    insert into group_members (account_id, group_id, person_id, sort_name)
    select distinct c.account_id, -1, c.person_id, c.sort_name
    from gone g join contacts c on c.account_id = g.account_id and c.person_id = g.person_id and c.deleted_at is null
    where g.group_id > 0
      and not exists (select from group_members m where m.account_id = g.account_id and m.person_id = g.person_id)
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger keep_deleted after delete on group_members
  referencing old table as gone for each statement execute function keep_members_deleted();

-- What was there before.
insert into contact_search (account_id, person_id, sort_name, search_text)
select account_id, person_id, sort_name,
  contact_search_text(first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
from contacts where deleted_at is null;
delete from group_members m using contacts c
where c.account_id = m.account_id and c.person_id = m.person_id and c.deleted_at is not null;
update group_members m set sort_name = c.sort_name
from contacts c where c.account_id = m.account_id and c.person_id = m.person_id;
alter table group_members alter column sort_name drop default;
insert into group_members (account_id, group_id, person_id, sort_name)
select account_id, -1, person_id, sort_name from contacts c
where deleted_at is null
  and not exists (select from group_members m where m.account_id = c.account_id and m.person_id = c.person_id);
delete from list_counts;
insert into list_counts (account_id, list_id, roster_count)
select account_id, group_id, count(*) from group_members group by 1, 2
union all
select account_id, case when deleted_at is null then 0 else -2 end, count(*) from contacts group by 1, 2;

-- The consent ledger. `both`: one declaration for calls and texts. `none`: a declaration was taken back.
alter table consent_events drop constraint consent_events_channel_check;
alter table consent_events add constraint consent_events_channel_check check (channel in ('text', 'voice', 'both'));
alter table consent_events drop constraint consent_events_state_check;
alter table consent_events add constraint consent_events_state_check check (state in ('in', 'out', 'none'));
-- inbound: they wrote it (message_id is the proof); user: somebody here declared it; carrier: the carrier refused
-- because of an opt-out there; import: came with a file (file_id); web: they filled in a form; call: they pressed a key.
alter table consent_events drop constraint consent_events_source_check;
alter table consent_events add constraint consent_events_source_check
  check (source in ('inbound', 'user', 'carrier', 'import', 'web', 'call'));
alter table consent_events add column file_id bigint;
-- What they wrote, or what the person who declared it confirmed.
alter table consent_events rename column note to wording;
-- Where from: the address of who declared it.
alter table consent_events add column address text not null default '';
-- Append-only: the application may not change or take out what was once written.
revoke update, delete on consent_events from muster_app, muster_system;
create index phone_consents_text_out on phone_consents (account_id, text_changed_at desc, phone) where text_state = 'out';
create index phone_consents_voice_out on phone_consents (account_id, voice_changed_at desc, phone) where voice_state = 'out';

-- What the look-up provider said of a phone, and when.
create table phone_lookups (
  account_id bigint not null references accounts,
  phone phone not null,
  is_valid boolean not null,
  line_type text not null check (line_type in ('mobile', 'landline', 'voip', 'tollfree', 'other', 'unknown')),
  carrier_name text not null default '',
  looked_up_at timestamptz not null default now(),
  primary key (account_id, phone)
);
call make_tenant_table('phone_lookups');

-- Work on many rows that goes on without the page: in slices, each its own transaction, taken up again after a crash.
create table work (
  account_id bigint not null references accounts,
  work_id bigint generated always as identity,
  user_id bigint not null,
  kind text not null,
  -- What to do and to whom: the selection, the list and its search.
  input jsonb not null,
  status text not null default 'InProgress' check (status in ('InProgress', 'Complete', 'Error')),
  -- How far it has come, in ids; null before the first slice.
  cursor bigint,
  last_id bigint not null,
  done bigint not null default 0,
  total bigint not null,
  undo_id bigint,
  error_message text,
  -- Tries of the slice under way that failed; the next is not before lease_until.
  attempts smallint not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (account_id, work_id)
);
call make_tenant_table('work');
create index work_under_way on work (lease_until) where status = 'InProgress';

-- What a change that isn't the same for all its rows puts back: of contacts whether it was deleted, which groups it
-- joined and left, and the values that were changed (server/contacts/change/undo-contacts.ts).
alter table undo_rows add column before jsonb;
alter table undo_rows drop constraint undo_rows_account_id_undo_id_fkey;

-- Files with contacts. The bytes lie in DATA_DIR/uploads under file_key.
create table file_uploads (
  account_id bigint not null references accounts,
  file_id bigint generated always as identity,
  user_id bigint not null,
  file_key text not null,
  file_name text not null,
  byte_size bigint not null,
  stage text not null default 'mapping' check (stage in (
    'mapping', 'processing', 'review', 'importing', 'imported', 'undoing', 'undone', 'canceled', 'failed')),
  error_message text,
  -- What was found in the file: tabs, headers, the first rows, and the guess of its columns.
  structure jsonb not null,
  -- What the user chose: the tab, its columns, what to do with duplicates.
  choice jsonb,
  -- Where it goes, once the import has begun.
  list_id bigint,
  consent_declared boolean not null default false,
  consent_address text not null default '',
  summary jsonb,
  -- Names of groups found in the file.
  group_names text[] not null default '{}',
  done bigint not null default 0,
  total bigint,
  stage_started_at timestamptz not null default now(),
  is_cancel_asked boolean not null default false,
  undo_id bigint,
  -- Who works on it, and until when nobody else may.
  lease_id uuid,
  lease_until timestamptz,
  -- Its rows and bytes are gone.
  is_cleared boolean not null default false,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (account_id, file_id)
);
call make_tenant_table('file_uploads');
create index file_uploads_latest on file_uploads (account_id, user_id, file_id desc);
create index file_uploads_under_way on file_uploads (lease_until) where stage in ('processing', 'importing', 'undoing');
create index file_uploads_to_clear on file_uploads (ended_at) where stage in ('canceled', 'undone') and not is_cleared;

-- The rows of a file as they were read. `cells` only where a person may have to look: not for those that are good.
create table file_rows (
  account_id bigint not null,
  file_id bigint not null,
  row_number integer not null,
  state text collate "C" not null check (state in ('good', 'repaired', 'duplicate', 'rejected', 'removed')),
  -- Another row of the file with the same phone: the first one.
  first_row integer,
  problem text,
  first_name text not null default '',
  last_name text not null default '',
  notes text not null default '',
  phone1 text collate "C",
  phone2 text collate "C",
  phone3 text collate "C",
  group_names text[],
  -- By the name of the field, which may not exist before the import.
  custom_data jsonb not null default '{}',
  cells text[],
  -- The contact that had the phone when the file was read.
  person_id bigint,
  primary key (account_id, file_id, row_number)
);
call make_tenant_table('file_rows');
create index file_rows_to_see on file_rows (account_id, file_id, state, row_number) where state <> 'good';
create index file_rows_existing on file_rows (account_id, file_id, row_number) where person_id is not null;
-- All rows of a phone are imported with the first one.
create index file_rows_of_first on file_rows (account_id, file_id, first_row) where first_row is not null;

-- An import goes slice by slice; each commits with its rows, so that an interrupted one goes on where it was.
create table file_slices (
  account_id bigint not null,
  file_id bigint not null,
  slice_number integer not null,
  first_row integer not null,
  last_row integer not null,
  first_person_id bigint,
  last_person_id bigint,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  done_at timestamptz,
  undone_at timestamptz,
  primary key (account_id, file_id, slice_number)
);
call make_tenant_table('file_slices');

-- What an import changed of contacts that were there before, to be put back.
create table file_changes (
  account_id bigint not null,
  file_id bigint not null,
  person_id bigint not null,
  -- The values before; null when only the memberships changed.
  before jsonb,
  joined_groups bigint[] not null default '{}',
  primary key (account_id, file_id, person_id)
);
call make_tenant_table('file_changes');

-- How the columns of a file of a shape were named last time.
create table file_shapes (
  account_id bigint not null references accounts,
  shape_hash bytea not null,
  columns jsonb not null,
  used_at timestamptz not null default now(),
  primary key (account_id, shape_hash)
);
call make_tenant_table('file_shapes');

-- A selection that is to be downloaded.
create table exports (
  account_id bigint not null references accounts,
  export_id bigint generated always as identity,
  user_id bigint not null,
  list_id bigint not null,
  query jsonb not null,
  selection jsonb not null,
  format text not null check (format in ('csv', 'xlsx')),
  columns text[] not null,
  created_at timestamptz not null default now(),
  primary key (account_id, export_id)
);
call make_tenant_table('exports');
create index exports_age on exports (created_at);
