-- What the comparison with the processor finds and can't put right by itself is named once, and kept until it is no
-- longer so or the operator has explained it.
create table payment_differences (
  -- unknown: the processor has a payment that is not in the books; missing: the books have one that it has not;
  -- returned: a refund came back from the cardholder's bank, and is owed to them.
  kind text not null check (kind in ('unknown', 'missing', 'returned')),
  payment_id text not null,
  amount_cents bigint not null,
  found_at timestamptz not null default now(),
  resolved_at timestamptz,
  explanation text not null default '',
  primary key (kind, payment_id)
);
create index payment_differences_open on payment_differences (found_at) where resolved_at is null;
grant select, insert, update on payment_differences to muster_system;

-- What of the refunds came back to us. The cardholder has not got it. Checked in 0222, without holding up payments.
alter table charges
  add column returned_cents bigint not null default 0,
  add constraint charges_returned_cents_check check (returned_cents between 0 and refunded_cents) not valid;

alter table reconciliations
  -- null: it was made before refunds were compared.
  add column refunds integer,
  add column returned integer not null default 0;
