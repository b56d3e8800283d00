-- The nightly comparison goes both ways: how many payments the books have that the processor's list has not.
alter table reconciliations add column missing integer not null default 0;
