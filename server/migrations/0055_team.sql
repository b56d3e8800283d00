-- The team: several owners, invitations, pictures, and who was last seen when.

drop index users_one_owner;

-- Goes up with every change of what a person set: nobody saves over what another has changed meanwhile.
alter table users add column version integer not null default 1;
alter table users add column last_seen_at timestamptz;
-- The part of the picture's address that can't be guessed, and sha256 of its file.
alter table users add column picture_key text;
alter table users add column picture_hash text;

update users u set last_seen_at = s.seen
from (select account_id, user_id, max(last_seen_at) as seen from sessions group by 1, 2) s
where s.account_id = u.account_id and s.user_id = u.user_id;

-- The order of the list of users: its first page reads a page, however many there are.
create index users_by_name on users (account_id, lower(first_name), lower(last_name), user_id);
create index users_picture on users (picture_key) where picture_key is not null;

-- Somebody who was added and has not chosen a password yet. The user is switched off until then.
create table invitations (
  account_id bigint not null,
  user_id bigint not null,
  -- Only the hash, as with sessions.
  token_hash bytea not null,
  invited_by_user_id bigint not null,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users on delete cascade
);
call make_tenant_table('invitations');
create index invitations_token on invitations (token_hash);
