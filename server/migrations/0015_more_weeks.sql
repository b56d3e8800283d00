-- What isn't among the newest was looked for in the last five weeks one by one and then in all the rest at once, also where
-- one more week would have filled the page: at ten million texts that is 5 ms instead of 100.

-- Texts that hold every pattern, of these numbers and this time, until `enough` are found: first the newest ones by
-- hand, since a word may be so common that the index would name a million; where they show it to be common and few are
-- enough, more of the newest, since the index would gather thousands of one week; then weeks one by one backwards by the
-- index, which is asked for `indexed`, the beginnings of words that it should know: five, and further ones while a few
-- should be enough; then, since a word that is not even there is rare, all the rest at once, which takes as long as
-- twenty of them. So whatever is later than the earliest that was found was found. Runs as the role that works across
-- accounts, for the reason said at find_contacts, and names the account itself.
drop function find_messages;
create function find_messages(
  patterns text[], indexed text[], of_numbers bigint[], since timestamptz, until timestamptz, enough bigint, newest bigint)
  returns table (message_id bigint, text_number_id bigint, phone text, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  -- With less, the index names whole pages of a common word, and all their texts are taken apart to see which are meant.
  set work_mem = '64MB'
  -- PostgreSQL takes the newest texts of a large account for a tenth of them, and would start helpers for two thousand.
  set max_parallel_workers_per_gather = 0
as $$
declare
  words text;
  narrower constant text := ' and f.text_number_id = any($2) and f.created_at >= $3 and f.created_at < $4';
  columns constant text := 'select f.message_id, f.text_number_id, f.phone::text, f.created_at ';
  found bigint;
  more bigint;
  -- The first text that is not among the newest, and its week.
  older bigint;
  before bigint;
  further bigint;
  last_week integer;
  first_week integer;
  -- So many were looked through one by one, and so much was found in them.
  weeks integer := 0;
  in_weeks bigint := 0;
  by_index text;
  query text;
begin
  select string_agg(format('%%1$s like $1[%s]', place), ' and ') into words
  from generate_series(1, cardinality(patterns)) place;
  select s.message_id, s.week into older, last_week from message_search s
  where s.account_id = current_account_id() order by s.message_id desc offset newest limit 1;
  return query execute columns || 'from message_search_queue q
      join messages f on f.account_id = q.account_id and f.message_id = q.message_id
      cross join lateral (select fold_words(f.body) as search_text offset 0) t
      where q.account_id = $5 and ' || format(words, 't.search_text') || narrower
    || ' union all ' || columns || 'from message_search f
      where f.account_id = $5 and f.message_id > $6 and ' || format(words, 'f.search_text') || narrower
    using patterns, of_numbers, since, until, current_account_id(), coalesce(older, 0);
  get diagnostics found = row_count;
  if found >= enough or older is null then return; end if;
  -- As many as should be enough, at the rate so far, and half as many again.
  further := (enough - found) * newest * 3 / greatest(found * 2, 1);
  if found >= newest / 70 and further <= 20 * newest then
    before := older;
    select s.message_id, s.week into older, last_week from message_search s
    where s.account_id = current_account_id() and s.message_id <= before
    order by s.message_id desc offset further limit 1;
    return query execute columns || 'from message_search f
      where f.account_id = $5 and f.message_id <= $6 and f.message_id > $7 and ' || format(words, 'f.search_text') || narrower
      using patterns, of_numbers, since, until, current_account_id(), before, coalesce(older, 0);
    get diagnostics more = row_count;
    found := found + more;
    if found >= enough or older is null then return; end if;
  end if;
  -- A text may be later than one with a higher id, by hours.
  last_week := last_week + 1;
  if until < 'infinity' then
    last_week := least(last_week, ((until at time zone 'utc')::date - date '1970-01-01') / 7);
  end if;
  first_week := case when since > '-infinity' then ((since at time zone 'utc')::date - date '1970-01-01') / 7 else 0 end;
  select string_agg(quote_literal(current_account_id() || ':' || left(word, 8)), ' & ') into query
  from unnest(indexed) word;
  by_index := columns || 'from message_search f
    where message_words(f.account_id, f.search_text) @@ $8 and f.account_id = $5 and f.message_id <= $6 and '
    || format(words, 'f.search_text') || narrower;
  -- Only `=` is looked up in the index; a list of weeks is not.
  for week in reverse last_week .. first_week loop
    exit when weeks >= 5 and (enough - found) * weeks > 8 * in_weeks;
    return query execute by_index || ' and f.week = $7'
      using patterns, of_numbers, since, until, current_account_id(), older, week, query::tsquery;
    get diagnostics more = row_count;
    weeks := weeks + 1;
    in_weeks := in_weeks + more;
    found := found + more;
    if found >= enough then return; end if;
  end loop;
  if first_week <= last_week - weeks then
    -- The sum keeps the weeks out of the index: it would gather all their texts first.
    return query execute by_index || ' and f.week + 0 <= $7'
      using patterns, of_numbers, since, until, current_account_id(), older, last_week - weeks, query::tsquery;
  end if;
end
$$;
grant create on schema public to muster_system;
alter function find_messages owner to muster_system;
revoke create on schema public from muster_system;
