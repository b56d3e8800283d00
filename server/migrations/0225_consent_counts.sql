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
