-- The groups in contacts that too many people would leave at once; none if too many would leave them all.
alter table integration_syncs add column held_lists bigint[] not null default '{}';

-- Its password or permission is no longer valid, and people were told. Until it succeeds or is connected again they
-- aren't told a second time, whatever else fails in between.
alter table integrations add column is_locked_out boolean not null default false;
