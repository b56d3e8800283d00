-- Organisations, their people, and what keeps them signed in.

create table accounts (
  account_id bigint generated always as identity primary key,
  company_name text not null,
  state text not null default '',
  country_id integer not null default 1,
  status_id smallint not null default 0 check (status_id between 0 and 8),
  -- 0 credits, 1 monthly, 2 invoiced credits, 3 invoiced monthly
  type_id smallint not null default 0 check (type_id between 0 and 3),
  time_zone text not null default 'America/New_York',
  is_free_trial boolean not null default false,
  free_trial_conversion boolean not null default false,
  is_text2 boolean not null default true,
  keyword text not null default '',
  require_text_opt_in boolean not null default false,
  explicit_opt_in_required boolean not null default false,
  is_auto_reply_on boolean not null default false,
  auto_reply_message text not null default '',
  subscription_end_at timestamptz,
  subscription_cycle_start_at timestamptz,
  subscription_cycle_end_at timestamptz,
  monthly_level integer,
  next_monthly_level integer,
  next_monthly_fee_cents integer,
  unique_call_count integer not null default 0,
  group_code text not null default '',
  industry_id integer,
  invoice_self_service boolean not null default false,
  pays_invoices_offline boolean not null default false,
  is_monthly_mms_enabled boolean not null default false,
  partial_credits_enabled boolean not null default false,
  reactivation_at timestamptz,
  invoice_renewal_at timestamptz,
  invoice_duration integer not null default 3,
  invoice_auto_renewal boolean not null default false,
  voice_allowed boolean not null default true,
  prepend_organization_to_text boolean not null default false,
  allow_add_individual_numbers_in_broadcast boolean not null default true,
  allow_copy_paste_in_broadcast boolean not null default true,
  sender_name text not null default '',
  is_api_authorized boolean not null default false,
  payg_pricing_plan_id integer,
  monthly_pricing_plan_id integer,
  flat_rate_conversation_pricing_id integer,
  features text[] not null default '{}',
  -- Kept equal to the sums of credit_entries, in the same transaction (server/billing).
  credit_balance bigint not null default 0 check (credit_balance >= 0),
  credit_reserved bigint not null default 0 check (credit_reserved >= 0),
  created_at timestamptz not null default now(),
  check (credit_reserved <= credit_balance)
);
call make_tenant_table('accounts');

create table users (
  account_id bigint not null references accounts,
  user_id bigint generated always as identity unique,
  user_name text not null check (length(user_name) between 4 and 50),
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  password_expires_at timestamptz,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text not null default '',
  caller_id text not null default '',
  role text not null check (role in ('owner', 'admin', 'user')),
  is_active boolean not null default true,
  can_create_broadcast boolean not null default true,
  can_see_all_broadcasts boolean not null default false,
  can_see_all_roster boolean not null default false,
  can_see_group_audio boolean not null default false,
  features text[] not null default '{}',
  time_zone text not null default 'America/New_York',
  agreed_to_terms_at timestamptz,
  needs_email_verification boolean not null default false,
  browser_notifications_do_not_disturb boolean not null default false,
  default_character_count integer not null default 160 check (default_character_count in (160, 320)),
  text_character_limit integer not null default 320,
  max_message_length integer not null default 120,
  notification_phone text not null default '',
  call_throttle integer not null default 1,
  retries integer not null default 1 check (retries between 0 and 3),
  calling_days text[] not null default '{Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday}',
  calling_start time not null default '09:00',
  calling_stop time not null default '21:00',
  continue_on_next_day boolean not null default false,
  signature_enabled boolean not null default false,
  signature_text text not null default '',
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
call make_tenant_table('users');
-- User names are unique in the whole installation: one signs in with nothing else.
create unique index users_name on users (lower(user_name));
create unique index users_one_owner on users (account_id) where role = 'owner';

create table sessions (
  account_id bigint not null,
  user_id bigint not null,
  session_id bigint generated always as identity,
  -- Only the hash: who reads the table can't sign in with it.
  token_hash bytea not null unique,
  device text not null default '',
  address text not null default '',
  is_kept boolean not null default false,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, session_id),
  foreign key (account_id, user_id) references users on delete cascade
);
call make_tenant_table('sessions');
create index sessions_of_user on sessions (account_id, user_id, last_seen_at desc);

-- Failed sign-ins, counted by name and by address. The key is a keyed hash, never the name itself,
-- and names that don't exist are counted like those that do.
create table sign_in_attempts (
  attempt_key bytea primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  blocked_until timestamptz not null
);
grant select, insert, update, delete on sign_in_attempts to muster_system;
create index sign_in_attempts_age on sign_in_attempts (last_failed_at);

-- One effect for one key: the row commits with the effect it answers for.
create table idempotency_keys (
  account_id bigint not null,
  user_id bigint not null,
  idempotency_key text not null,
  call text not null,
  request_hash bytea not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, user_id, idempotency_key)
);
call make_tenant_table('idempotency_keys');
create index idempotency_keys_age on idempotency_keys (created_at);

-- What can be taken back: the kind of change, the values before, and the rows that it touched.
create table undos (
  account_id bigint not null references accounts,
  undo_id bigint generated always as identity,
  user_id bigint not null,
  kind text not null,
  data jsonb not null,
  executed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, undo_id)
);
call make_tenant_table('undos');
create index undos_age on undos (created_at);

create table undo_rows (
  account_id bigint not null,
  undo_id bigint not null,
  row_id bigint not null,
  primary key (account_id, undo_id, row_id),
  foreign key (account_id, undo_id) references undos on delete cascade
);
call make_tenant_table('undo_rows');
