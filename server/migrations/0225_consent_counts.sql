-- How many phones opted out of texts or calls, or agreed to texts themselves, by the quarter of an hour in which they did:
-- what the charts of opt-outs and opt-ins add up. A phone counts where it is now, and is taken off where it was before.
-- No zone's day begins within a quarter of an hour, so the figures give the days of every user. Kept by the transactions
-- that record consents (server/consents/count-moved.ts). Processes of the version before don't: a job adds what is missing.
create table consent_counts (
  account_id bigint not null references accounts,
  quarter timestamptz not null,
  texts_out integer not null default 0,
  calls_out integer not null default 0,
  texts_in integer not null default 0,
  primary key (account_id, quarter)
);
call make_tenant_table('consent_counts');

insert into consent_counts (account_id, quarter, texts_out, calls_out, texts_in)
select account_id, date_bin('15 minutes', at, 'epoch'), sum(texts_out), sum(calls_out), sum(texts_in)
from (
  select account_id, text_changed_at as at, 1 as texts_out, 0 as calls_out, 0 as texts_in
  from phone_consents where text_state = 'out' and text_changed_at is not null
  union all
  select account_id, voice_changed_at, 0, 1, 0
  from phone_consents where voice_state = 'out' and voice_changed_at is not null
  union all
  select account_id, text_changed_at, 0, 0, 1
  from phone_consents
  where text_state = 'in' and text_changed_at is distinct from declared_at and text_changed_at is not null
) counted
group by 1, 2;
