-- Who opened a link of a broadcast for the first time, until webhooks are told (server/broadcasts/links). Written only for
-- accounts that listen. A link that 100,000 people open is told in batches, so a click adds one small row and no event.
create table opened_links (
  account_id bigint not null references accounts,
  link_id bigint not null,
  recipient_id bigint not null,
  opened_at timestamptz not null default now(),
  primary key (account_id, link_id, recipient_id)
);
call make_tenant_table('opened_links');
