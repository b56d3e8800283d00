-- The message on a machine was played to its end: then it was left, however long that took.
alter table call_attempts add column left_at timestamptz;
