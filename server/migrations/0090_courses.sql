-- Drip campaigns with pictures, and campaigns that everybody goes through in their own time: from the day they joined a
-- group, answered a keyword or texted JOIN.
alter table sequences
  -- What begins it: the dates of its steps, or something that each person does.
  add column starts_on text not null default 'dates' check (starts_on in ('dates', 'group', 'keyword', 'join')),
  add column group_id bigint,
  add column keyword_id bigint,
  -- Whether those who are in the group already go through it too.
  add column includes_members boolean not null default false,
  add column skips_weekends boolean not null default false,
  add column stops_on_reply boolean not null default false,
  -- When the next person is due, or the group has to be looked at for people who joined.
  add column next_at timestamptz;
create index sequences_due on sequences (next_at) where status = 'running' and next_at is not null and deleted_at is null;
create index sequences_answered on sequences (account_id) where status in ('running', 'paused') and deleted_at is null;

alter table sequence_steps
  add column media_ids bigint[] not null default '{}',
  -- So many days after somebody joined, at time_text.
  add column after_days smallint check (after_days between 0 and 365);

-- Who goes through a campaign in their own time, and of every campaign who left it before its end. The people themselves
-- are recipients of the campaign's model.
create table sequence_people (
  account_id bigint not null,
  sequence_id bigint not null,
  phone phone not null,
  recipient_id bigint,
  joined_at timestamptz not null,
  -- The same on the campaign's calendar: steps are counted from it.
  joined_day date not null,
  -- How many steps have been made for them.
  position smallint not null default 0,
  next_at timestamptz,
  state text collate "C" not null default 'active'
    check (state in ('active', 'done', 'stopped', 'replied', 'opted_out', 'left')),
  ended_at timestamptz,
  primary key (account_id, sequence_id, phone),
  foreign key (account_id, sequence_id) references sequences on delete cascade
) with (fillfactor = 70);
call make_tenant_table('sequence_people');
create index sequence_people_due on sequence_people (account_id, sequence_id, next_at) where state = 'active';
create index sequence_people_phone on sequence_people (account_id, phone) where state = 'active';

-- People who answered a keyword or texted JOIN, until the campaign takes them up.
create table sequence_joins (
  account_id bigint not null,
  join_id bigint not null generated always as identity,
  sequence_id bigint not null,
  phone phone not null,
  joined_at timestamptz not null,
  primary key (account_id, join_id),
  foreign key (account_id, sequence_id) references sequences on delete cascade
);
call make_tenant_table('sequence_joins');
create index sequence_joins_sequence on sequence_joins (account_id, sequence_id);

create index broadcasts_sequence on broadcasts (account_id, sequence_id, sequence_position) where sequence_id is not null;
