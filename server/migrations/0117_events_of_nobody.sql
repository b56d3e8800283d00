-- What nobody did who is signed in (arrivals, jobs, operators) is most of a busy log, and asking for it by kind took the
-- index by kind, which has everybody's. Each entry is in one of these two, as it was in one before.
drop index events_by_user;
create index events_by_user on events (account_id, user_id, kind, created_at, event_id) where user_id is not null;
create index events_by_nobody on events (account_id, kind, created_at, event_id) where user_id is null;
