-- Webhooks are named by the ids of events, and receivers pass by names that they know. Older data that takes the place of
-- newer would give ids again that events since had. So the ids go on at the milliseconds of the clock, which no count of
-- events reaches.
create function skip_event_ids() returns void
  language sql security definer set search_path = pg_catalog, public as $$
  select setval('public.events_event_id_seq', greatest(
    (select last_value from public.events_event_id_seq), (extract(epoch from clock_timestamp()) * 1000)::bigint));
$$;
revoke all on function skip_event_ids() from public;
grant execute on function skip_event_ids() to muster_system;
