-- Most phones become known because they came with a file, and that is all that is ever said of them. This first entry of
-- the ledger lies on the phone's own row now, and a file of a million writes a million rows less.

alter table consent_events rename to consent_ledger;
alter table consent_ledger rename constraint consent_events_pkey to consent_ledger_pkey;
alter table consent_ledger rename constraint consent_events_channel_check to consent_ledger_channel_check;
alter table consent_ledger rename constraint consent_events_source_check to consent_ledger_source_check;
alter table consent_ledger rename constraint consent_events_state_check to consent_ledger_state_check;
alter sequence consent_events_consent_event_id_seq rename to consent_ledger_consent_event_id_seq;

-- Ids are drawn for entries on either side of it.
grant usage on sequence consent_ledger_consent_event_id_seq to muster_app, muster_system;

-- Its id in the ledger, the file that declared calls and texts, and when. Words, who and from where stand at the file.
alter table phone_consents
  add column event_id bigint,
  add column file_id bigint,
  add column declared_at timestamptz,
  add constraint phone_consents_first_check check (num_nulls(event_id, file_id, declared_at) in (0, 3));
-- As append-only as the ledger: what holds may change, the entry may not, and no row goes.
revoke update, delete on phone_consents from muster_app, muster_system;
grant update (phone, text_state, text_changed_at, voice_state, voice_changed_at) on phone_consents to muster_app, muster_system;

-- The sentence that was confirmed for all phones of the file.
alter table file_uploads add column consent_wording text not null default '';
update file_uploads set consent_wording = 'Please confirm you have collected proper consent.' where consent_declared;

-- All that was ever said of a phone. Where wording, user_id and address are null, the file has them. The condition stands
-- outside, since PostgreSQL looks up both parts by phone only if they have none.
create view consent_events with (security_invoker = true) as
  select * from (
    select account_id, consent_event_id, phone, channel, state, source, message_id, user_id, wording, created_at, file_id,
      address
    from consent_ledger
    union all
    select account_id, event_id, phone, 'both'::text, 'in'::text, 'import'::text, null::bigint, null::bigint, null::text,
      declared_at, file_id, null::text
    from phone_consents
  ) entry
  where consent_event_id is not null;
grant select on consent_events to muster_app, muster_system;
