-- Rows that were all changed in the same way: a row of undo_rows for each of a million costs as much as an index.
create table undo_sets (
  account_id bigint not null,
  undo_id bigint not null,
  -- The least and the greatest of row_ids.
  first_id bigint not null,
  last_id bigint not null,
  row_ids bigint[] not null,
  before jsonb,
  primary key (account_id, undo_id, first_id)
);
call make_tenant_table('undo_sets');
grant maintain on undo_sets to muster_app, muster_system;
-- To compress ids takes longer than to write them.
alter table undo_sets alter column row_ids set storage external;
