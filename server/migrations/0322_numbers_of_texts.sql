-- Texts in conversations draw their numbers before they are inserted, as those of broadcasts do: the number is the key by
-- which the inserted row finds its text again.
grant usage on sequence messages_message_id_seq to muster_app;
