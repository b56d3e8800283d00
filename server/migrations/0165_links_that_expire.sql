-- Links to pictures and sounds have a pass from now on and run out. Those that are out there already have none: they are
-- good for two more weeks, which is longer than any carrier keeps a text. Processes of the version before go on making
-- such links while they run. An installation without pictures and sounds has none out there.
alter table installation add column old_links_until timestamptz;

update installation set old_links_until = now() + interval '14 days'
where exists (select from media) or exists (select from audio)
  or exists (select from users where picture_key is not null);
