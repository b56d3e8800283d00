-- Messages that an organization has ready for an emergency: what is texted, and what calls say.
create table emergency_messages (
  account_id bigint not null references accounts (account_id),
  emergency_message_id bigint not null generated always as identity,
  title text not null check (length(title) between 1 and 40),
  body text not null check (length(body) between 1 and 5000),
  spoken_text text not null check (length(spoken_text) between 1 and 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, emergency_message_id)
);
call make_tenant_table('emergency_messages');

-- Whom an emergency can go to, whom a drill goes to (null: the users themselves), and who may start one.
create table emergency_settings (
  account_id bigint not null primary key references accounts (account_id),
  list_ids bigint[] not null default '{}',
  drill_list_id bigint,
  is_for_everyone boolean not null default false,
  updated_at timestamptz not null default now()
);
call make_tenant_table('emergency_settings');

-- An emergency is a broadcast. emergency_key is made when the screen opens: confirming twice sends it once.
-- hours_set_aside: somebody chose that quiet hours and the calling window don't hold for this one, and when.
alter table broadcasts
  add column is_emergency boolean not null default false,
  add column is_drill boolean not null default false,
  add column emergency_key uuid,
  add column emergency_message_id bigint,
  add column hours_set_aside_by bigint,
  add column hours_set_aside_at timestamptz;
create unique index broadcasts_emergency_key on broadcasts (account_id, emergency_key) where emergency_key is not null;
create index broadcasts_emergencies on broadcasts (account_id, confirmed_at) where is_emergency;
