-- How many phones each user has had looked up today, at the cost of the installation.
create table lookup_budgets (
  account_id bigint not null references accounts,
  user_id bigint not null,
  day date not null,
  asked integer not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, user_id) on delete cascade
);
call make_tenant_table('lookup_budgets');
