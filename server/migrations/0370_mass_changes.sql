-- The contacts that a change of many reached, for the history of each of them and of their phones: an event of a million
-- contacts keeps how many they were, not who. A row has those of a thousand neighboring ids, as their places among them, so a
-- change of a million contacts is a thousand rows of two kilobytes.
create table mass_changes (
  account_id bigint not null references accounts on delete cascade,
  mass_change_id bigint generated always as identity,
  -- person_id / 1024, and person_id % 1024.
  block bigint not null,
  places smallint[] not null,
  kind text not null check (kind in
    ('joined', 'left', 'unfiled', 'deleted', 'restored', 'edited', 'imported', 'undone', 'import_undone', 'synced')),
  group_id bigint,
  file_id bigint,
  sync_id bigint,
  fields text[] not null default '{}',
  user_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, mass_change_id)
);
call make_tenant_table('mass_changes');
create index mass_changes_of_block on mass_changes (account_id, block, created_at desc, mass_change_id desc);
-- A sync that starts over after it was cut off marks nobody twice.
create index mass_changes_of_sync on mass_changes (account_id, sync_id) where sync_id is not null;
create index mass_changes_old on mass_changes using brin (created_at);
