-- What somebody began for the whole installation and did not finish: a migration that failed, a backup that was cut short.
-- Every process says so on /readyz until it is done.
create table unfinished_work (
  name text primary key,
  sentence text not null,
  begun_at timestamptz not null default now()
);
grant select on unfinished_work to muster_app, muster_system;
