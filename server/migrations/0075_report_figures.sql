-- How texts ended, by day: what the delivery report reads instead of the ledger. Every text is counted twice, under the
-- hour in which it was written and, once it has ended, under its recipient's carrier ('' if nobody looked it up). Texts
-- that were taken back before a carrier had them are not counted. Kept by the transactions that move texts on (server/texts/count-results.ts).
create table daily_results (
  account_id bigint not null references accounts,
  day date not null,
  text_number_id bigint not null,
  dimension text not null check (dimension in ('hour', 'carrier')),
  value text not null,
  status text not null,
  texts integer not null default 0,
  primary key (account_id, day, text_number_id, dimension, value, status)
);
call make_tenant_table('daily_results');

insert into daily_results (account_id, day, text_number_id, dimension, value, status, texts)
select m.account_id, m.local_at::date, m.text_number_id, d.dimension,
  case d.dimension when 'hour' then extract(hour from m.local_at)::text else m.carrier end, m.status, count(*)
from (
  select m.account_id, m.text_number_id, m.status, m.created_at at time zone a.time_zone as local_at,
    coalesce(l.carrier_name, '') as carrier
  from messages m
  join accounts a on a.account_id = m.account_id
  left join phone_lookups l on l.account_id = m.account_id and l.phone = m.phone
  where not m.is_inbound and m.status <> 'waiting'
    and (m.handed_at is not null or m.carrier_error is not null and m.status <> 'canceled')
) m, (values ('hour'), ('carrier')) as d(dimension)
where d.dimension = 'hour' or m.status <> 'sent'
group by 1, 2, 3, 4, 5, 6;

-- What was added to the balance and taken from it again other than by sending: a handful of entries a month.
create index credit_entries_bought on credit_entries (account_id, created_at)
  where kind in ('grant', 'purchase', 'refund');

-- Phones that agreed to texts by themselves, the latest first. What an import declared stays out: that is the
-- organization's word, and a million of them at a time.
create index phone_consents_text_in on phone_consents (account_id, text_changed_at desc, phone)
  where text_state = 'in' and text_changed_at is distinct from declared_at;
