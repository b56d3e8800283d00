-- Calls: what a broadcast says and when it may ring, who is called and what became of it. The states: docs/calling.md;
-- why it is made this way: docs/decisions/0042.

-- What a broadcast that calls is made of. Null is the sender's own setting until Send freezes it.
alter table broadcasts
  add column caller_id text,
  -- Calls at a time; 0 is as many as the lines allow.
  add column call_throttle smallint check (call_throttle between 0 and 250),
  add column retries smallint check (retries between 0 and 3),
  add column check_calling_window boolean not null default false,
  add column calling_days text[],
  add column calling_start time,
  add column calling_stop time,
  add column continue_on_next_day boolean,
  add column max_message_length smallint check (max_message_length between 15 and 120),
  add column country_id integer,
  add column audio_id bigint,
  add column audio_vm_id bigint,
  add column record_later boolean not null default false,
  add column record_later_vm boolean not null default false,
  add column voice_option text not null default 'create message'
    check (voice_option in ('create message', 'select message', 'record later')),
  add column voice_type text not null default 'create message'
    check (voice_type in ('create message', 'select message', 'record later')),
  add column is_transfer boolean not null default false,
  add column transfer_number_id bigint,
  add column transfer_lines smallint check (transfer_lines between 1 and 5000),
  -- The version of the recipients and the type for which call_state was judged.
  add column calls_judged text,

  -- From the moment somebody pressed Send.
  add column call_provider smallint,
  add column call_zone text,
  add column transfer_phone text,
  -- People who are to be called, and who get anything at all; null where only texts go out.
  add column call_count integer not null default 0,
  add column reach_count integer,
  -- How far the recipients have become calls, and the credits still reserved for those that have not.
  add column call_cursor bigint not null default 0,
  add column call_fed integer not null default 0,
  add column call_credits_each smallint not null default 0,
  add column call_credits_unfed bigint not null default 0 check (call_credits_unfed >= 0),
  -- When recipients become calls; null once all have.
  add column next_call_at timestamptz,
  -- The calling window closes then and calling doesn't go on the next day; null where it does.
  add column call_until timestamptz;

alter table broadcasts drop constraint broadcasts_status_check;
alter table broadcasts add constraint broadcasts_status_check check (status in (
  'draft', 'model', 'needs_message', 'scheduled', 'broadcasting', 'paused', 'sent', 'completed', 'canceled'));
create index broadcasts_to_call on broadcasts (next_call_at)
  where status in ('scheduled', 'broadcasting') and next_call_at is not null;

-- Of a broadcast that calls: called, texted instead, or why not. Null where only texts go out.
alter table broadcast_recipients add column call_state text collate "C" check (call_state in (
  'called', 'texted', 'duplicate', 'do_not_call', 'invalid', 'not_verified', 'excluded'));
create unique index broadcast_recipients_called on broadcast_recipients (account_id, broadcast_id, phone)
  where call_state = 'called';
create index broadcast_recipients_calls on broadcast_recipients (account_id, broadcast_id, recipient_id)
  where call_state = 'called';

-- One row for each phone that is called for a reason, with what became of it; its attempts are below.
create table calls (
  account_id bigint not null references accounts,
  call_id bigint generated always as identity,
  -- test: "Call my phone with it"; record: we call somebody who records a message; verify: we read a code to a transfer
  -- number; launch: somebody called us to start a broadcast.
  purpose text collate "C" not null check (purpose in ('broadcast', 'test', 'record', 'verify', 'launch')),
  broadcast_id bigint,
  recipient_id bigint,
  user_id bigint,
  phone phone not null,
  caller_id text not null,
  result text collate "C" not null default 'not_yet_called' check (result in (
    'not_yet_called', 'live_answer', 'voicemail', 'no_answer', 'busy', 'canceled', 'do_not_call', 'call_failed', 'expired',
    'invalid', 'message_rejected')),
  -- Nothing more happens to it.
  is_over boolean not null default false,
  attempts smallint not null default 0,
  -- Credits reserved for it, and those it cost in the end.
  credits smallint not null default 0,
  charged smallint not null default 0,
  last_called_at timestamptz,
  ended_at timestamptz,
  -- Keys as they were pressed, and the answer to a survey.
  keys text not null default '',
  survey_key text collate "C" check (survey_key ~ '^[*][1-9]$'),
  opted_out_at timestamptz,
  -- Connected to the transfer number: when, how long, and whether it still holds a line.
  transferred_at timestamptz,
  transfer_seconds integer,
  transfer_result text,
  holds_line boolean not null default false,
  -- What a call that isn't of a broadcast says or does.
  task jsonb,
  -- In words, where the result alone doesn't say why.
  note text not null default '',
  created_at timestamptz not null default now(),
  primary key (account_id, call_id)
) with (fillfactor = 60);
call make_tenant_table('calls');
create unique index calls_of_recipient on calls (account_id, broadcast_id, recipient_id) where purpose = 'broadcast';
create index calls_by_result on calls (account_id, broadcast_id, result) where purpose = 'broadcast';
create index calls_with_line on calls (account_id, broadcast_id) where holds_line;
create index calls_by_phone on calls (account_id, phone, created_at desc);

-- Each time that a phone was rung. Committed before the provider is asked to.
create table call_attempts (
  account_id bigint not null,
  call_id bigint not null,
  attempt smallint not null,
  -- With the ids it is the key that the provider's webhooks carry.
  nonce integer not null,
  provider smallint not null,
  -- The provider's own id: the first one that speaks for the attempt.
  sid text,
  placed_at timestamptz not null default clock_timestamp(),
  -- The provider said that it has the call.
  accepted_at timestamptz,
  answered_at timestamptz,
  -- Somebody heard the live message; the voicemail message was begun.
  heard_at timestamptz,
  voicemail_at timestamptz,
  answered_by text,
  repeats smallint not null default 0,
  result text collate "C",
  error text,
  ended_at timestamptz,
  seconds integer,
  primary key (account_id, call_id, attempt)
) with (fillfactor = 60);
call make_tenant_table('call_attempts');

-- Calls that are not over: waiting for their time, being placed, up, or in doubt. All but the waiting ones take a line.
create table call_queue (
  account_id bigint not null,
  call_id bigint not null,
  broadcast_id bigint,
  provider smallint not null,
  -- Lower goes first: 0 for people who wait for it, 5 for broadcasts.
  priority smallint not null default 5,
  zone text collate "C" not null default '',
  due_at timestamptz not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'placing', 'up', 'doubt')),
  attempt smallint not null default 0,
  lease_id uuid,
  -- When somebody looks at it without being told: the lease ran out, a webhook was lost, a doubt is asked again.
  look_at timestamptz,
  primary key (account_id, call_id)
) with (fillfactor = 50);
call make_tenant_table('call_queue');
create index call_queue_due on call_queue (provider, due_at) where state = 'waiting';
create index call_queue_up on call_queue (provider, look_at) where state <> 'waiting';
create index call_queue_of_broadcast on call_queue (account_id, broadcast_id, state, due_at) where broadcast_id is not null;

-- How many calls a provider takes at a time and begins in a second, as the worker was told when it started, and when the
-- next may begin: both hold over all processes. Without lines nothing is set up there.
create table call_pace (
  provider smallint primary key,
  lines integer not null default 0,
  starts_per_second real not null default 1 check (starts_per_second > 0),
  next_start_at timestamptz not null default '-infinity'
);
insert into call_pace (provider) values (2), (5);
grant select on call_pace to muster_app;
grant select, update on call_pace to muster_system;

-- Numbers that may stand as the caller besides the account's own.
create table caller_ids (
  account_id bigint not null references accounts,
  caller_id_id bigint generated always as identity,
  phone phone not null,
  name text not null default '' check (length(name) <= 50),
  status text not null default 'Pending' check (status in ('Pending', 'Verified')),
  -- What the person types into the telephone when the provider calls.
  code text not null default '',
  user_id bigint not null,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  primary key (account_id, caller_id_id)
);
call make_tenant_table('caller_ids');
create unique index caller_ids_phone on caller_ids (account_id, phone);

-- Where people who press 0 are connected.
create table transfer_numbers (
  account_id bigint not null references accounts,
  transfer_number_id bigint generated always as identity,
  phone phone not null,
  status text not null default 'Pending' check (status in ('Pending', 'Approved')),
  -- What a call reads out there, and how often it was tried.
  code text not null default '',
  tries smallint not null default 0,
  is_default boolean not null default false,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, transfer_number_id)
);
call make_tenant_table('transfer_numbers');
create unique index transfer_numbers_phone on transfer_numbers (account_id, phone) where deleted_at is null;
create unique index transfer_numbers_default on transfer_numbers (account_id) where is_default and deleted_at is null;

-- Messages that somebody records by telephone.
create table message_recordings (
  account_id bigint not null references accounts,
  recording_id bigint generated always as identity,
  user_id bigint not null,
  -- The broadcast that waits for it, and for which of its two messages.
  broadcast_id bigint,
  part text not null default 'Audio' check (part in ('Audio', 'AudioVM')),
  state text not null default 'Waiting' check (state in ('Waiting', 'Calling', 'Kept', 'Failed')),
  phone phone,
  call_id bigint,
  audio_id bigint,
  note text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, recording_id)
);
call make_tenant_table('message_recordings');
create unique index message_recordings_part on message_recordings (account_id, broadcast_id, part)
  where broadcast_id is not null and state <> 'Failed';
