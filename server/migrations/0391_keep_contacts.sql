-- Tables that are spread over machines can have no triggers. So the statements of the program that write contacts,
-- group_members and contact_search call these functions with the rows that they wrote (server/contacts/keep-written.ts):
-- an inserted row has no "before", a deleted one no "after". The triggers stay for processes of the version before, and call
-- the same functions.

-- "force_generic_plan", here and below: otherwise PostgreSQL copies the arrays several times for each plan.
create function keep_words(before contact_search[], after contact_search[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  perform set_config('app.keeps_itself', statement_timestamp()::text, true);
  delete from contact_words c
  where c.ctid = any (array(
    select found.ctid
    from (
      select distinct b.account_id, w.word, b.sort_name, b.person_id
      from unnest(before) b cross join lateral words_of_contact(b.search_text) w(word)
    ) had
    -- "offset 0" keeps the order: from each of them into the index, never the other way round.
    cross join lateral (
      select k.ctid from contact_words k
      where k.account_id = had.account_id and k.word = had.word and k.sort_name = had.sort_name
        and k.person_id = had.person_id
      offset 0
    ) found));
  with made as (
    insert into contact_words (account_id, word, sort_name, person_id)
    select distinct a.account_id, w.word, a.sort_name, a.person_id
    from unnest(after) a cross join lateral words_of_contact(a.search_text) w(word)
    -- In the order of the index, which is filled faster so.
    order by 1, 2, 3, 4
    returning account_id, word
  )
  insert into known_words (account_id, word)
  select m.account_id, m.word from (select distinct account_id, word from made) m
  where not exists (select from known_words k where k.account_id = m.account_id and k.word = m.word);
end
$$;

create function keep_members(before group_members[], after group_members[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  perform set_config('app.keeps_itself', statement_timestamp()::text, true);
  with filed as (
    delete from group_members m using unnest(after) a
    where a.group_id > 0 and m.account_id = a.account_id and m.group_id = -1 and m.person_id = a.person_id
    returning m.account_id
  ),
  unfiled as (
    insert into group_members (account_id, group_id, person_id, sort_name)
    select distinct c.account_id, -1, c.person_id, c.sort_name
    from unnest(before) b
    join contacts c on c.account_id = b.account_id and c.person_id = b.person_id and c.deleted_at is null
    where b.group_id > 0
      and not exists (select from group_members m where m.account_id = b.account_id and m.person_id = b.person_id)
    on conflict do nothing
    returning account_id
  )
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, list_id, sum(change)
  from (
    select account_id, group_id as list_id, 1 as change from unnest(after)
    union all
    select account_id, group_id, -1 from unnest(before)
    union all
    select account_id, -1, -1 from filed
    union all
    select account_id, -1, 1 from unfiled) moved
  group by 1, 2
  having sum(change) <> 0
  -- In the order of their ids, so that two writers never deadlock.
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
end
$$;

create function keep_contacts(before contacts[], after contacts[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  gone_accounts bigint[];
  gone_people bigint[];
  search_before contact_search[];
  search_after contact_search[];
begin
  perform set_config('app.keeps_itself', statement_timestamp()::text, true);
  -- No longer in use. Contacts that were deleted before are in no group and no search.
  select array_agg(account_id), array_agg(person_id) into gone_accounts, gone_people
  from (
    select account_id, person_id from unnest(before) where deleted_at is null
    except
    select account_id, person_id from unnest(after) where deleted_at is null) gone;
  with out_of_all as (
    delete from group_members m using unnest(gone_accounts, gone_people) gone(account_id, person_id)
    where m.account_id = gone.account_id and m.person_id = gone.person_id
    returning m.account_id, m.group_id
  ),
  -- Restored: back into the groups that are still there, or into none. New: into none.
  into_some as (
    insert into group_members (account_id, group_id, person_id, sort_name)
    select back.account_id, coalesce(g.group_id, -1), back.person_id, back.sort_name
    from (
      select account_id, person_id, max(sort_name) as sort_name, max(deleted_from_groups) as deleted_from_groups
      from (
        select account_id, person_id, sort_name, deleted_from_groups, false as was_there
        from unnest(after) where deleted_at is null
        union all
        select account_id, person_id, null, null, true from unnest(before) where deleted_at is null) seen
      group by account_id, person_id
      having not bool_or(was_there)) back
    left join lateral (
      select g.group_id from groups g
      where g.account_id = back.account_id and g.group_id = any(back.deleted_from_groups)
        and g.deleted_at is null and g.segment is null
    ) g on true
    returning account_id, group_id
  )
  insert into list_counts as kept (account_id, list_id, roster_count)
  select account_id, list_id, sum(change)
  from (
    select account_id, group_id as list_id, -1 as change from out_of_all
    union all
    select account_id, group_id, 1 from into_some
    union all
    select account_id, case when deleted_at is null then 0 else -2 end, 1 from unnest(after)
    union all
    select account_id, case when deleted_at is null then 0 else -2 end, -1 from unnest(before)) moved
  group by 1, 2
  having sum(change) <> 0
  -- In the order of their ids, so that two writers never deadlock.
  order by 1, 2
  on conflict (account_id, list_id) do update set roster_count = kept.roster_count + excluded.roster_count;
  with removed as (
    delete from contact_search s using unnest(gone_accounts, gone_people) gone(account_id, person_id)
    where s.account_id = gone.account_id and s.person_id = gone.person_id
    returning old as old_row, new as new_row
  ),
  -- New or restored, renamed, or what they are searched by has changed.
  written as (
    insert into contact_search as s (account_id, person_id, sort_name, search_text)
    select account_id, person_id, sort_name,
      contact_search_text(first_name, last_name, notes, primary_phone, secondary_phone, tertiary_phone, custom_data)
    from (
      select account_id, person_id, sort_name, first_name, last_name, notes, primary_phone, secondary_phone,
        tertiary_phone, custom_data
      from unnest(after) where deleted_at is null
      except
      select account_id, person_id, sort_name, first_name, last_name, notes, primary_phone, secondary_phone,
        tertiary_phone, custom_data
      from unnest(before) where deleted_at is null) other
    on conflict (account_id, person_id) do update
    set sort_name = excluded.sort_name, search_text = excluded.search_text
    returning old as old_row, new as new_row
  )
  -- A row that wasn't there has only nulls, and none has a person_id that is null.
  select array_agg(old_row) filter (where (old_row).person_id is not null),
    array_agg(new_row) filter (where (new_row).person_id is not null)
  into search_before, search_after
  from (table removed union all table written) changed;
  if search_before is not null or search_after is not null then
    perform keep_words(search_before, search_after);
  end if;
  -- Asked first, so that nothing is joined for no rows.
  if exists (
    select from (
      select account_id, person_id, sort_name from unnest(after) where deleted_at is null
      union all
      select account_id, person_id, sort_name from unnest(before) where deleted_at is null) seen
    group by account_id, person_id
    having count(*) = 2 and min(sort_name) <> max(sort_name))
  then
    update group_members m set sort_name = renamed.sort_name
    from (
      select account_id, person_id, max(sort_name) filter (where is_after) as sort_name
      from (
        select account_id, person_id, sort_name, true as is_after from unnest(after) where deleted_at is null
        union all
        select account_id, person_id, sort_name, false from unnest(before) where deleted_at is null) seen
      group by account_id, person_id
      having count(*) = 2 and min(sort_name) <> max(sort_name)) renamed
    where m.account_id = renamed.account_id and m.person_id = renamed.person_id and m.sort_name <> renamed.sort_name;
  end if;
end
$$;

-- Off again at the end of each: a statement that writes two of these tables needs the triggers of both.
create or replace function keep_words_inserted() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  perform keep_words(null, array(select a::contact_search from added a));
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_words_deleted() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  perform keep_words(array(select g::contact_search from gone g), null);
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_members_inserted() returns trigger language plpgsql as $$
begin
  if keeps_itself() or keeps_contacts_itself() then return null; end if;
  perform keep_members(null, array(select a::group_members from added a));
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_members_deleted() returns trigger language plpgsql as $$
begin
  if keeps_itself() or keeps_contacts_itself() then return null; end if;
  perform keep_members(array(select g::group_members from gone g), null);
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_contacts_inserted() returns trigger language plpgsql as $$
begin
  if keeps_itself() or keeps_contacts_itself() then return null; end if;
  perform keep_contacts(null, array(select a::contacts from added a));
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_contacts_updated() returns trigger language plpgsql as $$
begin
  if keeps_itself() or keeps_contacts_itself() then return null; end if;
  perform keep_contacts(array(select b::contacts from before b), array(select a::contacts from after a));
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;

create or replace function keep_contacts_deleted() returns trigger language plpgsql as $$
begin
  if keeps_itself() or keeps_contacts_itself() then return null; end if;
  perform keep_contacts(array(select g::contacts from gone g), null);
  perform set_config('app.keeps_itself', 'off', true);
  return null;
end
$$;
