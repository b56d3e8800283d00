-- Months that are paid by invoice are earned one by one, in the months they are for. Their money is kept by invoice.
-- What was paid before this is moved by a job (server/invoices/keep-by-invoice.ts), one account at a time.
alter table invoices
  -- When the month that runs is over; null before the first begins and after the last one.
  add column next_earning_at timestamptz,
  -- The account went over to credits: what was left of the months was earned then.
  add column months_ended_at timestamptz;
