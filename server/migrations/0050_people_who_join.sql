-- People who join: sign-up, links by mail, onboarding, terms, and codes texted to phones.

alter table users
  -- 'open' from sign-up until the last step; 'none' for users who were never asked.
  add column onboarding text not null default 'none' check (onboarding in ('none', 'open', 'done')),
  -- Which terms agreed_to_terms_at speaks of.
  add column terms_version text not null default 'built-in',
  add column language_id smallint not null default 1;

-- What the company step asks for beside the usual: InvoiceBillingAddress, AmazonInfo, OnboardingRepublicInfo, PO.
alter table accounts add column onboarding_collects text[] not null default '{}';

-- The organization that runs the installation: it owns the number that codes are texted from. Nobody signs in to it.
alter table installation add column own_account_id bigint references accounts (account_id);
grant update (own_account_id) on installation to muster_system;

-- Links in mails, and the token between a changed password and the new session. The token itself is only in the mail.
create table user_tokens (
  account_id bigint not null references accounts (account_id),
  token_id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null check (kind in ('verify_email', 'reset_password', 'reset_session')),
  token_hash bytea not null,
  -- The address that the link went to: it proves this one and no other.
  email text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, token_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('user_tokens');
create index user_tokens_hash on user_tokens (token_hash);
create index user_tokens_user on user_tokens (account_id, user_id, kind);
create index user_tokens_age on user_tokens (expires_at);

-- How often something was asked for (a sign-up, a mail, a code), by a keyed hash of who asked.
create table attempt_counts (
  attempt_key bytea primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
grant select, insert, update, delete on attempt_counts to muster_system;
create index attempt_counts_age on attempt_counts (ends_at);

create table onboarding_steps (
  account_id bigint not null references accounts (account_id),
  user_id bigint not null,
  step text not null,
  completed_at timestamptz not null default now(),
  primary key (account_id, user_id, step),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('onboarding_steps');

-- What the organization said about itself when it joined.
create table activations (
  account_id bigint primary key references accounts (account_id),
  how_they_heard text not null default '',
  industry text not null default '',
  phone text not null default '',
  address_line1 text not null default '',
  address_line2 text not null default '',
  city text not null default '',
  postal_code text not null default '',
  lawson_number text not null default '',
  amazon_email text not null default '',
  blanket_po text not null default '',
  use_case text not null default '',
  area_code text not null default ''
);
call make_tenant_table('activations');

-- Codes texted to phones. Only a keyed hash of the code is kept.
create table phone_codes (
  account_id bigint not null references accounts (account_id),
  code_id bigint not null generated always as identity,
  user_id bigint not null,
  phone phone not null,
  code_hash bytea not null,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, code_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('phone_codes');
create index phone_codes_user on phone_codes (account_id, user_id, code_id desc);
create index phone_codes_age on phone_codes (expires_at);
