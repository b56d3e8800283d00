-- When a conversation was last marked done. It stays when one is opened again, so that an undo finds it.
alter table conversations add column done_at timestamptz;
-- What was done today, the latest first. Of those that are done now and have been since there is the column.
create index conversations_done_lately on conversations (account_id, done_at desc, conversation_id desc)
  where place = 2 and done_at is not null;
