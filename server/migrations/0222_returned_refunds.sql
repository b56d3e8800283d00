-- In a transaction of its own: while all charges are read, none has to wait.
alter table charges validate constraint charges_returned_cents_check;
create index charges_returned on charges (payment_id) where returned_cents > 0;
