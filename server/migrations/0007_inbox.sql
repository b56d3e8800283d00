-- The inbox of a team: where a conversation stands, tags, notes, search inside texts, answers by the machine, texts for
-- later, saved texts, and how people are told of what is unread.

-- Conversations

-- Who takes care of it; null for nobody.
alter table conversations add column assigned_user_id bigint;
-- Out of the list until then. Not null says that it is snoozed: a job clears it when the time has come, an inbound text at once.
alter table conversations add column snoozed_until timestamptz;
alter table conversations add column tag_ids bigint[] not null default '{}';
-- A retired conversation goes on in this one, at another text number.
alter table conversations add column continued_in_id bigint;
-- Where it stands: 0 open, 1 snoozed, 2 done, 3 auto opt-outs. The first key of every list, so that none has to skip rows.
alter table conversations add column place smallint not null generated always as (
  case when is_auto_opt_out then 3 when is_done then 2 when snoozed_until is not null then 1 else 0 end) stored;

drop index conversations_open;
drop index conversations_unread;
drop index conversations_waiting;
create index conversations_of_place on conversations (account_id, place, last_message_at desc, conversation_id desc);
create index conversations_of_number on conversations
  (account_id, text_number_id, place, last_message_at desc, conversation_id desc);
create index conversations_of_assignee on conversations
  (account_id, assigned_user_id, place, last_message_at desc, conversation_id desc);
create index conversations_unread on conversations (account_id, last_message_at desc, conversation_id desc)
  where unread_count > 0 and place = 0;
create index conversations_waiting on conversations (account_id, waiting_since, conversation_id)
  where waiting_since is not null and place = 0;
-- The same two for who may use a few of many numbers: none of them unread must not mean to look at all the others.
create index conversations_unread_of_number on conversations
  (account_id, text_number_id, last_message_at desc, conversation_id desc) where unread_count > 0 and place = 0;
create index conversations_waiting_of_number on conversations (account_id, text_number_id, waiting_since, conversation_id)
  where waiting_since is not null and place = 0;
create index conversations_to_wake on conversations (snoozed_until) where snoozed_until is not null;

create table tags (
  account_id bigint not null references accounts,
  tag_id bigint generated always as identity,
  name text not null check (length(name) between 1 and 50),
  colour smallint not null default 0 check (colour between 0 and 7),
  created_at timestamptz not null default now(),
  primary key (account_id, tag_id)
);
call make_tenant_table('tags');
create unique index tags_name on tags (account_id, lower(name));

-- conversations.tag_ids turned round, in the order of the lists. Kept by the triggers below; nobody else writes it.
create table conversation_tags (
  account_id bigint not null,
  tag_id bigint not null,
  conversation_id bigint not null,
  text_number_id bigint not null,
  place smallint not null,
  last_message_at timestamptz not null,
  primary key (account_id, conversation_id, tag_id)
);
call make_tenant_table('conversation_tags');
create index conversation_tags_latest on conversation_tags
  (account_id, tag_id, place, last_message_at desc, conversation_id desc);
create index conversation_tags_of_number on conversation_tags
  (account_id, tag_id, text_number_id, place, last_message_at desc, conversation_id desc);

-- Every phone that has a conversation, to be found by any of its digits. Beside the conversations and not an index on
-- them: those change with every text, their phone never. A phone may stay here when its conversations are deleted.
create table conversation_phones (
  account_id bigint not null,
  phone phone not null,
  primary key (account_id, phone)
);
call make_tenant_table('conversation_phones');
create index conversation_phones_digits on conversation_phones using gin (account_id, phone gin_trgm_ops);

-- Phones that hold these digits, so many at most. Runs as the role that works across accounts, for the reason said at
-- find_contacts, and names the account itself.
create function find_phones(digits text, most bigint)
  returns table (phone text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  -- Planned anew each time: a generic plan doesn't know how many phones hold the digits.
  return query execute 'select f.phone::text from conversation_phones f
    where f.account_id = $1 and f.phone like $2 limit $3'
    using current_account_id(), '%' || digits || '%', most;
end
$$;
grant create on schema public to muster_system;
alter function find_phones owner to muster_system;
revoke create on schema public from muster_system;

-- How many conversations stand where, by text number and by who takes care of them (0 for nobody). What has changed since
-- it was last summed up lies in conversation_count_changes, and both are added when they are read: writers only append,
-- so that nobody who counts waits for anybody else.
create table conversation_counts (
  account_id bigint not null,
  text_number_id bigint not null,
  assigned_user_id bigint not null,
  open bigint not null default 0,
  unread bigint not null default 0,
  snoozed bigint not null default 0,
  done bigint not null default 0,
  opted_out bigint not null default 0,
  primary key (account_id, text_number_id, assigned_user_id)
);
call make_tenant_table('conversation_counts');

create table conversation_count_changes (
  account_id bigint not null,
  change_id bigint generated always as identity,
  text_number_id bigint not null,
  assigned_user_id bigint not null,
  open integer not null,
  unread integer not null,
  snoozed integer not null,
  done integer not null,
  opted_out integer not null,
  primary key (account_id, change_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
call make_tenant_table('conversation_count_changes');

create function keep_conversations_inserted() returns trigger
  language plpgsql
as $$
begin
  insert into conversation_count_changes
    (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
  select account_id, text_number_id, coalesce(assigned_user_id, 0),
    count(*) filter (where place = 0), count(*) filter (where place = 0 and unread_count > 0),
    count(*) filter (where place = 1), count(*) filter (where place = 2), count(*) filter (where place = 3)
  from added group by 1, 2, 3;
  insert into conversation_tags (account_id, tag_id, conversation_id, text_number_id, place, last_message_at)
  select account_id, unnest(tag_ids), conversation_id, text_number_id, place, last_message_at
  from added where tag_ids <> '{}';
  -- In one order everywhere, so that two writers never wait for each other crosswise.
  insert into conversation_phones (account_id, phone)
  select distinct account_id, phone from added order by account_id, phone
  on conflict do nothing;
  return null;
end
$$;
create trigger keep_inserted after insert on conversations
  referencing new table as added for each statement execute function keep_conversations_inserted();

-- Sets are subtracted, never joined: why is said at keep_contacts_updated.
create function keep_conversations_updated() returns trigger
  language plpgsql
as $$
begin
  insert into conversation_count_changes
    (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
  select account_id, text_number_id, coalesce(assigned_user_id, 0),
    coalesce(sum(change) filter (where place = 0), 0) as open,
    coalesce(sum(change) filter (where place = 0 and unread_count > 0), 0) as unread,
    coalesce(sum(change) filter (where place = 1), 0) as snoozed,
    coalesce(sum(change) filter (where place = 2), 0) as done,
    coalesce(sum(change) filter (where place = 3), 0) as opted_out
  from (
    select account_id, text_number_id, assigned_user_id, place, unread_count, 1 as change from after
    union all
    select account_id, text_number_id, assigned_user_id, place, unread_count, -1 from before) moved
  group by 1, 2, 3
  having coalesce(sum(change) filter (where place = 0), 0) <> 0
    or coalesce(sum(change) filter (where place = 0 and unread_count > 0), 0) <> 0
    or coalesce(sum(change) filter (where place = 1), 0) <> 0
    or coalesce(sum(change) filter (where place = 2), 0) <> 0
    or coalesce(sum(change) filter (where place = 3), 0) <> 0;
  if exists (select from before where tag_ids <> '{}') then
    delete from conversation_tags t using (
      select account_id, unnest(tag_ids) as tag_id, conversation_id, text_number_id, place, last_message_at from before
      except
      select account_id, unnest(tag_ids), conversation_id, text_number_id, place, last_message_at from after) gone
    where t.account_id = gone.account_id and t.conversation_id = gone.conversation_id and t.tag_id = gone.tag_id;
  end if;
  insert into conversation_tags (account_id, tag_id, conversation_id, text_number_id, place, last_message_at)
  select account_id, unnest(tag_ids) as tag_id, conversation_id, text_number_id, place, last_message_at
  from after where tag_ids <> '{}'
  except
  select account_id, unnest(tag_ids), conversation_id, text_number_id, place, last_message_at
  from before where tag_ids <> '{}';
  return null;
end
$$;
create trigger keep_updated after update on conversations
  referencing old table as before new table as after for each statement execute function keep_conversations_updated();

create function keep_conversations_deleted() returns trigger
  language plpgsql
as $$
begin
  insert into conversation_count_changes
    (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
  select account_id, text_number_id, coalesce(assigned_user_id, 0),
    -count(*) filter (where place = 0), -count(*) filter (where place = 0 and unread_count > 0),
    -count(*) filter (where place = 1), -count(*) filter (where place = 2), -count(*) filter (where place = 3)
  from gone group by 1, 2, 3;
  delete from conversation_tags t using gone g
  where g.tag_ids <> '{}' and t.account_id = g.account_id and t.conversation_id = g.conversation_id;
  return null;
end
$$;
create trigger keep_deleted after delete on conversations
  referencing old table as gone for each statement execute function keep_conversations_deleted();

-- What was there before.
insert into conversation_counts (account_id, text_number_id, assigned_user_id, open, unread, snoozed, done, opted_out)
select account_id, text_number_id, 0, count(*) filter (where place = 0),
  count(*) filter (where place = 0 and unread_count > 0), 0, count(*) filter (where place = 2), count(*) filter (where place = 3)
from conversations group by 1, 2;
insert into conversation_phones (account_id, phone) select distinct account_id, phone from conversations;

-- What the team says among itself, and what was done with the conversation, in the thread between the texts.
create table conversation_notes (
  account_id bigint not null,
  note_id bigint generated always as identity,
  conversation_id bigint not null,
  kind text collate "C" not null default 'note' check (kind in ('note', 'assigned', 'unassigned', 'moved')),
  user_id bigint not null,
  -- Whom it was assigned to.
  assigned_user_id bigint,
  body text not null default '' check (length(body) <= 2000),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  primary key (account_id, note_id),
  foreign key (account_id, conversation_id) references conversations on delete cascade
);
call make_tenant_table('conversation_notes');
create index conversation_notes_thread on conversation_notes (account_id, conversation_id, note_id desc);

-- Where a user wants the signature otherwise than everywhere.
create table conversation_signatures (
  account_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null,
  is_enabled boolean not null,
  primary key (account_id, conversation_id, user_id),
  foreign key (account_id, conversation_id) references conversations on delete cascade
);
call make_tenant_table('conversation_signatures');

-- Messages

-- Of an outbound text the broadcast it belongs to, of an inbound one the broadcast it answers.
alter table messages add column broadcast_id bigint;
-- automatic: an auto reply, a keyword's answer or a confirmation; notification: tells one of us of unread texts, and
-- stands in no conversation.
alter table messages drop constraint messages_origin_check;
alter table messages add constraint messages_origin_check
  check (origin in ('conversation', 'inbound', 'broadcast', 'automatic', 'notification'));

-- Conversations that answered a broadcast, by their latest answer to it.
create table broadcast_replies (
  account_id bigint not null,
  broadcast_id bigint not null,
  conversation_id bigint not null,
  replied_at timestamptz not null,
  primary key (account_id, broadcast_id, conversation_id)
);
call make_tenant_table('broadcast_replies');
create index broadcast_replies_latest on broadcast_replies
  (account_id, broadcast_id, replied_at desc, conversation_id desc);

-- What texts are searched by: their words, folded. Only what people wrote; a broadcast's text is in a hundred thousand
-- threads and tells none from another.
create table message_search (
  account_id bigint not null,
  message_id bigint not null,
  text_number_id bigint not null,
  phone phone not null,
  created_at timestamptz not null,
  -- Since 1970, in UTC. A part of the index: texts come in the order of their time, so that within a week only that
  -- week's part of a word's list is read.
  week integer not null generated always as (((created_at at time zone 'utc')::date - date '1970-01-01') / 7) stored,
  search_text text collate "C" not null,
  primary key (account_id, message_id)
);
call make_tenant_table('message_search');
create index message_search_words on message_search using gin (account_id, week, search_text gin_trgm_ops);
grant maintain on message_search, conversations, conversation_tags, undo_rows to muster_app, muster_system;

-- Texts that are not in message_search yet. A text has about eighty trigrams: a job takes them in by the thousand, so
-- that no inbound text waits for the index. A search looks through these one by one.
create table message_search_queue (
  account_id bigint not null,
  message_id bigint not null,
  primary key (account_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
call make_tenant_table('message_search_queue');

create function keep_messages_inserted() returns trigger
  language plpgsql
as $$
begin
  insert into message_search_queue (account_id, message_id)
  select account_id, message_id from added where origin in ('conversation', 'inbound') and body <> '';
  return null;
end
$$;
create trigger keep_inserted after insert on messages
  referencing new table as added for each statement execute function keep_messages_inserted();
insert into message_search_queue (account_id, message_id)
select account_id, message_id from messages where origin in ('conversation', 'inbound') and body <> '';

-- Texts that hold every pattern, of these numbers and this time, until `enough` are found: first the newest ones by
-- hand, since a word may be so common that the index would name a million; then a few weeks one by one backwards by the
-- index; then, since a word that is not even there is rare, all the rest at once. So whatever is later than the earliest
-- that was found was found. Runs as the role that works across accounts, for the reason said at find_contacts, and names
-- the account itself.
create function find_messages(
  patterns text[], of_numbers bigint[], since timestamptz, until timestamptz, enough bigint, newest bigint)
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
begin
  select string_agg(format('%%1$s like $1[%s]', place), ' and ') into words
  from generate_series(1, cardinality(patterns)) place;
  select s.message_id, s.week into older, last_week from message_search s
  where s.account_id = current_account_id() order by s.message_id desc offset newest limit 1;
  return query execute columns || 'from message_search_queue q
      join messages f on f.account_id = q.account_id and f.message_id = q.message_id
      cross join lateral (select fold_text(f.body) as search_text offset 0) t
      where q.account_id = $5 and ' || format(words, 't.search_text') || narrower
    || ' union all ' || columns || 'from message_search f
      where f.account_id = $5 and f.message_id > $6 and ' || format(words, '(f.search_text || '''')') || narrower
    using patterns, of_numbers, since, until, current_account_id(), coalesce(older, 0);
  get diagnostics found = row_count;
  if found >= enough or older is null then return; end if;
  -- A text may be later than one with a higher id, by hours.
  last_week := last_week + 1;
  if until < 'infinity' then
    last_week := least(last_week, ((until at time zone 'utc')::date - date '1970-01-01') / 7);
  end if;
  first_week := case when since > '-infinity' then ((since at time zone 'utc')::date - date '1970-01-01') / 7 else 0 end;
  by_index := columns || 'from message_search f
    where f.account_id = $5 and f.message_id <= $6 and ' || format(words, 'f.search_text') || narrower;
  -- Only `=` is looked up in the index; a list of weeks is not.
  for week in reverse last_week .. greatest(first_week, last_week - 4) loop
    return query execute by_index || ' and f.week = $7'
      using patterns, of_numbers, since, until, current_account_id(), older, week;
    get diagnostics more = row_count;
    found := found + more;
    if found >= enough then return; end if;
  end loop;
  if first_week < last_week - 4 then
    -- The sum keeps the weeks out of the index: it would gather all their texts first.
    return query execute by_index || ' and f.week + 0 < $7'
      using patterns, of_numbers, since, until, current_account_id(), older, last_week - 4;
  end if;
end
$$;
grant create on schema public to muster_system;
alter function find_messages owner to muster_system;
revoke create on schema public from muster_system;

-- Pictures that came in and that no service has looked at yet.
-- The inbound text that brought it; null for our own.
alter table media add column message_id bigint;
alter table media add column explicit_attempts smallint not null default 0;
alter table media add column explicit_due_at timestamptz;
create index media_to_judge on media (explicit_due_at) where explicit_due_at is not null;

-- Text numbers

-- Whether the carrier itself answers STOP, START and HELP; null: as its kind does (Twilio answers, Infobip doesn't).
alter table text_numbers add column carrier_answers_words boolean;

-- How a user wants to be told of texts to a number. No row: as the number and the specification's defaults say.
create table notification_settings (
  account_id bigint not null,
  user_id bigint not null,
  text_number_id bigint not null,
  is_active boolean not null default false,
  method text not null default 'Email' check (method in ('Email', 'Text')),
  period_minutes integer not null default 15 check (period_minutes between 1 and 1440),
  days text[] not null default '{Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday}',
  start_time time not null default '09:00',
  stop_time time not null default '17:00',
  browser_notifications_enabled boolean not null default true,
  audio_notifications_enabled boolean not null default false,
  -- Somebody has to look then; null: nobody (server/notifications/send-notices.ts tells the states). Moved on in the
  -- transaction that writes the mail or the text, so that one notice goes out.
  due_at timestamptz,
  -- The look that follows a look, for texts whose transaction had not ended by then.
  is_last_look boolean not null default false,
  last_notified_at timestamptz,
  -- The account's latest text when the last notice was written.
  notified_message_id bigint not null default 0,
  primary key (account_id, user_id, text_number_id),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, text_number_id) references text_numbers on delete cascade
);
call make_tenant_table('notification_settings');
create index notification_settings_of_number on notification_settings (account_id, text_number_id)
  where is_active and (due_at is null or is_last_look);
create index notification_settings_due on notification_settings (due_at) where due_at is not null;

-- Browsers that want to be told while no page is open. WebPush: the token is the subscription as JSON.
create table push_tokens (
  account_id bigint not null,
  push_token_id bigint generated always as identity,
  user_id bigint not null,
  provider text not null check (provider in ('WebPush', 'Firebase')),
  device_type text not null default 'Browser' check (device_type in ('Browser')),
  token text not null check (length(token) <= 4000),
  token_hash bytea not null,
  device text not null default '',
  created_at timestamptz not null default now(),
  primary key (account_id, push_token_id),
  foreign key (account_id, user_id) references users on delete cascade,
  -- The same browser again, also by another user of it, is the same row.
  unique (account_id, token_hash)
);
call make_tenant_table('push_tokens');
create index push_tokens_of_user on push_tokens (account_id, user_id);

-- Notices that wait for a push service: one a browser and conversation, however many texts came. A hint: after a crash
-- it may be shown twice, and the browser shows two of a conversation as one.
create table push_queue (
  account_id bigint not null,
  push_token_id bigint not null,
  conversation_id bigint not null,
  message_id bigint not null,
  attempts smallint not null default 0,
  send_at timestamptz not null default now(),
  lease_until timestamptz,
  primary key (account_id, push_token_id, conversation_id),
  foreign key (account_id, push_token_id) references push_tokens on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
call make_tenant_table('push_queue');
create index push_queue_due on push_queue (send_at);

-- The installation's own pair of keys for web push, made when it is first asked for.
alter table installation add column push_public_key text;
alter table installation add column push_private_key text;
revoke select on installation from muster_app;
grant select (only_row, secret, created_at, push_public_key) on installation to muster_app;
grant update (push_public_key, push_private_key) on installation to muster_system;

-- Mail that still has to go out, and for some weeks what went. A lease that ran out may mean that the mail server has it
-- and its answer was lost: then it gets it a second time, under the same Message-ID.
create table mails (
  account_id bigint not null references accounts,
  mail_id bigint generated always as identity,
  user_id bigint,
  kind text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null default '',
  -- The part of the Message-ID before the @.
  message_key uuid not null default gen_random_uuid(),
  attempts smallint not null default 0,
  send_at timestamptz not null default now(),
  lease_id uuid,
  lease_until timestamptz,
  sent_at timestamptz,
  -- Refused for good, with the mail server's words.
  problem text,
  created_at timestamptz not null default now(),
  primary key (account_id, mail_id)
);
call make_tenant_table('mails');
create index mails_due on mails (send_at) where sent_at is null and problem is null;
create index mails_age on mails (created_at);

-- Answers by the machine

create table auto_replies (
  account_id bigint not null references accounts,
  auto_reply_id bigint generated always as identity,
  active boolean not null default true,
  -- 1 Always, 2 Custom
  type_id smallint not null default 1 check (type_id in (1, 2)),
  message text not null check (length(message) <= 160),
  -- Weekdays with StartTime and StopTime, in the account's zone; of Custom only.
  day_schedules jsonb not null default '{}' check (jsonb_typeof(day_schedules) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, auto_reply_id)
);
call make_tenant_table('auto_replies');

-- A number has one auto reply; one that stands here comes before the account's own.
create table auto_reply_numbers (
  account_id bigint not null,
  text_number_id bigint not null,
  auto_reply_id bigint not null,
  primary key (account_id, text_number_id),
  foreign key (account_id, text_number_id) references text_numbers on delete cascade,
  foreign key (account_id, auto_reply_id) references auto_replies on delete cascade
);
call make_tenant_table('auto_reply_numbers');
create index auto_reply_numbers_of_reply on auto_reply_numbers (account_id, auto_reply_id);

create table keywords (
  account_id bigint not null references accounts,
  keyword_id bigint generated always as identity,
  keyword text not null check (length(keyword) between 1 and 30),
  message text not null check (length(message) <= 160),
  active boolean not null default true,
  -- The group that who texts it is added to.
  group_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, keyword_id)
);
call make_tenant_table('keywords');

create table keyword_numbers (
  account_id bigint not null,
  text_number_id bigint not null,
  -- The keyword as it is compared: letters and digits alone, small (contract/text/letters-of.ts).
  word text collate "C" not null,
  keyword_id bigint not null,
  -- A word means one thing at a number.
  primary key (account_id, text_number_id, word),
  foreign key (account_id, text_number_id) references text_numbers on delete cascade,
  foreign key (account_id, keyword_id) references keywords on delete cascade
);
call make_tenant_table('keyword_numbers');
create index keyword_numbers_of_keyword on keyword_numbers (account_id, keyword_id);

-- When the machine last answered in a conversation, by what it answered with. An answer is claimed here in the statement that
-- queues it: who gets no row back doesn't answer. `any` counts all of them since window_at, so that two machines
-- that answer each other come to an end.
create table reply_stamps (
  account_id bigint not null,
  conversation_id bigint not null,
  kind text collate "C" not null check (kind in ('any', 'auto', 'keyword', 'stop', 'unstop', 'join', 'help')),
  -- The keyword; 0 for the others.
  source_id bigint not null default 0,
  replied_at timestamptz not null,
  window_at timestamptz not null,
  replies integer not null default 1,
  primary key (account_id, conversation_id, kind, source_id)
) with (fillfactor = 80);
call make_tenant_table('reply_stamps');
create index reply_stamps_age on reply_stamps (replied_at);

-- Texts for later

-- scheduled → sent | failed | canceled. Sending is one transaction: the row is taken, its texts are written, it is sent.
create table scheduled_conversations (
  account_id bigint not null references accounts,
  scheduled_id bigint generated always as identity,
  user_id bigint not null,
  text_number_id bigint not null,
  body text not null default '',
  media_ids bigint[] not null default '{}',
  include_signature boolean not null default false,
  start_at timestamptz not null,
  state text collate "C" not null default 'scheduled' check (state in ('scheduled', 'sent', 'canceled', 'failed')),
  problem text,
  -- Tries that ended with an error of ours; the next is not before retry_at.
  attempts smallint not null default 0,
  retry_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (account_id, scheduled_id),
  foreign key (account_id, text_number_id) references text_numbers
);
call make_tenant_table('scheduled_conversations');
create index scheduled_conversations_due on scheduled_conversations (greatest(start_at, retry_at)) where state = 'scheduled';
create index scheduled_conversations_list on scheduled_conversations (account_id, state, start_at, scheduled_id);

create table scheduled_recipients (
  account_id bigint not null,
  scheduled_id bigint not null,
  position smallint not null check (position between 1 and 15),
  person_id bigint,
  phone phone not null,
  first_name text not null default '',
  last_name text not null default '',
  -- A text of their own instead of the common one.
  body text,
  -- Once it was sent: the text and its conversation, or why there is none.
  message_id bigint,
  conversation_id bigint,
  problem text,
  primary key (account_id, scheduled_id, position),
  unique (account_id, scheduled_id, phone),
  foreign key (account_id, scheduled_id) references scheduled_conversations on delete cascade
);
call make_tenant_table('scheduled_recipients');

-- Saved texts

create table templates (
  account_id bigint not null references accounts,
  template_id bigint generated always as identity,
  user_id bigint not null,
  name text not null check (length(name) between 1 and 50),
  body text not null,
  media_ids bigint[] not null default '{}',
  -- What is typed after "/" to insert it; '' for none.
  shortcut text not null default '' check (length(shortcut) <= 30),
  is_shared boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, template_id)
);
call make_tenant_table('templates');
create index templates_name on templates (account_id, lower(name), template_id) where deleted_at is null;
create unique index templates_shortcut on templates (account_id, user_id, lower(shortcut))
  where shortcut <> '' and deleted_at is null;

create table template_favorites (
  account_id bigint not null,
  template_id bigint not null,
  user_id bigint not null,
  primary key (account_id, user_id, template_id),
  foreign key (account_id, template_id) references templates on delete cascade
);
call make_tenant_table('template_favorites');
