-- Sums of daily_usage, so that a report over a year reads some thousand rows however many people an organization has: what
-- everybody used in a day (user 0), and what each person used in a month. Kept by the transactions that keep the days
-- (server/billing/count-usage.ts). Processes of the version before keep only the days: a job adds what is missing.
create table usage_sums (
  account_id bigint not null references accounts,
  span text not null check (span in ('day', 'month')),
  start_on date not null,
  user_id bigint not null default 0,
  kind text not null check (kind in ('broadcast', 'conversation', 'call')),
  messages integer not null default 0,
  credits integer not null default 0,
  primary key (account_id, span, start_on, user_id, kind)
);
call make_tenant_table('usage_sums');

insert into usage_sums (account_id, span, start_on, user_id, kind, messages, credits)
select d.account_id, s.span, s.start_on, s.user_id, d.kind, sum(d.messages), sum(d.credits)
from daily_usage d
cross join lateral (values ('day', d.day, 0::bigint), ('month', date_trunc('month', d.day)::date, d.user_id)) as s(span, start_on, user_id)
group by 1, 2, 3, 4, 5;
