-- Words of contacts that somebody may have meant: one letter is missing, too many or wrong, two are the other way round,
-- or most parts are the same. Among the words of an account, not its contacts: a million people have some thousand names.
-- Defined here, because policies would keep the planner from the index of parts (migration 0012 does so too).
create function find_similar_words(typed text, most bigint) returns table (word text, nearness real)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set pg_trgm.similarity_threshold = '0.35'
as $$
declare
  size int := length(typed);
  swapped text[];
  shorter text[];
  patterns text[];
begin
  if size >= 4 then
    swapped := array(select overlay(typed placing substr(typed, i + 1, 1) || substr(typed, i, 1) from i for 2)
      from generate_series(1, size - 1) i);
    shorter := array(select overlay(typed placing '' from i for 1) from generate_series(1, size) i);
    -- One wrong letter, one letter missing. The first letter is right: words are looked through along their beginning.
    patterns := array(select overlay(typed placing '_' from i for 1) from generate_series(2, size) i)
      || array(select overlay(typed placing '_' || substr(typed, i, 1) from i for 1) from generate_series(2, size) i)
      || (typed || '_');
  end if;
  return query
  select f.word, max(f.nearness) from (
    select w.word, 1::real as nearness from known_words w
    where w.account_id = current_account_id() and w.word = any(swapped || shorter)
    union all
    select w.word, 1::real from known_words w
    where w.account_id = current_account_id() and w.word >= left(typed, 1) and w.word < left(typed, 1) || chr(1114111)
      and length(w.word) between size and size + 1 and w.word like any(patterns)
    union all
    select w.word, similarity(w.word, typed) from known_words w
    where w.account_id = current_account_id() and w.word % typed
  ) f
  group by f.word order by 2 desc, 1 limit most;
end
$$;
