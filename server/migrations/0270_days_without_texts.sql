-- Up to where months of an account's archive were dropped: daily figures before cannot be counted again.
alter table message_archives add column dropped_before date;

-- Months may have been dropped before this was noted: before the first month that is left, nothing is counted.
update message_archives set dropped_before = coalesce(
  (select min(to_date(right(c.relname, 7), 'YYYY_MM')) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'archived_messages'::regclass and c.relname ~ '^archived_messages_\d{4}_\d{2}$'),
  date_trunc('month', now() at time zone 'UTC' - interval '4 months'))
where archived > 0;
