-- Webhooks out: what happens in an account is posted to addresses that it names (server/webhooks).
create table webhook_endpoints (
  account_id bigint not null references accounts,
  endpoint_id bigint not null generated always as identity,
  url text not null check (length(url) <= 2000),
  description text not null default '' check (length(description) <= 200),
  -- Listed in contract/webhook-events.ts.
  event_types text[] not null,
  -- Texts move by the thousand: what becomes of them is kept only where somebody listens (server/record-text-moves.ts).
  hears_texts boolean not null generated always as (
    event_types && '{message.sent,message.delivered,message.failed}'::text[]) stored,
  -- A page, or a program that subscribed by itself.
  made_by text not null default 'page' check (made_by in ('page', 'zapier')),
  user_id bigint,
  -- Encrypted (server/seal-secret.ts). Both sign while the old one is still good.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  is_enabled boolean not null default true,
  -- hand: somebody switched it off; failing: it failed for a week; gone: it said that it is gone for good (410).
  off_reason text not null default '' check (off_reason in ('', 'hand', 'failing', 'gone')),
  -- Since when nothing arrived; null after each success.
  failing_since timestamptz,
  -- An endpoint that didn't answer at all is left alone for some seconds.
  rests smallint not null default 0,
  resting_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, endpoint_id),
  check ((old_secret is null) = (old_secret_until is null))
);
call make_tenant_table('webhook_endpoints');
create index webhook_endpoints_hearing on webhook_endpoints (account_id)
  where is_enabled and hears_texts and deleted_at is null;

-- One event for one endpoint. Its body is written when the event is read, and signed anew at each try.
create table webhook_deliveries (
  account_id bigint not null,
  delivery_id bigint not null generated always as identity,
  endpoint_id bigint not null,
  -- The header webhook-id: the same for every endpoint and at every try.
  message_key text collate "C" not null,
  event_type text collate "C" not null,
  body text not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries smallint not null default 0,
  -- Since it was made or replayed: the waits between tries grow with it.
  round_tries smallint not null default 0,
  -- A claim pushes it ahead: if the process dies, it is tried once more then.
  next_try_at timestamptz not null default now(),
  give_up_at timestamptz not null default now() + interval '3 days',
  last_status smallint,
  last_ms integer,
  created_at timestamptz not null default now(),
  primary key (account_id, delivery_id),
  unique (account_id, endpoint_id, message_key),
  foreign key (account_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 70);
call make_tenant_table('webhook_deliveries');
create index webhook_deliveries_due on webhook_deliveries (account_id, endpoint_id, next_try_at, delivery_id)
  where state = 'waiting';
create index webhook_deliveries_next on webhook_deliveries (next_try_at) where state = 'waiting';
create index webhook_deliveries_late on webhook_deliveries (give_up_at) where state = 'waiting';
create index webhook_deliveries_latest on webhook_deliveries (account_id, endpoint_id, delivery_id);
create index webhook_deliveries_by_state on webhook_deliveries (account_id, endpoint_id, state, delivery_id)
  where state <> 'delivered';
create index webhook_deliveries_old on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  account_id bigint not null,
  delivery_id bigint not null,
  attempt smallint not null,
  tried_at timestamptz not null,
  -- What the receiver was given beside the body.
  signature text not null,
  duration_ms integer not null,
  -- Null where no answer came; then error says why.
  status smallint,
  content_type text not null default '',
  -- Its beginning.
  reply text not null default '',
  error text not null default '',
  primary key (account_id, delivery_id, attempt)
);
call make_tenant_table('webhook_attempts');

-- Webhooks begin with what happens from now on.
insert into event_readers (reader, epoch, xact_id)
select 'webhooks', event_epoch, pg_current_xact_id() from installation;
