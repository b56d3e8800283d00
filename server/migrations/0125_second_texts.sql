-- Two texts of one broadcast: each goes to a share of the people first, then the better one to the rest.
create table second_texts (
  account_id bigint not null references accounts,
  broadcast_id bigint not null,
  -- As it is written in the wizard. The first text is the broadcast's own.
  text_message text not null default '',
  -- Percent of the people who get each of the two texts first.
  share smallint not null default 10 check (share between 5 and 25),
  decide_by text not null default 'replies' check (decide_by in ('replies', 'clicks')),
  hours smallint not null default 2 check (hours between 1 and 24),
  -- Frozen by Send: what the feed sends, with a place for each short link, and what one text of each takes.
  body text not null default '',
  sent_body text not null default '',
  sent_prefix text not null default '',
  first_segments smallint not null default 1,
  second_segments smallint not null default 1,
  -- When everybody of the first part has been fed, the answers are awaited until then.
  decide_at timestamptz,
  winner smallint check (winner in (1, 2)),
  -- Why: one got more, both the same, nobody answered, or somebody chose it.
  reason text check (reason in ('more', 'tie', 'nobody', 'chosen')),
  decided_at timestamptz,
  decided_by bigint,
  -- What was known at that moment: texts that went out, and people who answered.
  first_sent integer,
  second_sent integer,
  first_people integer,
  second_people integer,
  primary key (account_id, broadcast_id),
  check ((winner is null) = (reason is null) and (winner is null) = (decided_at is null))
);
call make_tenant_table('second_texts');

-- The first part, by zone and text: how many get it, and how far the feed has come.
create table second_text_zones (
  account_id bigint not null references accounts,
  broadcast_id bigint not null,
  zone text collate "C" not null,
  place smallint not null check (place in (1, 2)),
  total integer not null,
  fed integer not null default 0,
  cursor bigint not null default 0,
  primary key (account_id, broadcast_id, zone, place)
) with (fillfactor = 50);
call make_tenant_table('second_text_zones');

-- Which of two texts a slice of the first part carries; null for all others.
alter table broadcast_slices add column place smallint check (place in (1, 2));
