-- A trigger on a statement also runs for no rows. These two then joined nothing with every word of the account's contacts,
-- which took seconds right after a large file came in. And words that are gone are looked up one by one: thinking the table
-- small, PostgreSQL compared every word of the account with each of them.
create or replace function keep_words_deleted() returns trigger
  language plpgsql
  set enable_hashjoin to off
  set enable_mergejoin to off
  set enable_seqscan to off
as $$
begin
  if not exists (select from gone) then return null; end if;
  delete from contact_words c
  where c.ctid = any (array(
    select found.ctid
    from (
      select distinct g.account_id, w.word, g.sort_name, g.person_id
      from gone g cross join lateral words_of_contact(g.search_text) w(word)
    ) had
    -- "offset 0" keeps the order: from each of them into the index, never the other way round.
    cross join lateral (
      select k.ctid from contact_words k
      where k.account_id = had.account_id and k.word = had.word and k.sort_name = had.sort_name
        and k.person_id = had.person_id
      offset 0
    ) found));
  return null;
end
$$;

create or replace function keep_words_inserted() returns trigger
  language plpgsql
  set enable_hashjoin to off
  set enable_mergejoin to off
  set enable_seqscan to off
as $$
begin
  if not exists (select from added) then return null; end if;
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
