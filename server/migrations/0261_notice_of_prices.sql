-- Owners are told before a month costs more than the one before: once for each end of a month.
alter table subscriptions add column prices_looked_at_until timestamptz;

alter table text_numbers
  add column flat_rate_fee_cents integer check (flat_rate_fee_cents >= 0),
  add column flat_rate_next_fee_cents integer check (flat_rate_next_fee_cents >= 0),
  add column flat_rate_looked_at_until timestamptz;

-- What the month that runs has cost.
update text_numbers n set flat_rate_fee_cents = c.amount_cents
from (
  select distinct on (c.account_id, c.purchase #>> '{what,textNumberId}')
    c.account_id, (c.purchase #>> '{what,textNumberId}')::bigint as text_number_id, c.amount_cents
  from charges c
  where c.charge_type in ('AddFlatRate', 'FlatRateRenewal') and c.state = 'paid'
  order by c.account_id, c.purchase #>> '{what,textNumberId}', c.charge_id desc) c
where n.account_id = c.account_id and n.text_number_id = c.text_number_id and n.flat_rate_status is not null;
