-- Sessions say how somebody signed in, second factors (codes of an app, recovery codes, passkeys), tokens that are good
-- once, and devices that somebody has signed in from before.

alter table sessions
  -- What opened it: the password alone, or what came after it.
  add column method text not null default 'password'
    check (method in ('password', 'totp', 'recovery', 'passkey', 'sso')),
  -- When the person last proved who they are: sensitive changes ask for it again.
  add column confirmed_at timestamptz not null default now(),
  -- The account asks everybody for a second factor and this user has none yet: nothing but setting one up is open.
  add column is_limited boolean not null default false;

-- One row an account that has chosen something.
create table account_security (
  account_id bigint primary key references accounts,
  requires_second_factor boolean not null default false
);
call make_tenant_table('account_security');

create table totp_secrets (
  account_id bigint not null,
  user_id bigint not null,
  -- Encrypted with a key that is derived from the installation's secret (server/seal-secret.ts).
  sealed bytea not null,
  -- The step of the last code that was taken: no code works twice.
  last_step bigint not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('totp_secrets');

create table recovery_codes (
  account_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, user_id, code_hash),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('recovery_codes');

create table passkeys (
  account_id bigint not null,
  passkey_id bigint generated always as identity,
  user_id bigint not null,
  credential_id bytea not null,
  -- Post-quantum keys have over 1,300 bytes.
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, passkey_id),
  unique (account_id, credential_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('passkeys');
create index passkeys_of_user on passkeys (account_id, user_id);

-- Good once and for a short time: the step between password and second factor, the challenge of a passkey, a sign-in
-- with another organization's directory, a sign-in to Labs.
create table one_time_tokens (
  account_id bigint not null references accounts,
  token_hash bytea not null,
  purpose text not null
    check (purpose in ('signIn', 'totpSetup', 'passkeySetup', 'confirm', 'sso', 'labs')),
  user_id bigint,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, token_hash)
);
call make_tenant_table('one_time_tokens');
create index one_time_tokens_old on one_time_tokens (expires_at);

-- Where somebody has signed in from: a keyed hash of the browser's own cookie, and one of browser and network.
create table known_devices (
  account_id bigint not null,
  user_id bigint not null,
  device_key bytea not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (account_id, user_id, device_key),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('known_devices');
create index known_devices_old on known_devices (last_seen_at);

-- The browser or program that a change came from, in short: "Chrome on Windows".
alter table events add column agent text not null default '';
