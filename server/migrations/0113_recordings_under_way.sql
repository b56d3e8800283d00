-- A message that was recorded by telephone and is being fetched and made ready.
alter table message_recordings drop constraint message_recordings_state_check;
alter table message_recordings add constraint message_recordings_state_check
  check (state in ('Waiting', 'Calling', 'Keeping', 'Kept', 'Failed'));

-- Looked at every second: there are seldom any.
create index message_recordings_open on message_recordings (state) where state in ('Calling', 'Keeping');
