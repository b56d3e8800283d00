-- Months that are paid by invoice are earned one by one, in the months they are for. Their money is kept by invoice.
alter table invoices
  -- When the month that runs is over; null before the first begins and after the last one.
  add column next_earning_at timestamptz,
  -- The account went over to credits: what was left of the months was earned then.
  add column months_ended_at timestamptz;
create index invoices_earning on invoices (next_earning_at) where next_earning_at is not null;

-- Until now there was one pot for an account, and the first payment of an invoice earned all that was in it. So what is in
-- it was paid for the invoice whose first payment came last.
with owed as (
  select m.account_id, -sum(m.amount_cents) as cents
  from money_entries m join accounts a on a.account_id = m.account_id
  where a.type_id = 3 and m.book = 'deferred' and m.subject = 'subscription'
  group by m.account_id having -sum(m.amount_cents) > 0
),
first_payments as (
  select p.account_id, p.invoice_id, min(p.created_at) as paid_at
  from invoice_payments p join invoices i on i.account_id = p.account_id and i.invoice_id = p.invoice_id
  where not i.is_payg and p.amount_cents > 0
  group by p.account_id, p.invoice_id
),
latest as (
  select distinct on (account_id) account_id, invoice_id from first_payments order by account_id, paid_at desc
),
posting as (
  select o.account_id, o.cents, l.invoice_id, nextval('money_postings') as id
  from owed o join latest l on l.account_id = o.account_id
)
insert into money_entries (account_id, posting_id, subject, book, amount_cents, invoice_id, note, created_at)
select account_id, id, 'subscription', 'deferred', cents, invoice_id, 'Kept by invoice from now on', now() from posting
union all
select account_id, id, 'invoice:' || invoice_id, 'deferred', -cents, invoice_id, 'Kept by invoice from now on', now()
from posting;

update invoices i set next_earning_at = subscription_start_at
from accounts a
where a.account_id = i.account_id and a.type_id = 3
  and not i.is_payg and i.charge_id is null and i.delivered_at is not null
  and i.subscription_start_at is not null and i.subscription_end_at is not null
  and exists (select from money_entries m where m.account_id = i.account_id and m.subject = 'invoice:' || i.invoice_id);
