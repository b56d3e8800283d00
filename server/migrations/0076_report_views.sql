-- A report with the days and filters that a user chose for it, under a name, and how often it is mailed to them.
create table report_views (
  account_id bigint not null,
  report_view_id bigint not null generated always as identity,
  user_id bigint not null,
  report text not null,
  name text not null check (length(name) between 1 and 50),
  -- The address's own words: { "days": "7", "users": "enabled" }.
  search jsonb not null default '{}',
  schedule text not null default 'never' check (schedule in ('never', 'weekly', 'monthly')),
  -- When the next mail is due. It moves on in the transaction that writes the mail.
  next_mail_at timestamptz,
  last_mail_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, report_view_id),
  foreign key (account_id, user_id) references users (account_id, user_id),
  check ((schedule = 'never') = (next_mail_at is null))
);
call make_tenant_table('report_views');
create index report_views_of_user on report_views (account_id, user_id, report);
create index report_views_due on report_views (next_mail_at) where next_mail_at is not null;
