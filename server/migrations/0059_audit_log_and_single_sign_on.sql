-- The audit log reads events by kind, by person and by what they were about. Each list is walked from its newest entry.
create index events_by_kind on events (account_id, kind, created_at, event_id);
create index events_by_user on events (account_id, user_id, kind, created_at, event_id);
create index events_by_subject on events (account_id, subject_id, kind, created_at, event_id)
  where subject_id is not null;

-- Every minute, what has become final since the last seal is sealed: a hash over it and over the seal before. Whoever
-- changes, adds or removes an event afterwards breaks the chain (server/audit/verify-seals.ts).
create table event_seals (
  seal_id bigint generated always as identity primary key,
  -- The last event that it covers, in the order of events_order.
  epoch integer not null,
  xact_id xid8 not null,
  event_id bigint not null,
  event_count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  hash bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null default now()
);
grant select, insert on event_seals to muster_system;

-- How an organization's own directory signs people in: OpenID Connect.
create table sso_providers (
  account_id bigint primary key references accounts,
  is_enabled boolean not null default true,
  issuer text not null,
  client_id text not null,
  -- Encrypted (server/seal-secret.ts).
  client_secret bytea not null,
  -- In small letters. No two accounts have the same one.
  domains text[] not null,
  creates_users boolean not null default true,
  default_role text not null default 'user' check (default_role in ('admin', 'user')),
  groups_claim text not null default 'groups',
  -- [{ "Group": "...", "Role": "admin" }]: the first that fits counts.
  group_roles jsonb not null default '[]',
  updated_at timestamptz not null default now()
);
call make_tenant_table('sso_providers');
create index sso_providers_domains on sso_providers using gin (domains);

-- Who somebody is in their organization's directory: names and addresses change there, this doesn't.
create table sso_identities (
  account_id bigint not null,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (account_id, issuer, subject),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('sso_identities');
create index sso_identities_of_user on sso_identities (account_id, user_id);
