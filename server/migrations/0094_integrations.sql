-- Other systems in which organizations keep their people (server/integrations).
create table integrations (
  account_id bigint not null references accounts,
  -- Of the catalog in server/integrations/rules.ts.
  integration_id smallint not null,
  user_id bigint,
  -- Whose account it is there, for the page.
  account_name text not null default '' check (length(account_name) <= 300),
  -- The login or the tokens, encrypted (server/seal-secret.ts).
  secret bytea not null,
  connected_at timestamptz not null default now(),
  -- Where the next question for changes begins; null asks for everything.
  mark text,
  -- When contacts are brought in step; null while nothing is kept, or until somebody answers or asks.
  next_sync_at timestamptz,
  -- Who asked for it; null when it comes by itself.
  asked_by bigint,
  -- Somebody said that so many may leave.
  is_confirmed boolean not null default false,
  -- Taken back: nothing happens by itself until somebody asks.
  is_paused boolean not null default false,
  undo_sync_id bigint,
  error text not null default '',
  -- Whoever works on it. Two syncs at once are one.
  lease_id uuid,
  lease_until timestamptz,
  primary key (account_id, integration_id)
);
call make_tenant_table('integrations');
create index integrations_due on integrations (next_sync_at) where next_sync_at is not null;
create index integrations_undoing on integrations (account_id) where undo_sync_id is not null;

-- Groups of the other system that are kept in contacts, each with its group there.
create table integration_groups (
  account_id bigint not null,
  integration_id smallint not null,
  group_key text collate "C" not null check (length(group_key) <= 2000),
  list_id bigint not null,
  primary key (account_id, integration_id, group_key),
  foreign key (account_id, integration_id) references integrations
);
call make_tenant_table('integration_groups');

-- Who is who: a person of the other system with what it last said about them, and the contact that they are.
create table integration_people (
  account_id bigint not null,
  integration_id smallint not null,
  source_key text collate "C" not null check (length(source_key) <= 2000),
  person_id bigint not null,
  first_name text not null,
  last_name text not null,
  phone1 text collate "C" not null,
  phone2 text collate "C",
  phone3 text collate "C",
  list_ids bigint[] not null,
  primary key (account_id, integration_id, source_key)
);
call make_tenant_table('integration_people');
create index integration_people_by_person on integration_people (account_id, integration_id, person_id);

-- Memberships that a sync made. Only those does it take away again.
create table integration_members (
  account_id bigint not null,
  integration_id smallint not null,
  person_id bigint not null,
  list_id bigint not null,
  primary key (account_id, integration_id, person_id, list_id)
);
call make_tenant_table('integration_members');

create table integration_syncs (
  account_id bigint not null,
  sync_id bigint not null generated always as identity,
  integration_id smallint not null,
  state text collate "C" not null default 'running'
    check (state in ('running', 'done', 'held', 'declined', 'failed', 'undoing', 'undone')),
  user_id bigint,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  added integer not null default 0,
  changed integer not null default 0,
  left_count integer not null default 0,
  skipped integer not null default 0,
  -- Of one that was held: how many there were before it.
  people_before integer not null default 0,
  error text not null default '',
  primary key (account_id, sync_id)
);
call make_tenant_table('integration_syncs');
create index integration_syncs_latest on integration_syncs (account_id, integration_id, sync_id);

-- What a sync did to a contact, to be shown and taken back.
create table integration_changes (
  account_id bigint not null,
  sync_id bigint not null,
  person_id bigint not null,
  kind text collate "C" not null check (kind in ('added', 'changed', 'left')),
  -- The sync made the contact.
  is_new boolean not null default false,
  -- Values that were replaced, and when.
  before jsonb,
  joined_lists bigint[] not null default '{}',
  left_lists bigint[] not null default '{}',
  -- What integration_people said about the person before.
  known_before jsonb,
  primary key (account_id, sync_id, person_id)
);
call make_tenant_table('integration_changes');

alter table broadcast_sources drop constraint broadcast_sources_kind_check;
alter table broadcast_sources add constraint broadcast_sources_kind_check
  check (kind in ('contacts', 'lists', 'typed', 'pasted', 'file', 'results', 'replies', 'integration'));

-- Between the button and the answer of the company where somebody signs in.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('signIn', 'totpSetup', 'passkeySetup', 'confirm', 'sso', 'labs', 'samlAnswer', 'integration'));
