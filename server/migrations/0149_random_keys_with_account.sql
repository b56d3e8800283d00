-- As in 0135, for keys that nobody chooses: 18 random bytes, and the hash of a random token. Nobody gets one twice, so the
-- index needn't see to it across machines; they are still found by themselves, because they come first.
alter table media
  drop constraint media_public_key_key, add constraint media_public_key unique (public_key, account_id);
alter table sessions
  drop constraint sessions_token_hash_key, add constraint sessions_token unique (token_hash, account_id);
