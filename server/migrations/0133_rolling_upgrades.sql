-- A migration that takes away what earlier versions use names the migration that a process has to know to go on. Processes
-- that don't know it refuse to start, and say on /readyz that they have to be upgraded.
alter table migrations add column needs text;
