-- Phones that somebody is looking up at the moment: whoever else wants to know waits for the answer instead of paying for
-- it again. A claim ends when the answer is saved or there is none; one of a killed process runs out. Its user and day are
-- those of the budget that has paid, so that going on after a kill takes nothing from it twice.
create table phone_lookup_claims (
  account_id bigint not null references accounts,
  phone phone not null,
  lease_id uuid not null,
  lease_until timestamptz not null,
  user_id bigint,
  day date,
  primary key (account_id, phone)
);
call make_tenant_table('phone_lookup_claims');
