-- Credits: an append-only ledger. accounts.credit_balance and credit_reserved are its sums and are
-- written in the same statement; checks on accounts keep both from going below zero.

create table credit_entries (
  account_id bigint not null references accounts,
  credit_entry_id bigint generated always as identity,
  -- grant: given; purchase: bought; reserve: set aside for texts that wait; settle: a reserved text was
  -- handed over; release: a reserved text was never sent.
  kind text not null check (kind in ('grant', 'purchase', 'reserve', 'settle', 'release')),
  balance_delta bigint not null,
  reserved_delta bigint not null,
  balance_after bigint not null,
  reserved_after bigint not null,
  note text not null default '',
  user_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, credit_entry_id)
);
call make_tenant_table('credit_entries');
revoke update, delete on credit_entries from muster_app, muster_system;
create index credit_entries_age on credit_entries (account_id, created_at);
