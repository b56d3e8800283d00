-- Broadcasts. A draft and the broadcast it becomes are one row, and so are its recipients: pressing Send moves no rows.
-- The path of a broadcast and its states: docs/sending.md; why it is made this way: docs/decisions/0021.

-- Texts are held outside these hours of the recipient's own clock, never dropped.
alter table accounts add column quiet_hours_on boolean not null default true;
alter table accounts add column quiet_start time not null default '08:00';
alter table accounts add column quiet_stop time not null default '21:00';
-- What the carriers allow a day; null for what the registration gives (contract/reference/messaging-limits.ts).
alter table accounts add column messages_per_day integer check (messages_per_day > 0);
-- What the number's carrier takes a minute; null where it sets no limit.
alter table text_numbers add column per_minute integer check (per_minute > 0);

create table broadcasts (
  account_id bigint not null references accounts,
  -- BroadcastID and DraftBroadcastID.
  broadcast_id bigint generated always as identity unique,
  -- Who made it, and in whose name it goes out.
  user_id bigint not null,
  name text not null default '' check (length(name) <= 50),
  broadcast_type text not null default 'GroupSMS' check (broadcast_type in (
    'Announcement', 'Survey', 'SMS', 'GroupSMS', 'SMSOrAnnouncement', 'SMSAndAnnouncement', 'SMSOrSurvey', 'SMSAndSurvey')),
  is_text_survey boolean not null default false,
  -- draft: nobody pressed Send; model: what a repeating broadcast is made from each time; scheduled: its start lies
  -- ahead; broadcasting; paused; completed: no recipient waits any more; canceled.
  status text collate "C" not null default 'draft'
    check (status in ('draft', 'model', 'scheduled', 'broadcasting', 'paused', 'completed', 'canceled')),

  -- What is sent.
  text_number_id bigint,
  body text not null default '',
  media_ids bigint[] not null default '{}',
  include_signature boolean not null default false,
  yes_reply text not null default '',
  no_reply text not null default '',
  template_id bigint,
  -- When. start_wall is the reading of the sender's clock as it was chosen ("2026-11-15T17:00:00").
  start_option text not null default 'START_IMMEDIATELY'
    check (start_option in ('START_IMMEDIATELY', 'START_LATER', 'REPEATING')),
  start_wall text,
  -- Interval, IntervalFrequency, DaysOfWeek, EndDateTime (contract/time/repeating-schedule.ts).
  repeat_schedule jsonb,
  -- Texts a minute; null is as fast as the carrier takes them.
  per_minute integer check (per_minute > 0),
  -- The wizard's furthest step, so that a draft opens where it was left.
  wizard_step smallint not null default 1 check (wizard_step between 1 and 4),

  -- Grows with every change of the recipients; what was counted or merged at another version is counted anew.
  recipients_version bigint not null default 0,
  -- How many go out and how many are left out and why, by zone, as counted at summary_version.
  summary jsonb,
  summary_version bigint,
  -- The merge of a personalised text with the recipients: what of (text, signature, recipients' version), and how far.
  merge_key text,
  merge_cursor bigint,
  merge_state text not null default 'none' check (merge_state in ('none', 'running', 'done')),

  -- From the moment somebody pressed Send.
  sent_by_user_id bigint,
  confirmed_at timestamptz,
  start_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  aggregator_id smallint,
  -- What goes out to those without a text of their own: the text with the signature as it then was.
  sent_body text not null default '',
  is_personalised boolean not null default false,
  -- Of a personalised text what most of its texts have.
  segments smallint not null default 1,
  -- Credits for one text of the common body; 0 where texts cost nothing.
  credits_each smallint not null default 0,
  going_count integer not null default 0,
  left_out_count integer not null default 0,
  -- Recipients that have become texts, and the credits still reserved for those that have not.
  fed_count integer not null default 0,
  credits_reserved bigint not null default 0,
  credits_unfed bigint not null default 0 check (credits_unfed >= 0),
  -- When the next slice may be fed; the beginning of the stretch over which the pace is held, and what was fed in it.
  next_feed_at timestamptz,
  pace_from timestamptz,
  pace_fed integer not null default 0,
  last_fed_at timestamptz,
  -- Why nothing goes out at the moment although it should: quiet hours, a daily cap, the carrier. Empty when it does.
  held_reason text not null default '',

  repeating_id bigint,
  is_archived boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, broadcast_id)
) with (fillfactor = 50);
call make_tenant_table('broadcasts');
create index broadcasts_latest on broadcasts
  (account_id, (coalesce(start_at, created_at)) desc, broadcast_id desc) where deleted_at is null;
-- What the send loop looks at: few rows at a time.
create index broadcasts_to_feed on broadcasts (aggregator_id, next_feed_at)
  where status in ('scheduled', 'broadcasting') and next_feed_at is not null;
-- What is looked at every second: under way, ended lately; and what the claim leaves alone.
create index broadcasts_under_way on broadcasts (status, broadcast_id) where status in ('broadcasting', 'paused');
create index broadcasts_ended on broadcasts (ended_at) where ended_at is not null;
create index broadcasts_to_merge on broadcasts (account_id, broadcast_id) where merge_state = 'running';
-- Occurrences of repeating broadcasts whose recipients are still being added or merged.
create index broadcasts_prepared on broadcasts (account_id, broadcast_id)
  where status = 'draft' and repeating_id is not null and deleted_at is null;

-- Where a broadcast's recipients came from, in order. A repeating broadcast asks groups and segments again each time.
create table broadcast_sources (
  account_id bigint not null,
  broadcast_id bigint not null,
  source_id bigint generated always as identity,
  kind text not null check (kind in ('contacts', 'lists', 'typed', 'pasted', 'file', 'results', 'replies')),
  -- What was asked for: the selection, the list and its search; the file; the other broadcast.
  input jsonb not null,
  -- What people call it: "Parents", "roster.csv", "3 typed numbers".
  name text not null default '',
  added integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (account_id, broadcast_id, source_id)
);
call make_tenant_table('broadcast_sources');

-- One row for each person that was added; of several with one phone one goes, the others are duplicates of it.
create table broadcast_recipients (
  account_id bigint not null,
  broadcast_id bigint not null,
  recipient_id bigint generated always as identity,
  person_id bigint,
  source_id bigint,
  -- The text it became; null until it is fed, and for ever when it is left out.
  message_id bigint,
  -- The one of the same phone that goes.
  duplicate_of bigint,
  reply_message_id bigint,
  replied_at timestamptz,
  -- Of a personalised text, where it isn't what most have (broadcasts.segments).
  segments smallint,
  -- Null for a number that is none: then typed_phone says what was given.
  phone phone,
  -- Why it is left out; null when it goes.
  problem text collate "C" check (problem in (
    'duplicate', 'opted_out', 'not_opted_in', 'not_textable', 'unreachable', 'invalid', 'not_verified', 'excluded', 'too_long', 'invalid_field')),
  -- The zones that its area code reaches into, comma-separated; '' for the account's own.
  zone text collate "C" not null default '',
  first_name text not null default '',
  last_name text not null default '',
  typed_phone text,
  -- Of people who are no contacts: values by the field's name.
  custom_data jsonb,
  -- A text of their own, written by hand where the merged one would not do.
  own_body text,
  survey_answer text collate "C" check (survey_answer in ('Yes', 'No')),
  primary key (account_id, broadcast_id, recipient_id)
) with (fillfactor = 45);
-- Less than half full, so that the text's id is written onto the same page: no entry in an index moves when it is fed.
call make_tenant_table('broadcast_recipients');
-- One phone, one message.
create unique index broadcast_recipients_once on broadcast_recipients (account_id, broadcast_id, phone) where problem is null;
-- The order in which they are fed.
create index broadcast_recipients_lane on broadcast_recipients (account_id, broadcast_id, zone, recipient_id) where problem is null;
create index broadcast_recipients_left_out on broadcast_recipients (account_id, broadcast_id, problem, recipient_id)
  where problem is not null;
create index broadcast_recipients_replied on broadcast_recipients (account_id, broadcast_id, replied_at, recipient_id)
  where replied_at is not null;
create index broadcast_recipients_answers on broadcast_recipients
  (account_id, broadcast_id, survey_answer, replied_at, recipient_id) where survey_answer is not null;
grant maintain on broadcast_recipients to muster_app, muster_system;
-- Ids are drawn by the statement that judges them: a duplicate names the one that goes.
grant usage on sequence broadcast_recipients_recipient_id_seq to muster_app, muster_system;

-- How far the recipients of each zone have been fed. Made when Send is pressed.
create table broadcast_zones (
  account_id bigint not null,
  broadcast_id bigint not null,
  zone text collate "C" not null,
  total integer not null,
  fed integer not null default 0,
  -- The last recipient that was fed.
  cursor bigint not null default 0,
  -- Not before: their quiet hours end then.
  opens_at timestamptz not null,
  primary key (account_id, broadcast_id, zone)
) with (fillfactor = 50);
call make_tenant_table('broadcast_zones');

-- The texts that one feeding made, and how many of them stand where. Sums over a broadcast's slices are its counts, and a
-- list of those in one state skips the slices that have none: no text needs an index on its state.
create table broadcast_slices (
  account_id bigint not null,
  broadcast_id bigint not null,
  slice_id bigint generated always as identity,
  first_message_id bigint not null,
  last_message_id bigint not null,
  total integer not null,
  waiting integer not null default 0,
  sent integer not null default 0,
  delivered integer not null default 0,
  read integer not null default 0,
  failed integer not null default 0,
  invalid integer not null default 0,
  opted_out integer not null default 0,
  canceled integer not null default 0,
  -- Credits of texts that a carrier took, and of those that none did.
  settled bigint not null default 0,
  released bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (account_id, broadcast_id, slice_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
call make_tenant_table('broadcast_slices');
alter table messages add column slice_id bigint;
-- What people answered, by broadcast. Only inbound texts that answer one are in it.
create index messages_replies on messages (account_id, broadcast_id, created_at desc, message_id desc)
  where is_inbound and broadcast_id is not null;
-- A slice's texts change their state in one statement: a page has room for all of its rows once more, so that no entry in
-- an index moves. At 80 most of them went to other pages.
alter table messages set (fillfactor = 45);
-- Feeding gives the ids itself, so that it knows which recipient became which text.
grant usage on sequence messages_message_id_seq to muster_system;

-- Slices that a worker has just made and hands over: one row stands for all their texts, which are in the outbox only if
-- something went wrong with them. Recording takes it out. When the lease has run out they go to the outbox, in doubt.
create table outbox_slices (
  account_id bigint not null,
  broadcast_id bigint not null,
  slice_id bigint not null,
  first_message_id bigint not null,
  last_message_id bigint not null,
  text_number_id bigint not null,
  aggregator_id smallint not null,
  lease_id uuid not null,
  lease_until timestamptz not null,
  primary key (account_id, broadcast_id, slice_id, first_message_id)
) with (fillfactor = 50);
call make_tenant_table('outbox_slices');
-- Pausing or canceling a broadcast holds what of it waits here.
alter table outbox add column broadcast_id bigint;
create index outbox_of_broadcast on outbox (account_id, broadcast_id) where broadcast_id is not null;

-- How far a broadcast was at a moment: what its chart is drawn from.
create table broadcast_samples (
  account_id bigint not null,
  broadcast_id bigint not null,
  taken_at timestamptz not null,
  sent integer not null,
  delivered integer not null,
  failed integer not null,
  primary key (account_id, broadcast_id, taken_at)
);
call make_tenant_table('broadcast_samples');

-- The answers of a text survey are claimed there too; source_id is the broadcast and which of the two.
alter table reply_stamps drop constraint reply_stamps_kind_check;
alter table reply_stamps add constraint reply_stamps_kind_check
  check (kind in ('any', 'auto', 'keyword', 'survey', 'stop', 'unstop', 'join', 'help'));

create table repeating_broadcasts (
  account_id bigint not null references accounts,
  repeating_id bigint generated always as identity,
  -- The row in broadcasts (status model) that holds text, settings and recipients.
  broadcast_id bigint not null,
  user_id bigint not null,
  schedule jsonb not null,
  description text not null,
  zone text not null,
  start_wall text not null,
  -- Null once it is over.
  next_at timestamptz,
  last_broadcast_id bigint,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, repeating_id)
);
call make_tenant_table('repeating_broadcasts');
create index repeating_broadcasts_due on repeating_broadcasts (next_at) where next_at is not null and deleted_at is null;

create table repeating_failures (
  account_id bigint not null,
  failure_id bigint generated always as identity,
  repeating_id bigint not null,
  -- 4100, 2003 or 101.
  code integer not null,
  occurred_at timestamptz not null default now(),
  dismissed_at timestamptz,
  primary key (account_id, failure_id)
);
call make_tenant_table('repeating_failures');
create index repeating_failures_open on repeating_failures (account_id, occurred_at) where dismissed_at is null;

create table labels (
  account_id bigint not null references accounts,
  label_id bigint generated always as identity,
  name text not null check (length(name) between 1 and 50),
  primary key (account_id, label_id)
);
call make_tenant_table('labels');
create unique index labels_name on labels (account_id, lower(name));

create table broadcast_labels (
  account_id bigint not null,
  broadcast_id bigint not null,
  label_id bigint not null,
  primary key (account_id, broadcast_id, label_id),
  foreign key (account_id, broadcast_id) references broadcasts on delete cascade,
  foreign key (account_id, label_id) references labels on delete cascade
);
call make_tenant_table('broadcast_labels');

-- Phones that a free trial may text.
create table verified_phones (
  account_id bigint not null references accounts,
  phone phone not null,
  verified_at timestamptz not null default now(),
  primary key (account_id, phone)
);
call make_tenant_table('verified_phones');
