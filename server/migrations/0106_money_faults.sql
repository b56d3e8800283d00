-- What was asked for under an invoice's request key: the same key with other words is refused, not answered with the
-- first invoice.
alter table invoices add column request_hash text;

-- Broadcasts with pictures that were canceled half way, until it is known how many of their texts went out.
create index broadcasts_cut_off on broadcasts (look_at) where status = 'canceled' and look_at is not null;
