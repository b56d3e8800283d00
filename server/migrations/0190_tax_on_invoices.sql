-- The tax office hears of an invoice when it is made, as it does of a sale by card when that is paid. Invoices from before
-- have no quote: the operator has reported them.
alter table invoices
  add column tax_quote_id text,
  add column tax_recorded_at timestamptz,
  add column tax_transaction_id text;
create index invoices_untaxed on invoices (account_id)
  where tax_quote_id is not null and tax_recorded_at is null and voided_at is null;
