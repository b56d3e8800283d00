-- When somebody last wrote only a courtesy ("Thank you!", a thumbs up) that nobody has answered. Such a text doesn't
-- make them wait: waiting_since stays as it is, and the inbox groups these conversations so they can be closed together.
alter table conversations add column courtesy_since timestamptz;
create index conversations_courtesy on conversations (account_id, courtesy_since, conversation_id)
  where courtesy_since is not null and waiting_since is null and place = 0;

-- A broadcast that answers the replies to another one. It doesn't count against the limit of broadcasts for a person.
alter table broadcasts add column answers_broadcast_id bigint;

-- What people decided about replies to a broadcast: the group that one was moved to, and the broadcast that answered
-- it. A reply is answered this way once: the row is claimed in the transaction that sends.
create table broadcast_reply_marks (
  account_id bigint not null,
  broadcast_id bigint not null,
  message_id bigint not null,
  moved_to text check (length(moved_to) <= 120),
  moved_by_user_id bigint,
  answered_in text check (length(answered_in) <= 120),
  answer_broadcast_id bigint,
  primary key (account_id, broadcast_id, message_id),
  foreign key (account_id, broadcast_id) references broadcasts (account_id, broadcast_id),
  constraint broadcast_reply_marks_answered check ((answered_in is null) = (answer_broadcast_id is null))
);
call make_tenant_table('broadcast_reply_marks');
