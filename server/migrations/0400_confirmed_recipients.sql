-- Somebody has confirmed that the recipients of a draft are the people to call. Cleared when its recipients or its type
-- change.
alter table broadcasts add column recipients_confirmed boolean not null default false;
-- Until now only the page knew. A draft that was past the step had been confirmed.
set local role muster_system;
update broadcasts set recipients_confirmed = true where status = 'draft' and wizard_step > 2;
reset role;
