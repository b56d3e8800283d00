-- Text numbers and who may use them; the people an organisation knows.

create table text_numbers (
  account_id bigint not null references accounts,
  text_number_id bigint generated always as identity unique,
  phone phone not null,
  name text not null default '' check (length(name) <= 50),
  description text not null default '' check (length(description) <= 200),
  registration_status text not null default 'Not Registered'
    check (registration_status in ('Not Registered', 'Pending', 'Rejected', 'Registered')),
  is_default boolean not null default false,
  is_blocked boolean not null default false,
  can_create_broadcast boolean not null default true,
  can_text boolean not null default true,
  flat_rate_status text check (flat_rate_status in ('Active', 'CancelPending', 'BillingProblem')),
  flat_rate_end_at timestamptz,
  aggregator_id smallint not null check (aggregator_id in (2, 5)),
  rcs_agent text,
  browser_notifications_enabled boolean not null default true,
  audio_notifications_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  primary key (account_id, text_number_id)
);
call make_tenant_table('text_numbers');
-- A number has one owner at a time: inbound texts find their account by it.
create unique index text_numbers_phone on text_numbers (phone) where released_at is null;
create unique index text_numbers_one_default on text_numbers (account_id) where is_default and released_at is null;

-- Owners and admins may use every number; others those listed here.
create table user_text_numbers (
  account_id bigint not null,
  user_id bigint not null,
  text_number_id bigint not null,
  primary key (account_id, user_id, text_number_id),
  foreign key (account_id, user_id) references users on delete cascade,
  foreign key (account_id, text_number_id) references text_numbers on delete cascade
);
call make_tenant_table('user_text_numbers');

create table contacts (
  account_id bigint not null references accounts,
  person_id bigint generated always as identity unique,
  first_name text not null default '' check (length(first_name) <= 50),
  last_name text not null default '' check (length(last_name) <= 50),
  notes text not null default '',
  primary_phone phone,
  secondary_phone phone,
  tertiary_phone phone,
  custom_data jsonb not null default '{}',
  created_by_user_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  search_text text generated always as (
    lower(first_name || ' ' || last_name || ' ' || coalesce(primary_phone::text, '') || ' '
      || coalesce(secondary_phone::text, '') || ' ' || coalesce(tertiary_phone::text, ''))
  ) stored,
  primary key (account_id, person_id)
);
call make_tenant_table('contacts');
create index contacts_name on contacts (account_id, lower(last_name), lower(first_name), person_id) where deleted_at is null;
create index contacts_primary_phone on contacts (account_id, primary_phone) where deleted_at is null;
create index contacts_secondary_phone on contacts (account_id, secondary_phone)
  where deleted_at is null and secondary_phone is not null;
create index contacts_tertiary_phone on contacts (account_id, tertiary_phone)
  where deleted_at is null and tertiary_phone is not null;
create index contacts_search on contacts using gin (account_id, search_text gin_trgm_ops) where deleted_at is null;

-- Groups. The wire's ListID; everyone (0), unfiled (-1) and deleted (-2) are not rows but questions.
create table groups (
  account_id bigint not null references accounts,
  group_id bigint generated always as identity unique,
  name text not null check (length(name) between 1 and 50),
  kind text not null default 'User' check (kind in ('User', 'System')),
  roster_count integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (account_id, group_id)
);
call make_tenant_table('groups');
create unique index groups_name on groups (account_id, lower(name));

create table group_members (
  account_id bigint not null,
  group_id bigint not null,
  person_id bigint not null,
  primary key (account_id, person_id, group_id),
  foreign key (account_id, group_id) references groups on delete cascade,
  foreign key (account_id, person_id) references contacts on delete cascade
);
call make_tenant_table('group_members');

-- What a phone has allowed us, now. The history with its evidence is consent_events.
create table phone_consents (
  account_id bigint not null references accounts,
  phone phone not null,
  text_state text check (text_state in ('in', 'out')),
  text_changed_at timestamptz,
  voice_state text check (voice_state in ('in', 'out')),
  voice_changed_at timestamptz,
  primary key (account_id, phone)
);
call make_tenant_table('phone_consents');

create table consent_events (
  account_id bigint not null references accounts,
  consent_event_id bigint generated always as identity,
  phone phone not null,
  channel text not null check (channel in ('text', 'voice')),
  state text not null check (state in ('in', 'out')),
  -- inbound: they wrote it (message_id is the proof); user: somebody here declared it; carrier: the
  -- carrier refused because of an opt-out there; import: came with a list.
  source text not null check (source in ('inbound', 'user', 'carrier', 'import')),
  message_id bigint,
  user_id bigint,
  note text not null default '',
  created_at timestamptz not null default now(),
  -- Always asked for by phone, in the order of time.
  primary key (account_id, phone, created_at, consent_event_id)
);
call make_tenant_table('consent_events');
