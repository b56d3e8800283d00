-- What an import of many rows costs, once more.

-- The first entry of a phone's ledger (0016) needs no id drawn for it: there is one a phone, and it comes before all others.
-- So its id is the phone, below zero.
drop view consent_events;
alter table phone_consents
  drop constraint phone_consents_first_check,
  drop constraint phone_consents_text_state_check,
  drop constraint phone_consents_voice_state_check,
  drop column event_id;
-- As before, in words that are compared faster.
alter table phone_consents
  add constraint phone_consents_first_check check ((file_id is null) = (declared_at is null)),
  add constraint phone_consents_text_state_check check (text_state = 'in' or text_state = 'out'),
  add constraint phone_consents_voice_state_check check (voice_state = 'in' or voice_state = 'out');
create view consent_events with (security_invoker = true) as
  select * from (
    select account_id, consent_event_id, phone, channel, state, source, message_id, user_id, wording, created_at, file_id,
      address
    from consent_ledger
    union all
    select account_id, case when file_id is not null then -phone::bigint end, phone, 'both'::text, 'in'::text,
      'import'::text, null::bigint, null::bigint, null::text, declared_at, file_id, null::text
    from phone_consents
  ) entry
  where consent_event_id is not null;
grant select on consent_events to muster_app, muster_system;
revoke usage on sequence consent_ledger_consent_event_id_seq from muster_app, muster_system;

-- No two entries of these are alike (nearly none by phone): looking for such whenever a page is full finds nothing.
alter index contacts_name set (deduplicate_items = off);
alter index contacts_primary_phone set (deduplicate_items = off);
alter index group_members_by_name set (deduplicate_items = off);

-- The same; a function in SQL that can't be written out into its statement costs several times as much a call.
create or replace function fold_text(words text) returns text
language plpgsql immutable parallel safe as $$
begin
  return lower(unaccent('unaccent'::regdictionary, words));
end
$$;

-- Rows of a file are looked for by their numbers alone: a short look tells enough.
alter table file_rows
  alter account_id set statistics 10, alter file_id set statistics 10, alter row_number set statistics 10,
  alter state set statistics 10, alter first_row set statistics 10, alter person_id set statistics 10;
