-- A browser is told of texts as long as the session that subscribed it lasts. Ending the session, here or from another
-- device, ends the notices too. Those that subscribed before say so again when Muster is next opened there.
alter table push_tokens
  add column session_id bigint,
  add foreign key (account_id, session_id) references sessions on delete cascade;
create index push_tokens_of_session on push_tokens (account_id, session_id);
