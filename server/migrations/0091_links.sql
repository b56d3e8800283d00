-- Links in broadcasts, shortened on the organization's own address, with their clicks counted.
alter table accounts add column link_host text check (link_host ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$');
-- "https://example.org/l/" where the links of a text are shortened; null where they stay as they are written.
alter table broadcasts add column link_base text;

create table links (
  account_id bigint not null references accounts,
  link_id bigint not null generated always as identity,
  broadcast_id bigint not null,
  url text not null check (length(url) <= 2000),
  -- What stands for it in the broadcast's text until each recipient gets a link of their own.
  place text not null,
  primary key (account_id, link_id),
  unique (account_id, broadcast_id, place),
  foreign key (account_id, broadcast_id) references broadcasts (account_id, broadcast_id)
);
call make_tenant_table('links');

-- A recipient's own link. Whoever opens it is the recipient, or a machine that looks at it first.
create table link_tokens (
  account_id bigint not null,
  token text collate "C" not null,
  link_id bigint not null,
  recipient_id bigint not null,
  clicks integer not null default 0,
  previews integer not null default 0,
  first_clicked_at timestamptz,
  last_clicked_at timestamptz,
  primary key (account_id, token),
  foreign key (account_id, link_id) references links
) with (fillfactor = 85);
call make_tenant_table('link_tokens');
create index link_tokens_token on link_tokens (token);
create index link_tokens_recipient on link_tokens (account_id, recipient_id) where clicks > 0;
create index link_tokens_clicked on link_tokens (account_id, link_id, recipient_id) where clicks > 0 or previews > 0;
