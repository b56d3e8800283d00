-- Keys with which programs make the calls that people make in their browser: mk_live_<public id>_<secret>. A key acts as
-- the user who made it and may do at most what its scopes say (contract/scopes.ts).
create table api_keys (
  account_id bigint not null references accounts,
  api_key_id bigint generated always as identity,
  user_id bigint not null,
  name text not null,
  -- Random. Two accounts with the same one would both be found, and told apart by the secret.
  public_id text not null check (public_id ~ '^[0-9a-f]{16}$'),
  -- SHA-256. The secret has 256 bits, so nothing slower is needed.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  -- The secret before this one, while it works too.
  old_secret_hash bytea check (octet_length(old_secret_hash) = 32),
  old_secret_until timestamptz,
  scopes text[] not null,
  -- Networks that it can be used from, as inet writes them; empty: from anywhere.
  addresses text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  last_used_address text not null default '',
  -- The last time it was tried from elsewhere. Its user is told at most once a day.
  refused_at timestamptz,
  refused_address text not null default '',
  primary key (account_id, api_key_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('api_keys');
create unique index api_keys_public_id on api_keys (public_id, account_id);

-- A program's Idempotency-Keys are its API key's own: those of other keys and of the user's browser are others.
alter table idempotency_keys add column api_key_id bigint not null default 0;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add primary key (account_id, user_id, idempotency_key, api_key_id);
