-- Who used how much, by day: what the usage summary reads instead of the ledger. User 0 is nobody: automatic texts.
-- Kept by the transactions that move texts and calls on (server/billing/count-usage.ts).
create table daily_usage (
  account_id bigint not null references accounts,
  day date not null,
  user_id bigint not null default 0,
  kind text not null check (kind in ('broadcast', 'conversation', 'call')),
  messages integer not null default 0,
  credits integer not null default 0,
  primary key (account_id, day, user_id, kind)
);
call make_tenant_table('daily_usage');

insert into daily_usage (account_id, day, user_id, kind, messages, credits)
select m.account_id, (m.created_at at time zone a.time_zone)::date, coalesce(m.user_id, 0),
  case when m.origin = 'broadcast' then 'broadcast' else 'conversation' end, count(*), sum(m.credits)
from messages m
join accounts a on a.account_id = m.account_id
where not m.is_inbound and m.handed_at is not null
group by 1, 2, 3, 4;
