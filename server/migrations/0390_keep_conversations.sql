-- Statements that write conversations keep their counts, tags and phones themselves (server/conversations/write-conversations.ts),
-- and those that write texts queue the words to search by. The triggers stay for processes of the version before, and do nothing
-- for the others.

-- True in a statement that keeps by itself what the triggers keep: it sets this to its own time, or to "on" for all of its
-- transaction. With its own time, the next statement of the transaction is on its own again.
create function keeps_itself() returns boolean language sql stable parallel safe
return coalesce(current_setting('app.keeps_itself', true), '') in ('on', statement_timestamp()::text);

-- The rows of one statement, before and after it: those that it inserted are only in `after`, those that it deleted only in `before`.
-- `tagged` is false if none of them has tags: to look for them here takes a statement of its own.
create function keep_conversations(before conversations[], after conversations[], tagged boolean default true) returns void
language plpgsql as $$
begin
  if coalesce(cardinality(before), 0) + coalesce(cardinality(after), 0) = 0 then return; end if;
  insert into conversation_count_changes
    (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
  select account_id, text_number_id, coalesce(assigned_user_id, 0),
    coalesce(sum(change) filter (where place = 0), 0) as open,
    coalesce(sum(change) filter (where place = 0 and unread_count > 0), 0) as unread,
    coalesce(sum(change) filter (where place = 1), 0) as snoozed,
    coalesce(sum(change) filter (where place = 2), 0) as done,
    coalesce(sum(change) filter (where place = 3), 0) as opted_out
  from (
    select account_id, text_number_id, assigned_user_id, place, unread_count, 1 as change from unnest(after)
    union all
    select account_id, text_number_id, assigned_user_id, place, unread_count, -1 from unnest(before)) moved
  group by 1, 2, 3
  having coalesce(sum(change) filter (where place = 0), 0) <> 0
    or coalesce(sum(change) filter (where place = 0 and unread_count > 0), 0) <> 0
    or coalesce(sum(change) filter (where place = 1), 0) <> 0
    or coalesce(sum(change) filter (where place = 2), 0) <> 0
    or coalesce(sum(change) filter (where place = 3), 0) <> 0;
  if tagged then
    delete from conversation_tags t using (
      select account_id, unnest(tag_ids) as tag_id, conversation_id, text_number_id, place, last_message_at
      from unnest(before) where tag_ids <> '{}'
      except
      select account_id, unnest(tag_ids), conversation_id, text_number_id, place, last_message_at
      from unnest(after) where tag_ids <> '{}') gone
    where t.account_id = gone.account_id and t.conversation_id = gone.conversation_id and t.tag_id = gone.tag_id;
    insert into conversation_tags (account_id, tag_id, conversation_id, text_number_id, place, last_message_at)
    select account_id, unnest(tag_ids) as tag_id, conversation_id, text_number_id, place, last_message_at
    from unnest(after) where tag_ids <> '{}'
    except
    select account_id, unnest(tag_ids), conversation_id, text_number_id, place, last_message_at
    from unnest(before) where tag_ids <> '{}';
  end if;
  -- No statement inserts some and deletes others, so there are more rows after it if it inserted any.
  if cardinality(after) > coalesce(cardinality(before), 0) then
    insert into conversation_phones (account_id, phone)
    select account_id, phone from unnest(after)
    -- In one order everywhere, to avoid deadlocks between two of these at once.
    order by 1, 2
    on conflict do nothing;
  end if;
end
$$;

create or replace function keep_conversations_inserted() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  perform keep_conversations(null, array(select a::conversations from added a));
  return null;
end
$$;

create or replace function keep_conversations_updated() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  perform keep_conversations(array(select b::conversations from before b), array(select a::conversations from after a));
  return null;
end
$$;

create or replace function keep_conversations_deleted() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  perform keep_conversations(array(select g::conversations from gone g), null);
  return null;
end
$$;

create or replace function keep_messages_inserted() returns trigger language plpgsql as $$
begin
  if keeps_itself() then return null; end if;
  insert into message_search_queue (account_id, message_id)
  select account_id, message_id from added where origin in ('conversation', 'inbound') and body <> '';
  return null;
end
$$;
