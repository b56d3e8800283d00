-- Calls are claimed a little ahead of their start and paid for together after their end: claimed ones were certainly not
-- placed yet, and those that are over wait to be settled. Neither is asked about at the provider.
alter table call_queue
  drop constraint call_queue_state_check,
  add constraint call_queue_state_check check (state in ('waiting', 'claimed', 'placing', 'up', 'doubt', 'over'));

drop index call_queue_up;
create index call_queue_up on call_queue (provider, look_at) where state not in ('waiting', 'over');
create index call_queue_over on call_queue (account_id, call_id) where state = 'over';
