-- A trigger on a statement also runs for no rows. These two then joined nothing with every word of the account's contacts,
-- which took seconds right after a large file came in.
create or replace function keep_words_deleted() returns trigger
  language plpgsql
  set enable_hashjoin to off
  set enable_mergejoin to off
  set enable_seqscan to off
as $$
begin
  if not exists (select from gone) then return null; end if;
  delete from contact_words c using (
    select distinct g.account_id, w.word, g.sort_name, g.person_id
    from gone g cross join lateral words_of_contact(g.search_text) w(word)
  ) had
  where c.account_id = had.account_id and c.word = had.word and c.sort_name = had.sort_name
    and c.person_id = had.person_id;
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
