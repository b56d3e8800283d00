-- Texts are looked for by the beginnings of their words instead of by any three letters in a row.

-- The words of a text, folded, each after one space. What has no spaces between its words (Chinese, Japanese, Thai, Lao,
-- Khmer; pictures) is a word a sign; a word longer than sixty signs is several.
create function fold_words(words text) returns text
  language plpgsql immutable parallel safe
as $$
declare
  folded text := translate(fold_text(words), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32));
begin
  if octet_length(folded) <> length(folded) then
    folded := regexp_replace(folded,
      '([\u0e00-\u0eff\u1780-\u17ff\u2600-\u27bf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff])',
      ' \1 ', 'g');
  end if;
  if folded ~ '\S{61}' then folded := regexp_replace(folded, '(\S{60})', '\1 ', 'g'); end if;
  return ' ' || btrim(regexp_replace(folded, '\s+', ' ', 'g'));
end
$$;

-- The words as the index has them: the beginnings of each, from three to eight letters long. Whole entries of it are
-- looked up and held against each other in steps; to look for whatever begins so, all lists of those would be read to
-- their ends. Each with its account, for the same reason.
create function message_words(account_id bigint, search_text text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(
    select account_id::text || ':' || left(word, letters)
    from string_to_table(btrim(search_text), ' ') word,
      generate_series(least(3, length(word)), least(8, length(word))) letters));

drop index message_search_words;
update message_search s set search_text = fold_words(m.body)
from messages m where m.account_id = s.account_id and m.message_id = s.message_id;
create index message_search_words on message_search using gin (week, message_words(account_id, search_text));

-- Texts that hold every pattern, of these numbers and this time, until `enough` are found: first the newest ones by
-- hand, since a word may be so common that the index would name a million; then a few weeks one by one backwards by the
-- index, which is asked for `indexed`, the beginnings of words that it should know; then, since a word that is not even
-- there is rare, all the rest at once. So whatever is later than the earliest that was found was found. Runs as the role
-- that works across accounts, for the reason said at find_contacts, and names the account itself.
drop function find_messages;
create function find_messages(
  patterns text[], indexed text[], of_numbers bigint[], since timestamptz, until timestamptz, enough bigint, newest bigint)
  returns table (message_id bigint, text_number_id bigint, phone text, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  words text;
  narrower constant text := ' and f.text_number_id = any($2) and f.created_at >= $3 and f.created_at < $4';
  columns constant text := 'select f.message_id, f.text_number_id, f.phone::text, f.created_at ';
  found bigint;
  more bigint;
  -- The first text that is not among the newest, and its week.
  older bigint;
  last_week integer;
  first_week integer;
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
  for week in reverse last_week .. greatest(first_week, last_week - 4) loop
    return query execute by_index || ' and f.week = $7'
      using patterns, of_numbers, since, until, current_account_id(), older, week, query::tsquery;
    get diagnostics more = row_count;
    found := found + more;
    if found >= enough then return; end if;
  end loop;
  if first_week < last_week - 4 then
    -- The sum keeps the weeks out of the index: it would gather all their texts first.
    return query execute by_index || ' and f.week + 0 < $7'
      using patterns, of_numbers, since, until, current_account_id(), older, last_week - 4, query::tsquery;
  end if;
end
$$;
grant create on schema public to muster_system;
alter function find_messages owner to muster_system;
revoke create on schema public from muster_system;
