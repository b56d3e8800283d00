-- Getting text numbers from providers, and registering who texts with them.

-- How the provider calls the number, and when it is given up. What the registry grants is in per_minute.
alter table text_numbers
  add column provider_key text not null default '',
  add column release_at timestamptz,
  -- The registration that covers it; null for numbers that were registered by hand.
  add column request_id bigint;
create index text_numbers_release on text_numbers (release_at) where release_at is not null and released_at is null;

-- A number that somebody holds, wants or has got. States: server/registration/settle-orders.ts.
create table number_orders (
  account_id bigint not null references accounts,
  order_id bigint generated always as identity,
  -- Who asked for it; null where nobody did (the number of a sole proprietor).
  user_id bigint,
  kind text not null check (kind in ('local', 'tollfree')),
  aggregator_id smallint not null check (aggregator_id in (2, 5)),
  area_code text not null default '',
  -- What was asked for; null until one was chosen.
  phone phone,
  provider_key text not null default '',
  -- What we got, where that is another one.
  bought_phone phone,
  name text not null default '' check (length(name) <= 50),
  user_ids bigint[] not null default '{}',
  status text not null check (status in ('reserved', 'buying', 'doubt', 'bought', 'failed', 'expired')),
  reserved_until timestamptz,
  -- When the provider is asked next, and how often it was.
  look_at timestamptz,
  attempts integer not null default 0,
  asked_at timestamptz,
  problem text not null default '',
  text_number_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, order_id)
);
call make_tenant_table('number_orders');
-- Asking twice is asking once.
create unique index number_orders_phone on number_orders (account_id, phone)
  where phone is not null and status in ('reserved', 'buying', 'doubt');
create unique index number_orders_any on number_orders (account_id, kind)
  where phone is null and status in ('reserved', 'buying', 'doubt');
create index number_orders_look on number_orders (look_at) where look_at is not null;
-- Who else holds this number.
create index number_orders_held on number_orders (phone) where status in ('reserved', 'buying', 'doubt');

-- What was typed into the wizard: one for each account.
create table registration_drafts (
  account_id bigint not null references accounts,
  form jsonb not null default '{}' check (octet_length(form::text) <= 60000),
  route text,
  texts_to_canada boolean,
  wants_toll_free boolean not null default false,
  saved_at timestamptz,
  primary key (account_id)
);
call make_tenant_table('registration_drafts');

-- What was submitted to the registry. States: server/registration/advance-requests.ts.
create table registration_requests (
  account_id bigint not null references accounts,
  request_id bigint generated always as identity,
  user_id bigint not null,
  kind text not null check (kind in ('Local', 'TollFree')),
  aggregator_id smallint not null check (aggregator_id in (2, 5)),
  status text not null default 'Processing'
    check (status in ('Processing', 'PendingContactAuthentication', 'Complete', 'Failed')),
  brand jsonb not null,
  campaign jsonb not null,
  -- Ours, given to the registrar with everything that is made there: the same thing is never made twice.
  reference text not null,
  -- What the registrar calls what was made there.
  made jsonb not null default '{}',
  reasons jsonb not null default '[]',
  look_at timestamptz,
  attempts integer not null default 0,
  resends integer not null default 0,
  resends_on date,
  resent_at timestamptz,
  submitted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, request_id)
);
call make_tenant_table('registration_requests');
-- A registration that is submitted twice is one.
create unique index registration_requests_open on registration_requests (account_id, kind)
  where status in ('Processing', 'PendingContactAuthentication');
create index registration_requests_look on registration_requests (look_at) where look_at is not null;
create index registration_requests_newest on registration_requests (account_id, kind, request_id desc);

-- What a comparison with a provider found: its numbers are of no account that we know, or ours are not there. For the
-- operator, so without an account of its own.
create table number_differences (
  aggregator_id smallint not null,
  phone text not null,
  problem text not null check (problem in ('not ours', 'not at the provider')),
  found_at timestamptz not null default now(),
  primary key (aggregator_id, phone, problem)
);
grant select, insert, update, delete on number_differences to muster_system;
