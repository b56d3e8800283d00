-- Texts in and out are one ledger. The path of a text and its states: docs/sending.md.

create table media (
  account_id bigint not null references accounts,
  media_id bigint generated always as identity unique,
  -- Unguessable part of its address: carriers and telephones fetch it without signing in.
  public_key text not null unique,
  content_type text not null,
  file_name text not null,
  byte_size integer not null,
  width integer not null,
  height integer not null,
  -- sha256 of the stored bytes and the name of the file that holds them.
  content_hash text not null,
  -- 3 CleanByService, 4 CleanByUser, 5 ExplicitByService, 6 ExplicitByUser
  explicit_status smallint check (explicit_status between 3 and 6),
  created_by_user_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, media_id)
);
call make_tenant_table('media');

-- How far along a status is. A text's status only ever moves to a higher rank, so receipts may come
-- doubled and in any order. `unknown` and failures share a rank: the first one said stays, a later
-- proof of delivery wins.
create function text_status_rank(status text) returns smallint
  language sql immutable parallel safe
  return case status
    when 'waiting' then 0
    when 'sent' then 2
    when 'delivered' then 4
    when 'read' then 5
    when 'received' then 5
    else 3
  end::smallint;

create table messages (
  account_id bigint not null,
  message_id bigint generated always as identity,
  text_number_id bigint not null,
  created_at timestamptz not null default now(),
  status_at timestamptz,
  -- When the carrier took it.
  handed_at timestamptz,
  -- Who wrote it; null for inbound texts and those the system sends.
  user_id bigint,
  media_ids bigint[] not null default '{}',
  -- Makes the send key unguessable and different from that of a row restored from a backup.
  send_nonce integer not null default (random() * 2147483647)::integer,
  segments smallint not null default 1,
  credits smallint not null default 0,
  is_inbound boolean not null,
  phone phone not null,
  status text collate "C" not null check (status in (
    'received', 'waiting', 'sent', 'delivered', 'read', 'carrier_limit_exceeded', 'carrier_rejected',
    'handset_rejected', 'spam_rejected', 'disallowed_url', 'number_unavailable', 'unsupported_media',
    'phone_unreachable', 'opted_out', 'blacklisted', 'attempts_exceeded', 'not_delivered', 'unknown', 'canceled')),
  origin text collate "C" not null default 'conversation'
    check (origin in ('conversation', 'inbound', 'broadcast', 'automatic')),
  body text not null,
  -- The carrier's own id of an outbound text. Not indexed, so that receipts stay HOT updates.
  carrier_message_id text,
  carrier_error text,
  -- The carrier and its id of an inbound text: the same webhook twice is one row.
  inbound_key text,
  primary key (account_id, message_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
call make_tenant_table('messages');
-- No foreign keys here and on outbox: a million rows are checked by the statement that makes them.
-- Not indexed: status and its time. Three updates a text stay on their page (HOT).
create index messages_thread on messages (account_id, text_number_id, phone, created_at desc, message_id desc);
create unique index messages_inbound_once on messages (account_id, inbound_key) where inbound_key is not null;

-- A conversation is an account's text number and a phone. What the list shows of the last message and
-- how many are unread is kept here, in the transaction that changes it.
create table conversations (
  account_id bigint not null references accounts,
  conversation_id bigint generated always as identity unique,
  text_number_id bigint not null,
  phone phone not null,
  is_done boolean not null default false,
  is_retired boolean not null default false,
  is_auto_opt_out boolean not null default false,
  unread_count integer not null default 0 check (unread_count >= 0),
  last_message_id bigint,
  last_message_at timestamptz not null default now(),
  -- The first inbound text since our last one; null when the last word is ours.
  waiting_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, conversation_id),
  unique (account_id, text_number_id, phone),
  foreign key (account_id, text_number_id) references text_numbers
) with (fillfactor = 80);
call make_tenant_table('conversations');
create index conversations_latest on conversations (account_id, last_message_at desc, conversation_id desc);
create index conversations_open on conversations (account_id, last_message_at desc, conversation_id desc)
  where not is_done and not is_auto_opt_out;
create index conversations_unread on conversations (account_id, last_message_at desc, conversation_id desc)
  where unread_count > 0 and not is_done and not is_auto_opt_out;
create index conversations_waiting on conversations (account_id, waiting_since)
  where waiting_since is not null and not is_done and not is_auto_opt_out;
create index conversations_of_phone on conversations (account_id, phone);

create table conversation_views (
  account_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null,
  last_view_at timestamptz not null default now(),
  primary key (account_id, conversation_id, user_id),
  foreign key (account_id, conversation_id) references conversations on delete cascade
);
call make_tenant_table('conversation_views');

-- Texts that still have to be handed to a carrier: one row from the moment the text exists until the
-- carrier has it or never will. The lease is ours and short: a worker that dies leaves it to run out.
create table outbox (
  account_id bigint not null,
  message_id bigint not null,
  text_number_id bigint not null,
  aggregator_id smallint not null,
  -- 0 a person waits for it, 5 a broadcast.
  priority smallint not null default 0,
  attempts smallint not null default 0,
  -- The last try may have reached the carrier: ask there before sending again.
  in_doubt boolean not null default false,
  -- Goes out although the phone has opted out (the confirmation of that very opt-out).
  ignores_opt_out boolean not null default false,
  phone phone not null,
  send_at timestamptz not null default now(),
  lease_id uuid,
  lease_until timestamptz,
  -- When the first try that is in doubt was made; what stays unknown too long becomes Unknown.
  doubt_since timestamptz,
  primary key (account_id, message_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
call make_tenant_table('outbox');
create index outbox_due on outbox (aggregator_id, priority, send_at, message_id);

-- Receipts as they came, already read but not yet applied. Applying takes them out.
create table carrier_receipts (
  receipt_id bigint generated always as identity primary key,
  account_id bigint not null,
  message_id bigint not null,
  send_nonce integer not null,
  status text collate "C" not null,
  carrier_message_id text,
  carrier_error text,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now()
);
call make_tenant_table('carrier_receipts');

-- Inbound texts as they came. Applying takes them out; those for a number that nobody has stay, with
-- the reason, so that nothing that was written to us is lost.
create table carrier_inbound (
  inbound_id bigint generated always as identity primary key,
  inbound_key text not null unique,
  aggregator_id smallint not null,
  from_phone text not null,
  to_phone text not null,
  body text not null,
  media jsonb not null default '[]',
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  problem text
);
grant select, insert, update, delete on carrier_inbound to muster_system;
create index carrier_inbound_waiting on carrier_inbound (inbound_id) where problem is null;

-- Pictures of inbound texts that still lie at the carrier.
create table inbound_media (
  account_id bigint not null,
  message_id bigint not null,
  position smallint not null,
  aggregator_id smallint not null,
  url text not null,
  attempts smallint not null default 0,
  problem text,
  primary key (account_id, message_id, position)
);
call make_tenant_table('inbound_media');

-- Texts by day in the account's own zone, kept as they move: home, reports and limits read this.
create table daily_texts (
  account_id bigint not null references accounts,
  day date not null,
  text_number_id bigint not null,
  sent integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  received integer not null default 0,
  credits integer not null default 0,
  primary key (account_id, day, text_number_id)
);
call make_tenant_table('daily_texts');
