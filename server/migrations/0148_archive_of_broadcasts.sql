-- Texts of old broadcasts go into the archive too. From this moment on, a broadcast's results are read from both.
alter table broadcasts add column texts_archived_at timestamptz;

-- Its results find texts by id, and answers by broadcast, as they do among the young ones.
create index archived_messages_named on archived_messages (account_id, message_id);
create index archived_messages_replies
  on archived_messages (account_id, broadcast_id, created_at desc, message_id desc)
  where is_inbound and broadcast_id is not null;

-- What was passed by is looked at once more.
update message_archives set through_message_id = 0;
