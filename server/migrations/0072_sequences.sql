-- Drip campaigns ("sequences"). The people, number and signature are those of a broadcast that is never sent itself: a
-- draft while the campaign is written, its model afterwards. Each step that is due becomes a broadcast of its own.
create table sequences (
  account_id bigint not null references accounts,
  sequence_id bigint not null generated always as identity,
  broadcast_id bigint not null,
  user_id bigint not null,
  name text not null default '' check (length(name) <= 255),
  -- On whose clocks its steps were written.
  zone text not null,
  status text not null default 'draft' check (status in ('draft', 'running', 'paused', 'completed', 'canceled')),
  -- Why it is paused, when it wasn't paused by hand.
  failure_code integer,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, sequence_id),
  foreign key (account_id, broadcast_id) references broadcasts (account_id, broadcast_id)
);
call make_tenant_table('sequences');
create index sequences_latest on sequences (account_id, created_at desc, sequence_id desc) where deleted_at is null;

create table sequence_steps (
  account_id bigint not null,
  sequence_id bigint not null,
  position smallint not null check (position between 1 and 100),
  body text not null default '',
  -- Whether it waits for its time; a first step without goes out at once.
  has_wait boolean not null default true,
  -- As written: a day and a time on the campaign's clocks, either of which may still be missing.
  date_text text not null default '',
  time_text text not null default '',
  start_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'preparing', 'sent', 'failed', 'skipped')),
  sent_broadcast_id bigint,
  primary key (account_id, sequence_id, position),
  foreign key (account_id, sequence_id) references sequences on delete cascade
);
call make_tenant_table('sequence_steps');
create index sequence_steps_due on sequence_steps (start_at) where state = 'waiting';

alter table broadcasts add column sequence_id bigint, add column sequence_position smallint;
create index broadcasts_sequence_prepared on broadcasts (account_id, broadcast_id)
  where status = 'draft' and sequence_position is not null and deleted_at is null;
