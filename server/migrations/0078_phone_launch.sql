-- Starting a broadcast by telephone: who calls in proves who they are with an ID and a PIN, picks a group by its list ID,
-- records, and confirms with a key. Why it is made this way: docs/decisions/0076.

-- Digits that can be typed on a telephone, in place of the group's own id.
alter table groups add column phone_list_id text collate "C" check (phone_list_id ~ '^[0-9]{1,9}$');
create unique index groups_phone_list_id on groups (account_id, phone_list_id)
  where phone_list_id is not null and deleted_at is null;

create table launch_ids (
  account_id bigint not null references accounts,
  user_id bigint not null,
  -- What the person types, and the hash of the PIN that proves it.
  launch_id text collate "C" not null check (launch_id ~ '^[0-9]{4,10}$'),
  pin_hash text not null,
  -- Wrong PINs since the last right one; after some of them nothing is accepted for a while.
  failures smallint not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
call make_tenant_table('launch_ids');
create unique index launch_ids_launch_id on launch_ids (account_id, launch_id);

-- One row for each call that came in, with how far it got.
create table launch_calls (
  account_id bigint not null references accounts,
  launch_call_id bigint generated always as identity,
  -- With the ids it is the key that the provider's webhooks carry.
  nonce integer not null,
  provider smallint not null,
  -- The provider's own id: a webhook that is repeated finds the same row.
  sid text not null,
  -- Who called, as far as the network says so, and the number they called.
  phone text not null default '',
  called phone not null,
  typed_id text collate "C" not null default '',
  -- Set once the PIN was right.
  user_id bigint,
  -- Wrong answers at the place where the call is, and wrong PINs in all.
  tries smallint not null default 0,
  failures smallint not null default 0,
  group_id bigint,
  -- A message that a broadcast waits for, where that is what is recorded.
  recording_id bigint,
  recorded_url text,
  state text collate "C" not null default 'open'
    check (state in ('open', 'preparing', 'ready', 'refused', 'launched', 'canceled', 'recorded')),
  broadcast_id bigint,
  people integer not null default 0,
  credits integer not null default 0,
  -- Why it can't be sent, as it is said.
  note text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, launch_call_id)
);
call make_tenant_table('launch_calls');
create unique index launch_calls_sid on launch_calls (account_id, provider, sid);
create index launch_calls_created on launch_calls (account_id, created_at);
