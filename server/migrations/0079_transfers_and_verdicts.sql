-- The live message was played to its end, or a key was pressed: then it was a person, even if nobody ever said so.
alter table call_attempts add column played_at timestamptz;

-- Who pressed 0, who found no line free, and who asked to be called back. An abandoned transfer that was connected in the
-- end counts no more.
alter table calls
  add column transfer_asked_at timestamptz,
  add column abandoned_at timestamptz,
  add column callback_at timestamptz;
create index calls_with_transfer on calls (account_id, broadcast_id) where transfer_asked_at is not null;
