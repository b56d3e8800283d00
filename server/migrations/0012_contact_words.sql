-- A part of a word that tens of thousands of contacts have is looked for among the words there are instead of among the
-- contacts: each word has its people in the order of their names.

-- A word at the beginning of a line begins like any other.
create or replace function contact_search_text(
  first_name text, last_name text, notes text, primary_phone text, secondary_phone text, tertiary_phone text, custom_data jsonb)
  returns text
  language sql immutable parallel safe
  return fold_text(translate(' ' || first_name || ' ' || last_name
    || coalesce(' ' || primary_phone, '') || coalesce(' ' || secondary_phone, '') || coalesce(' ' || tertiary_phone, '')
    || case when notes = '' then '' else ' ' || notes end
    || case when custom_data = '{}' then '' else
      coalesce((select string_agg(' ' || value, '') from jsonb_each_text(custom_data)), '') end,
    E'\t\n\r\f\v', '     '));
update contact_search set search_text = translate(search_text, E'\t\n\r\f\v', '     ')
where search_text ~ E'[\t\n\r\f\v]';

-- The words of what a contact is searched by, without those that are only digits (phones have the other index). A word
-- longer than a hundred signs is several that overlap by fifty: whatever has up to fifty signs is whole in one of them.
-- Those that are no beginning have a sign before them that nobody looks for.
create function words_of_contact(search_text text) returns setof text
  language sql immutable parallel safe rows 4
as $$
  select case when at = 1 then left(word, 100) else U&'\0001' || substr(word, at, 100) end
  from string_to_table(search_text, ' ') word,
    generate_series(1, greatest(1, length(word) - 50), 50) at
  where translate(word, '0123456789().+-', '') <> ''
$$;

create table contact_words (
  account_id bigint not null,
  word text collate "C" not null,
  sort_name text collate "C" not null,
  person_id bigint not null,
  primary key (account_id, word, sort_name, person_id)
);
call make_tenant_table('contact_words');

-- The words there are. Nobody waits for somebody else who adds the same word: it may stand here twice, and stays until it
-- is swept when nobody has it any more.
create table known_words (
  account_id bigint not null,
  word text collate "C" not null
);
call make_tenant_table('known_words');
create index known_words_whole on known_words (account_id, word);
create index known_words_parts on known_words using gin (account_id, word gin_trgm_ops);

-- The words there are that a pattern fits, so many at most. Runs as the role that works across accounts, for the reason
-- said at find_contacts, and names the account itself.
create function find_words(pattern text, most bigint)
  returns table (word text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  -- Planned anew each time: a generic plan doesn't know whether the pattern has a beginning.
  return query execute 'select w.word from known_words w where w.account_id = $1 and w.word like $2 limit $3'
    using current_account_id(), pattern, most;
end
$$;
grant create on schema public to muster_system;
alter function find_words owner to muster_system;
revoke create on schema public from muster_system;

-- Kept by triggers on contact_search, which has its own writers. PL/pgSQL keeps a plan for the session: one that was made
-- for ten thousand rows would read both tables whole for a single one, so they are only ever asked by their indexes.
create function keep_words_inserted() returns trigger
  language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  with made as (
    insert into contact_words (account_id, word, sort_name, person_id)
    select distinct a.account_id, w.word, a.sort_name, a.person_id
    from added a cross join lateral words_of_contact(a.search_text) w(word)
    -- In the order of the index, which is filled faster so.
    order by 1, 2, 3, 4
    returning account_id, word
  )
  insert into known_words (account_id, word)
  select m.account_id, m.word from (select distinct account_id, word from made) m
  where not exists (select from known_words k where k.account_id = m.account_id and k.word = m.word);
  return null;
end
$$;
create trigger keep_words_inserted after insert on contact_search
  referencing new table as added for each statement execute function keep_words_inserted();
create trigger keep_words_added_by_update after update on contact_search
  referencing new table as added for each statement execute function keep_words_inserted();

create function keep_words_deleted() returns trigger
  language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  delete from contact_words c using (
    select distinct g.account_id, w.word, g.sort_name, g.person_id
    from gone g cross join lateral words_of_contact(g.search_text) w(word)
  ) had
  where c.account_id = had.account_id and c.word = had.word and c.sort_name = had.sort_name
    and c.person_id = had.person_id;
  return null;
end
$$;
create trigger keep_words_deleted after delete on contact_search
  referencing old table as gone for each statement execute function keep_words_deleted();
-- Triggers fire in the order of their names: the old words go before the new ones come.
create trigger keep_old_words_deleted after update on contact_search
  referencing old table as gone for each statement execute function keep_words_deleted();

insert into contact_words (account_id, word, sort_name, person_id)
select distinct s.account_id, w.word, s.sort_name, s.person_id
from contact_search s cross join lateral words_of_contact(s.search_text) w(word)
order by 1, 2, 3, 4;
insert into known_words (account_id, word)
select distinct account_id, word from contact_words;

grant maintain on contact_words, known_words to muster_app, muster_system;
