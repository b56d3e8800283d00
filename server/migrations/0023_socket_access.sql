-- Web processes hear of these by LISTEN, whoever made the change and from wherever: a socket ends with its session or its
-- user, and hears of a text number only while its user may use it (server/realtime.ts). PostgreSQL delivers equal notices
-- of one transaction once.

create function tell_ended_sessions() returns trigger
  language plpgsql
as $$
begin
  -- In parts: a notice holds 8,000 bytes, and an id has up to 19 digits.
  perform pg_notify('muster_events', json_build_object('endedSessionIds', json_agg(session_id))::text)
  from (select session_id, (row_number() over () - 1) / 300 as part from ended) numbered
  group by part;
  return null;
end
$$;
create trigger tell_ended after delete on sessions
  referencing old table as ended for each statement execute function tell_ended_sessions();

create function tell_ended_user() returns trigger
  language plpgsql
as $$
begin
  perform pg_notify('muster_events', json_build_object('endedUserId', new.user_id)::text);
  return null;
end
$$;
create trigger tell_switched_off after update of is_active on users
  for each row when (old.is_active and not new.is_active) execute function tell_ended_user();

create function tell_changed_access() returns trigger
  language plpgsql
as $$
begin
  perform pg_notify('muster_events',
    json_build_object('accessChangedOf', case tg_op when 'DELETE' then old.account_id else new.account_id end)::text);
  return null;
end
$$;
create trigger tell_changed_access after insert or update or delete on user_text_numbers
  for each row execute function tell_changed_access();
create trigger tell_changed_access after insert or update of role, is_active on users
  for each row execute function tell_changed_access();
