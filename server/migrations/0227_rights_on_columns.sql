-- "npx muster erase" took these rights away with those that it had given itself. After that no opt-out could be recorded.
grant update (phone, text_state, text_changed_at, voice_state, voice_changed_at) on phone_consents to muster_system;
grant update (push_public_key, push_private_key, own_account_id) on installation to muster_system;
