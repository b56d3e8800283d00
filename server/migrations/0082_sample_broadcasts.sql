-- A sample broadcast: a canned message to the phones that the account has verified. It takes no credits.
alter table broadcasts add column is_sample boolean not null default false;
