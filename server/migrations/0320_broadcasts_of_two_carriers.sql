-- Texts of a broadcast that changed carriers halfway: some of its receipts are the earlier carrier's, which may try for
-- longer than the one that has the rest.
alter table broadcasts add column has_changed_carrier boolean not null default false;
