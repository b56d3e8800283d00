-- After older data was restored, nothing about months and money happens by itself until the operator has compared the
-- books with the card processor: what was charged since would be charged again.
create table held_charges (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null
);
grant select, insert, update, delete on held_charges to muster_system;
