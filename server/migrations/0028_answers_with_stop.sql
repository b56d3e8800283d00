-- When somebody answered a broadcast with STOP: its results show them as opted out. It is no reply.
alter table broadcast_recipients add column stopped_at timestamptz;
create index broadcast_recipients_stopped on broadcast_recipients (account_id, broadcast_id, recipient_id)
  where stopped_at is not null;
