-- The audio library: messages that calls play, recorded, uploaded or read by a voice.

create table audio (
  account_id bigint not null references accounts,
  audio_id bigint generated always as identity,
  -- Who added it.
  user_id bigint not null,
  name text not null check (length(name) between 1 and 50),
  audio_type text not null default 'announcement' check (audio_type in ('announcement', 'survey', 'transfer-connect')),
  origin text not null check (origin in ('Upload', 'Recording', 'Converted', 'Speech')),
  -- What was typed, and the voice and pace that read it: it can be made again.
  spoken_text text,
  voice_id text,
  voice_rate real,
  -- The file as it came; null for what a voice read.
  original_hash text,
  original_type text check (original_type in ('audio/mpeg', 'audio/wav')),
  -- sha256 of the whole message as calls play it (8000 Hz, mu-law, mono), silence included.
  whole_hash text not null,
  whole_ms integer not null check (whole_ms > 0),
  -- The file that is played: the whole one, or the one without silence at its ends.
  call_hash text not null,
  length_ms integer not null check (length_ms > 0),
  -- Unguessable part of its address: carriers fetch it without signing in. Another file gets another key, so that
  -- nobody's cache is ever wrong.
  public_key text not null,
  -- Heights of the waveform, one byte each.
  peaks bytea not null,
  silence_before_ms integer not null default 0,
  silence_after_ms integer not null default 0,
  is_silence_cut boolean not null default false,
  is_shared boolean not null default false,
  use_count integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, audio_id)
);
call make_tenant_table('audio');
create index audio_name on audio (account_id, lower(name), audio_id) where deleted_at is null;
create unique index audio_public_key on audio (account_id, public_key);

create table audio_favorites (
  account_id bigint not null,
  audio_id bigint not null,
  user_id bigint not null,
  primary key (account_id, user_id, audio_id),
  foreign key (account_id, audio_id) references audio on delete cascade
);
call make_tenant_table('audio_favorites');
